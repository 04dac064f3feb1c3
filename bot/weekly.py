"""The week of a team: what broke, why, on what, against the week before, and what is still open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo

from bot.incident import Incident
from bot.deployment import Frozen
from bot.journal.channels import Channel, all_channels
from bot.journal.incidents import week as week_of_incidents
from bot.journal.incidents import workspaces_with_incidents
from bot.journal.open import Journal
from bot.reply.document import Bullets, Document, Part, Prose, Span, Table, Title

_WEEK = re.compile(r"(\d{4})-?W(\d{1,2})", re.IGNORECASE)
MOST_ROWS = 8
MOST_OPEN = 20


class Week(Frozen):
    """An ISO week in one time zone; it begins on Monday at midnight there."""

    begin: datetime
    end: datetime

    @property
    def name(self) -> str:
        """The week as people write it: 2026-W48."""
        year, week, _ = self.begin.isocalendar()
        return f"{year}-W{week:02d}"

    @property
    def before(self) -> Week:
        """The week before."""
        return week_of(self.begin - timedelta(days=3))


def week_of(moment: datetime) -> Week:
    """Return the week that a moment lies in, in the moment's own zone."""
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    begin = midnight - timedelta(days=midnight.weekday())
    # Days are added to the wall clock, so that a week with a change of the clocks is still Monday to Monday.
    return Week(begin=begin, end=begin + timedelta(days=7))


def read_week(text: str, zone: tzinfo = UTC) -> Week:
    """Return the week that "2026-W48" names.

    Raises:
        ValueError: The text names no week.
    """
    found = _WEEK.fullmatch(text.strip())
    year, week = (int(found[1]), int(found[2])) if found else (0, 0)
    try:
        monday = datetime.fromisocalendar(year, week, 1)
    except ValueError as error:
        raise ValueError(f"{text!r} is no week; write it like 2026-W48") from error
    return week_of(monday.replace(tzinfo=zone))


class Told(Frozen):
    """An incident as far as the reader of this digest may know it."""

    incident: Incident
    link: str | None = None  # None: a private channel, counted and not quoted


class TeamWeek(Frozen):
    """What one owning team's digest is made of."""

    workspace: str
    team: str
    week: Week
    incidents: tuple[Told, ...]
    before: tuple[Told, ...]

    @property
    def document(self) -> Document:
        """The digest in words."""
        return digest(self.team, self.week, self.incidents, self.before)


def weeks_of_teams(
    journal: Journal, week: Week, link: Callable[[Incident], str | None], reader: str | None = None
) -> tuple[TeamWeek, ...]:
    """Gather every team's week; a private channel's incidents are linked only where `reader` is that channel."""
    gathered: list[TeamWeek] = []
    for workspace in workspaces_with_incidents(journal):
        rooms = {room.id: room for room in all_channels(journal, workspace)}
        now = _by_team(journal, workspace, week, rooms)
        then = _by_team(journal, workspace, week.before, rooms)
        for team in sorted(now | then):
            told = [_tell(incident, rooms, link, reader) for incident in now.get(team, ())]
            earlier = tuple(Told(incident=incident) for incident in then.get(team, ()))
            gathered.append(TeamWeek(workspace=workspace, team=team, week=week, incidents=tuple(told), before=earlier))
    return tuple(gathered)


def _by_team(journal: Journal, workspace: str, week: Week, rooms: Mapping[str, Channel]) -> dict[str, list[Incident]]:
    teams: dict[str, list[Incident]] = {}
    for incident in week_of_incidents(journal, workspace, week.begin, week.end):
        room = rooms.get(incident.thread.channel)
        teams.setdefault((room.team if room else None) or workspace, []).append(incident)
    return teams


def _tell(
    incident: Incident,
    rooms: Mapping[str, Channel],
    link: Callable[[Incident], str | None],
    reader: str | None,
) -> Told:
    room = rooms.get(incident.thread.channel)
    # A channel of unknown visibility is treated as private: a link that should not be there cannot be taken back.
    may_tell = incident.thread.channel == reader or (room is not None and room.is_private is False)
    return Told(incident=incident, link=link(incident) if may_tell and incident.state == "open" else None)


