"""The week counted by problem, cause, model, GPU, version, channel and team, against the week before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import TypeAlias

from bot.frozen import Frozen
from bot.incident import Counted
from bot.reply.document import Chart, Series, Table
from bot.reply.words import short_card, short_model
from bot.weekly.figures import Gathered

MOST_ROWS = 8
NOT_KNOWN = "not known"
PRIVATE = "in private channels"
_UNTOLD = frozenset({NOT_KNOWN, PRIVATE})  # they come last, however many they are
_IN_A_CHART = 6
Value: TypeAlias = Callable[[Gathered, Counted], str | None]


class Axis(Frozen):
    """What incidents are counted by."""

    name: str
    caption: str
    value: Value
    of: tuple[str, ...]  # what the value rests on; it is worked out once for all incidents that agree in it


def _model(gathered: Gathered, incident: Counted) -> str | None:
    # A model's name is somebody's own words, as a problem, a card and a version are not.
    if incident.model is None:
        return None
    return short_model(incident.model) if gathered.may_tell_of(incident.channel) else PRIVATE


def _channel(gathered: Gathered, incident: Counted) -> str | None:
    room = gathered.rooms.get(incident.channel)
    return f"#{room.name}" if room and room.may_tell else PRIVATE


def _gpu(_: Gathered, incident: Counted) -> str | None:
    return short_card(incident.gpu) if incident.gpu else None


def _team(gathered: Gathered, incident: Counted) -> str:
    return "no team" if incident.team in {None, gathered.workspace} else str(incident.team)


PROBLEM = Axis(
    name="Problem", caption="By problem", value=lambda _, row: row.title or row.problem, of=("title", "problem")
)
CAUSE = Axis(name="Cause", caption="By cause", value=lambda week, row: week.names.cause(row), of=("problem", "cause"))
MODEL = Axis(name="Model", caption="By model", value=_model, of=("model", "channel"))
GPU = Axis(name="GPU", caption="By GPU", value=_gpu, of=("gpu",))
VERSION = Axis(name="vLLM", caption="By vLLM version", value=lambda _, row: row.vllm_version, of=("vllm_version",))
CHANNEL = Axis(name="Channel", caption="By channel", value=_channel, of=("channel",))
TEAM = Axis(name="Team", caption="By team", value=_team, of=("team",))


def tables(gathered: Gathered, axes: Sequence[Axis]) -> list[Table]:
    """Return a table an axis; one of which nobody knows anything is left out."""
    return [table for axis in axes if (table := _table(axis, gathered)) is not None]


def _table(axis: Axis, gathered: Gathered) -> Table | None:
    now, then = _counts(axis, gathered, gathered.counted), _counts(axis, gathered, gathered.before)
    names = sorted(now | then, key=lambda name: (-now[name], -then[name], name))
    told = [name for name in names if name not in _UNTOLD]
    if not told:
        return None
    rows = [_row(name, now[name], then[name]) for name in told[:MOST_ROWS]]
    rest = told[MOST_ROWS:]
    if rest:
        rows.append(_row(f"{len(rest)} others", sum(now[name] for name in rest), sum(then[name] for name in rest)))
    rows += [_row(name, now[name], then[name]) for name in names if name in _UNTOLD]
    return Table(
        headers=(axis.name, "this week", "before", "change"),
        rows=tuple(rows),
        numeric=(False, True, True, True),
        caption=axis.caption,
    )


def _counts(axis: Axis, gathered: Gathered, rows: Sequence[Counted]) -> Counter[str]:
    key = itemgetter(*map(Counted._fields.index, axis.of))
    alike = {key(row): row for row in rows}
    counts: Counter[str] = Counter()
    for each, count in Counter(map(key, rows)).items():
        counts[axis.value(gathered, alike[each]) or NOT_KNOWN] += count
    return counts


def _row(name: str, now: int, then: int) -> tuple[str, ...]:
    return (name, f"{now:,}", f"{then:,}", f"{now - then:+,}" if now != then else "=")


def top_causes(gathered: Gathered) -> list[Chart]:
    """Return the most frequent causes of the week beside the week before, or nothing where there is just one."""
    now, then = (_counts(CAUSE, gathered, some) for some in (gathered.counted, gathered.before))
    names = [name for name, _ in sorted(now.items(), key=lambda pair: (-pair[1], pair[0])) if name != NOT_KNOWN]
    words = {gathered.names.cause(row): (row.cause or "").replace("-", " ") for row in gathered.counted}
    if len(names) < 2:
        return []
    shown = tuple(names[:_IN_A_CHART])
    series = tuple(
        Series(name=name, values=tuple(float(counts[cause]) for cause in shown))
        for name, counts in (("this week", now), ("week before", then))
    )
    return [Chart(title="Top causes", labels=shown, short=tuple(words[name] for name in shown), series=series)]
