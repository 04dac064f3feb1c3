"""Facts that a line tells by its wording alone, without a figure in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bot.evidence import Evidence, Line, gather
from bot.facts import Fact, Origin
from bot.reading.figures import note
from bot.reading.hints import find_hints
from bot.reading.late import Late


class Sign(NamedTuple):
    """A text that tells one fact, and what else must stand on its line."""

    hint: str
    name: str
    value: Any
    pattern: Late = Late("")
    origin: Origin = Origin.MEASURED


def read_signs(lines: Sequence[Line], signs: Sequence[Sign]) -> Evidence:
    """Return one value a fact: of several signs for it the one that stands first in `signs`."""
    told: dict[str, tuple[int, Fact]] = {}
    for place, number in find_hints([line.text for line in lines], [sign.hint for sign in signs]):
        sign, line = signs[number], lines[place]
        rank = told[sign.name][0] if sign.name in told else len(signs)
        if number < rank and sign.pattern.regex.search(line.text):
            told[sign.name] = number, note(sign.name, sign.value, line, sign.origin)
    return gather(fact for _, fact in told.values())