def digest(team: str, week: Week, incidents: Sequence[Told], before: Sequence[Told]) -> Document:
    """Compose the digest of one team's week; `before` is the week that it is compared with."""
    now, then = [told.incident for told in incidents], [told.incident for told in before]
    summary = f"{team}, week {week.name}: {_count(len(now))}, {len(then)} the week before"
    parts: list[Part] = [Title(text=f"vLLM incidents of {team}", aside=f"week {week.name}"), _totals(now, then)]
    if now or then:
        parts += [table for table in (_table(axis, now, then) for axis in _AXES) if table.rows]
        parts += _still_open(incidents)
    return Document(summary=summary, parts=tuple(parts))


def _count(number: int) -> str:
    return f"{number} incident" if number == 1 else f"{number} incidents"


def _totals(now: Sequence[Incident], then: Sequence[Incident]) -> Prose:
    solved = sum(incident.state == "resolved" for incident in now)
    spans = [Span(text=_count(len(now)), style="bold"), Span(text=f" ({_change(len(now), len(then))})")]
    if now:
        spans.append(Span(text=f" · {solved} resolved, {sum(incident.state == 'open' for incident in now)} open"))
    median = _median_hours(now)
    if median is not None:
        spans.append(Span(text=f" · median time to resolution {_hours(median)}"))
    voices = [incident.helpful for incident in now if incident.helpful is not None]
    if voices:
        spans.append(Span(text=f" · {sum(voices)} of {len(voices)} called helpful"))
    return Prose(spans=tuple(spans))


def _change(now: int, then: int) -> str:
    if now == then:
        return "as many as the week before"
    return f"{abs(now - then)} {'more' if now > then else 'fewer'} than the week before"


def _median_hours(incidents: Iterable[Incident]) -> float | None:
    took = sorted(
        (incident.resolved_at - incident.opened_at).total_seconds() / 3600
        for incident in incidents
        if incident.resolved_at
    )
    middle = len(took) // 2
    if not took:
        return None
    return took[middle] if len(took) % 2 else (took[middle - 1] + took[middle]) / 2


def _hours(hours: float) -> str:
    if hours < 1:
        return f"{hours * 60:.0f} min"
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} days"


class _Axis(Frozen):
    name: str
    value: Callable[[Incident], str | None]


_AXES = (
    _Axis(name="Problem", value=lambda incident: incident.title or incident.problem),
    _Axis(name="Cause", value=lambda incident: incident.cause),
    _Axis(name="Model", value=lambda incident: incident.model),
    _Axis(name="GPU", value=lambda incident: incident.gpu),
)


def _table(axis: _Axis, now: Sequence[Incident], then: Sequence[Incident]) -> Table:
    counts = Counter(axis.value(incident) or "not known" for incident in now)
    earlier = Counter(axis.value(incident) or "not known" for incident in then)
    names = sorted(counts | earlier, key=lambda name: (-counts[name], -earlier[name], name))
    rows = [_row(name, counts[name], earlier[name]) for name in names[:MOST_ROWS]]
    rest = names[MOST_ROWS:]
    if rest:
        others = f"{len(rest)} others"
        rows.append(_row(others, sum(counts[name] for name in rest), sum(earlier[name] for name in rest)))
    is_told = any(name != "not known" for name in names)
    return Table(
        headers=(axis.name, "this week", "before", "change"),
        rows=tuple(rows) if is_told else (),
        numeric=(False, True, True, True),
        caption=f"By {axis.name if axis.name == 'GPU' else axis.name.lower()}",
    )


def _row(name: str, now: int, then: int) -> tuple[str, ...]:
    return (name, str(now), str(then), f"{now - then:+d}" if now != then else "=")


def _still_open(incidents: Sequence[Told]) -> list[Part]:
    unresolved = [told for told in incidents if told.incident.state == "open"]
    if not unresolved:
        return []
    items = [_open_item(told) for told in unresolved if told.link][:MOST_OPEN]
    untold = len(unresolved) - len(items)
    if untold:
        items.append(Prose(spans=(Span(text=f"{untold} more that are not listed here"),)))
    return [Prose(spans=(Span(text="Still open", style="bold"),)), Bullets(items=tuple(items))]


def _open_item(told: Told) -> Prose:
    incident = told.incident
    where = " · ".join(part for part in (incident.model, incident.gpu) if part)
    label = incident.title or incident.problem or "An error that I do not know"
    after = f" · {where}" if where else ""
    return Prose(spans=(Span(text=label, url=told.link), Span(text=f"{after} · since {incident.opened_at:%a %d %b}")))
