"""What to change once, in the platform's own launch templates, instead of in every case."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from bot.incident import Incident
from bot.reply.document import Part, Prose, Span
from bot.reply.words import short_card, short_model
from bot.weekly.figures import Gathered, say_count, section

MOST = 5
MOST_TEMPLATES = 3
_LEAST_CASES = 2  # a single case is no pattern


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
    templates = _templates(gathered, cases)
    flags = ", ".join(gathered.flags.get(name) or f"--{name.replace('_', '-')}" for name in names)
    spans = [
        Span(text="Set "),
        Span(text=flags, style="code"),
        Span(text=f" in {_these(len(templates))}: {say_count(len(cases), 'case')} of {len(gathered.incidents):,}. "),
    ]
    shown = sorted(templates.items(), key=lambda template: (-len(template[1]), template[0]))[:MOST_TEMPLATES]
    told = [f"{where}: {_values(names, own)} ({say_count(len(own), 'case')})" for where, own in shown]
    return Prose(spans=(*spans, Span(text="; ".join(told))))


def _these(count: int) -> str:
    return "this template" if count == 1 else f"these {count} templates"


def _templates(gathered: Gathered, cases: list[Incident]) -> dict[str, list[Incident]]:
    templates: dict[str, list[Incident]] = defaultdict(list)
    for case in cases:
        model = short_model(case.model or "an unknown model")
        card = f" on {short_card(case.gpu)}" if case.gpu else ""
        templates[f"{model}{card}" if gathered.may_tell(case) else "in private channels"].append(case)
    return templates


def _values(names: tuple[str, ...], cases: list[Incident]) -> str:
    told: list[str] = []
    for name in names:
        values = [case.patch[name] for case in cases if case.patch]
        told.append(f"{_careful(values)}")
    return " and ".join(told)


def _careful(values: list[Any]) -> str:
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if len(numbers) != len(values):
        return str(values[0]).lower() if isinstance(values[0], bool) else str(values[0])
    return f"{min(numbers):g}" if min(numbers) < 1 else f"{round(min(numbers)):,}"
