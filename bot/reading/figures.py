"""Figures inside messages of fixed wording: a pattern with named groups gives facts of those names."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from bot.evidence import Evidence, Line, gather
from bot.facts import FACTS, Fact, Origin
from bot.reading.argument_values import read_version
from bot.reading.hints import find_hints
from bot.reading.late import Late
from bot.units import Bytes

AMOUNT = r"-?\d+(?:\.\d+)?\s{0,4}(?:[KMGT]i?[Bb]|bytes)"
GIB = r"-?\d+(?:\.\d+)?"
COUNT = r"\d{1,3}(?:,\d{3})+|\d+"

LONGEST_QUOTE = 400


class Template(NamedTuple):
    """One message: a text that it surely contains, and where its figures stand.

    A group is named like its fact. Bytes without a unit are GiB, as vLLM prints them; a group named `…_in_bytes` holds bytes.
    """

    hint: str
    pattern: Late

    @classmethod
    def of(cls, hint: str, pattern: str) -> Template:
        """Return the template; a space in the pattern stands for any run of whitespace, " ?" for none too."""
        return cls(hint, Late(pattern.replace(" ?", r"\s*").replace(" ", r"\s+")))


def quote(line: Line) -> str:
    """Return what a fact quotes of its line."""
    text = line.message.strip()
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def note(name: str, value: object, line: Line, origin: Origin = Origin.MEASURED) -> Fact:
    """Return a fact that a line states."""
    return Fact(name=name, value=value, origin=origin, line=line.number, quote=quote(line))


class Figure(NamedTuple):
    """A figure on a line, not yet a fact: a log repeats most of them thousands of times."""

    name: str
    value: Any
    line: Line


def find_figures(lines: Sequence[Line], templates: Sequence[Template]) -> Iterator[Figure]:
    """Yield each figure of each line, all occurrences, in order."""
    for place, number in find_hints([line.text for line in lines], [template.hint for template in templates]):
        for found in templates[number].pattern.regex.finditer(lines[place].text):
            yield from _figures_of(found, lines[place])


def read_figures(lines: Sequence[Line], templates: Sequence[Template], kind: str) -> Evidence:
    """Return the figures as evidence of one kind; none at all is no evidence."""
    found = gather(note(*figure) for figure in _that_bind(find_figures(lines, templates)))
    return found._replace(kinds=frozenset({kind})) if found.facts else found


def _that_bind(figures: Iterable[Figure]) -> Iterable[Figure]:
    """Return of each figure that vLLM measured the one that counts, and every setting: settings may contradict each other."""
    kept: dict[Hashable, Figure] = {}
    for figure in figures:
        kind = FACTS[figure.name]
        if not kind.is_logged:
            kept[len(kept)] = figure
            continue
        before = kept.get(figure.name)
        if before is None or kind.prefers(before.value, figure.value):
            kept[figure.name] = figure
    return kept.values()


def _figures_of(found: re.Match[str], line: Line) -> Iterator[Figure]:
    for group, raw in found.groupdict().items():
        name = group.removesuffix("_in_bytes").rstrip("0123456789")
        value = None if raw is None else _read(name, raw, is_bytes=group.endswith("_in_bytes"))
        if value is not None:
            yield Figure(name, value, line)


def _read(name: str, raw: str, *, is_bytes: bool) -> Any:
    kind = FACTS[name].type
    if len(raw) > (200 if kind == "text" else 40):
        return None
    if kind == "bytes":
        return _read_amount(raw, is_bytes=is_bytes)
    if kind == "int":
        return int(float(raw.replace(",", "")))
    if kind == "float":
        return float(raw.replace(",", ""))
    if kind == "version":
        return read_version(raw)
    return True if kind == "bool" else raw.strip()


def _read_amount(raw: str, *, is_bytes: bool) -> Bytes | None:
    if raw[-1:].isdigit():
        return Bytes(int(float(raw))) if is_bytes else Bytes.gib(float(raw))
    try:
        return Bytes.parse(raw, decimal_prefix="binary")
    except ValueError:
        return None
