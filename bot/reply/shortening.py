"""The short form of a reply, for a narrow window: one fix with its command, the others a line each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from bot.reply.document import BudgetTable, Bullets, Command, Details, Document, Part, Prose, Span
from bot.reply.folding import units
from bot.reply.spans import spans
from bot.reply.words import ended

_LONGEST = 100  # characters of code that a line of prose carries
Way = Sequence[Command]  # one fix: the command that starts it, or its steps, of which the first has the title


def shorten(document: Document) -> Document:
    """Return a reply whose first fix has its command, the next a line with all its figures, the others their names.

    Under the first details stand their commands, whole, and what is not enough where something is.
    """
    groups = _gathered(_without_grounds(document.parts))
    ways = {place: cast("Way", group) for place, group in enumerate(groups) if isinstance(group[0], Command)}
    lines = _lines(ways)
    is_sized = any(ways[place][0].is_launch for place in lines)
    gone = {n for n, (part, *_) in enumerate(groups) if n in lines or (is_sized and isinstance(part, Bullets))}
    kept: list[Part] = []
    for place, group in enumerate(groups):
        kept += [Bullets(items=_told(lines, ways))] if place == min(lines, default=None) else []
        kept += [] if place in gone else group
    whole = tuple(part for place in sorted(gone) for part in groups[place])
    more = [Details(title="The other ways, whole", parts=whole)] if whole else []
    end = next((place for place, part in enumerate(kept) if isinstance(part, Details)), len(kept))
    return document._replace(parts=(*kept[:end], *more, *kept[end:]))


def _told(lines: Mapping[int, Prose], ways: Mapping[int, Way]) -> tuple[Prose, ...]:
    """Return the line of the next way, and one that names those which only details tell of."""
    (_, next_one), *left = lines.items()
    if not left:
        return (next_one,)
    names = "; ".join(_name(ways[place][0], line) for place, line in left)
    return (next_one, Prose(spans=(Span(text="Under Details:", style="bold"), *spans(f" {names}."))))


def _name(first: Command, line: Prose) -> str:
    """Return the name of a way with what it changes, which its line has in code."""
    code = next((span.text for span in line.spans if span.style == "code"), "")
    title = first.title.removeprefix("Or ")
    title = f"{title[:1].upper()}{title[1:]}"
    is_shown = first.is_launch and not first.risk and "`" not in code  # a risk goes with what runs it
    return f"{title} (`{code}`)" if is_shown else title


def _without_grounds(parts: Sequence[Part]) -> list[Part]:
    """Return the parts without the grounds of a budget, where details have them."""
    if not any(isinstance(part, Details) for part in parts):
        return [*parts]
    return [part._replace(grounds="") if isinstance(part, BudgetTable) else part for part in parts]


def _gathered(parts: Iterable[Part]) -> list[list[Part]]:
    """Return each part alone, but the steps of a fix together."""
    groups: list[list[Part]] = []
    for part in parts:
        if isinstance(part, Command) and not part.title and groups and isinstance(groups[-1][0], Command):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _lines(ways: Mapping[int, Way]) -> dict[int, Prose]:
    """Return the line of each fix after the first, by its place; what no line can carry has none."""
    launches = [units(command.text) for way in ways.values() for command in way if command.is_launch]
    shared = frozenset.intersection(*map(frozenset, launches)) if launches else frozenset[str]()
    changed = {place: _changed(way, launches[:1], shared) for place, way in ways.items()}
    codes = {place: [changed[place]] if changed[place] else [each.text for each in ways[place]] for place in ways}
    return {
        place: _line(ways[place], codes[place], is_changed=bool(changed[place]))
        for place in [*ways][1:]
        if all(0 < len(code) <= _LONGEST and "\n" not in code for code in codes[place])
    }


def _changed(way: Way, first: Sequence[Sequence[str]], shared: frozenset[str]) -> str:
    """Return what a fix has in place of what the first that starts the deployment has; nothing for that one itself."""
    parts = units(way[0].text)
    if not way[0].is_launch or [parts] == list(first) or parts[0] not in shared:
        return ""
    return " ".join(part for part in parts if part not in shared)


def _line(way: Way, codes: Iterable[str], *, is_changed: bool) -> Prose:
    """Say one fix: what it is, what to run or to change, what that gives and costs."""
    said = [Span(text=f"{way[0].title}:", style="bold")]
    for command, code in zip(way, codes, strict=True):
        notes = "".join(f" {lead or '→ '}{ended(text)}" for lead, text in command.notes)
        said += [Span(text=" with " if is_changed else " "), Span(text=code, style="code")]
        said += spans(f"{' instead' if is_changed else ''}{notes or '.'}")
    return Prose(spans=tuple(said))
