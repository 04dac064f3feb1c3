"""What to change once, in the platform's own launch templates, instead of in every case."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import Any

from bot.incident import Incident
from bot.reply.document import Part, Prose, Span
from bot.reply.words import short_card, short_model
from bot.weekly.figures import Gathered, say_count, section

MOST = 5
MOST_TEMPLATES = 3
_LEAST_CASES = 2  # a single case is no pattern
# Of these the larger value is the careful one: more cards, more memory elsewhere.
_MORE_IS_CAREFUL = frozenset({"tensor_parallel", "pipeline_parallel", "data_parallel", "cpu_offload", "gpu_count"})


def advice(gathered: Gathered) -> list[Part]:
    """Return the settings that would have prevented most cases, each with the templates it belongs in.

    A template is what launches one model on one kind of card. The settings are those of the first fix that was
    computed to fit, the most careful value where cases differ.
    """
    kinds: dict[tuple[str, ...], list[Incident]] = defaultdict(list)
    for incident in gathered.incidents:
        if incident.patch:
            kinds[tuple(sorted(incident.patch))].append(incident)
    ranked = sorted(kinds.items(), key=lambda kind: (-len(kind[1]), kind[0]))
    items = [_say(gathered, names, cases) for names, cases in ranked if len(cases) >= _LEAST_CASES][:MOST]
    return section("Fix it in the platform", items)


def _say(gathered: Gathered, names: tuple[str, ...], cases: list[Incident]) -> Prose:
    told = [case for case in cases if gathered.may_tell(case)]
    templates = sorted(_templates(told).items(), key=lambda template: (-len(template[1]), template[0]))
    where = [[*_settings(gathered, names, own), Span(text=f" for {of} ({len(own):,})")] for of, own in templates]
    shown = where[:MOST_TEMPLATES]
    if where[MOST_TEMPLATES:]:
        shown.append([Span(text=f"{say_count(len(where) - MOST_TEMPLATES, 'more template')}")])
    if len(told) < len(cases):
        shown.append([Span(text=f"{len(cases) - len(told):,} in private channels")])
    flags = chain.from_iterable(
        (Span(text=" and "), Span(text=gathered.names.flag(name), style="code")) for name in names
    )
    head = f" would have helped in {len(cases):,} of {say_count(len(gathered.incidents), 'case')}: "
    return Prose(spans=(*list(flags)[1:], Span(text=head), *_listed(shown)))


def _listed(groups: list[list[Span]]) -> list[Span]:
    return [span for number, group in enumerate(groups) for span in ([Span(text="; ")] * bool(number) + group)]


def _templates(cases: list[Incident]) -> dict[str, list[Incident]]:
    templates: dict[str, list[Incident]] = defaultdict(list)
    for case in cases:
        card = f" on {short_card(case.gpu)}" if case.gpu else ""
        templates[short_model(case.model or "an unknown model") + card].append(case)
    return templates


def _settings(gathered: Gathered, names: tuple[str, ...], cases: list[Incident]) -> list[Span]:
    """Return what is to be written into a template, as it is written there."""
    told = [_setting(gathered.names.flag(name), _careful(name, cases)) for name in names]
    return [span for number, setting in enumerate(told) for span in ([Span(text=" ")] * bool(number) + setting)]


def _setting(flag: str, value: Any) -> list[Span]:
    if value is None or value is False:
        return [Span(text="no "), Span(text=flag, style="code")]
    if value is True:
        return [Span(text=flag, style="code")]
    shown = (f"{value:g}" if value < 1 else f"{round(value)}") if isinstance(value, (int, float)) else str(value)
    return [Span(text=f"{flag} {shown}", style="code")]


def _careful(name: str, cases: list[Incident]) -> Any:
    """Return the value that would have prevented all of the cases, as far as values can be compared."""
    values = [case.patch[name] for case in cases if case.patch]
    if not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        return values[0]
    return max(values) if name in _MORE_IS_CAREFUL else min(values)
