"""A document for the terminal: colour when asked for, plain text otherwise."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable

import click

from bot.reply.adding_up import split
from bot.reply.charts.text import rows as chart_rows
from bot.reply.columns import heads, mark, rows
from bot.reply.document import (
    Ask,
    BudgetTable,
    Bullets,
    Chart,
    Command,
    Details,
    Document,
    Part,
    Prose,
    Quote,
    Span,
    Table,
    Title,
)

# What a paste must not do to a terminal: move, erase, ring, retitle, turn the direction of writing. Colours are ours.
_CONTROLS = re.compile(
    r"""\x1b(?!\[[\d;]*m)                       # escapes, but for colours
      | [\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]    # control characters, but for tab and line feed
      | [\u202a-\u202e\u2066-\u2069]             # overrides of direction
    """,
    re.VERBOSE,
)

_BAR_WIDTH = 60
_BAR_COLOURS = ("blue", "magenta", "yellow", "cyan", "green", "white", "red", "bright_black")
_NOTES: dict[str, dict[str, object]] = {"Costs: ": {"dim": True}, "Risk: ": {"fg": "yellow"}}


class Pen:
    """Colour and width of one rendering."""

    def __init__(self, width: int, *, colour: bool, details: bool) -> None:
        self.width = width
        self.colour = colour
        self.details = details

    def style(self, text: str, **look: object) -> str:
        """Return `text` in a look, or as it is without colour."""
        return click.style(text, **look) if self.colour else text  # type: ignore[arg-type]

    def wrap(self, text: str, indent: str = "", first: str | None = None) -> str:
        """Return `text` broken at the width; words are never cut, so commands and links survive."""
        return textwrap.fill(
            text,
            self.width,
            initial_indent=indent if first is None else first,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )


MORE = "all causes, diagnostics, sources"


def render(
    document: Document, width: int = 100, *, colour: bool = False, details: bool = False, more: str = MORE
) -> str:
    """Return the document as lines of at most `width` columns (commands are never broken).

    Args:
        document: What is said.
        width: Columns.
        colour: Whether the terminal shows colours.
        details: Whether what is shown on demand is shown.
        more: What that is, in a few words.
    """
    pen = Pen(width, colour=colour, details=details)
    blocks = [text for part in document.parts if (text := _part(part, pen))]
    hidden = sum(isinstance(part, Details) for part in document.parts)
    if hidden and not details:
        blocks.append(pen.style(f"More with --details: {more}.", dim=True))
    return _CONTROLS.sub("", "\n\n".join(blocks)) + "\n"


def _part(part: Part, pen: Pen) -> str:
    return _WRITERS[type(part)](part, pen)


def _title(part: Title, pen: Pen) -> str:
    head = pen.style(pen.wrap(part.text), bold=True)
    return f"{head}\n{pen.style(part.aside, dim=True)}" if part.aside else head


def _spans(spans: Iterable[Span]) -> str:
    return "".join(_span(span) for span in spans)


def _span(span: Span) -> str:
    if span.url:
        return f"{span.text} ({span.url})"
    return f"`{span.text}`" if span.style == "code" else span.text


def _prose(part: Prose, pen: Pen) -> str:
    text = pen.wrap(_spans(part.spans))
    bold = part.spans[0].text.strip() if part.spans and part.spans[0].style == "bold" else ""
    return text.replace(bold, pen.style(bold, bold=True), 1) if bold and bold in text else text


def _bullets(part: Bullets, pen: Pen) -> str:
    return "\n".join(pen.wrap(_spans(item.spans), indent="    ", first="  · ") for item in part.items)


def _quote(part: Quote, pen: Pen) -> str:
    head = f"Your line {part.line}: " if part.line else "You wrote: "
    return pen.style(pen.wrap(f"{head}{part.text}", indent="  │ "), italic=True)


def _budget(part: BudgetTable, pen: Pen) -> str:
    lines = [
        pen.style(f"  {head} GiB  {row.note}".rstrip(), bold=row.is_total)
        for head, row in zip(heads(part), part.rows, strict=True)
    ]
    bar = [_bar(part, pen)] if part.bar else []
    foot = [pen.style(pen.wrap(part.below, indent="  "), dim=True)] if part.below else []
    return "\n".join([*lines, *bar, *foot])


def _bar(part: BudgetTable, pen: Pen) -> str:
    cells, legend = "", []
    widths = split([share for _, share in part.bar], _BAR_WIDTH)
    for position, ((label, share), width) in enumerate(zip(part.bar, widths, strict=True)):
        filled, colour = mark(position, label), _BAR_COLOURS[position % len(_BAR_COLOURS)]
        cells += pen.style(filled * width, fg=colour)
        legend.append(f"{pen.style(filled, fg=colour)} {label} {share:.0%}")
    return f"  {cells}\n  {'  '.join(legend)}"


def _table(part: Table, pen: Pen) -> str:
    head, *lines = (f"  {line}".rstrip() for line in rows(part))
    return "\n".join([*([part.caption] if part.caption else []), pen.style(head, bold=True), *lines])


def _chart(part: Chart, pen: Pen) -> str:
    unit = f" ({part.unit})" if part.unit else ""
    return "\n".join([pen.style(f"{part.title}{unit}", bold=True), *(f"  {row}" for row in chart_rows(part))])


def _command(part: Command, pen: Pen) -> str:
    head = [pen.style(pen.wrap(part.title), bold=True)] if part.title else []
    body = [
        pen.style(("    " if number or part.is_of_a_file else "  $ ") + line, fg="green")
        for number, line in enumerate(part.text.splitlines())
    ]
    said = [
        pen.style(pen.wrap(f"{lead.lower() or '→ '}{text}", indent="    ", first="  "), **_NOTES.get(lead, {}))
        for lead, text in part.notes
    ]
    return "\n".join([*head, *body, *said])


def _ask(part: Ask, pen: Pen) -> str:
    asked = part.question
    lines = [pen.style(pen.wrap(f"? {asked.text}"), fg="cyan", bold=True)]
    if asked.choices:
        lines.append("  " + "  ".join(f"[ {choice} ]" for choice in asked.choices))
    if asked.why:
        lines.append(pen.wrap(asked.why, indent="  "))
    if asked.how_to_find_out:
        lines.append(pen.wrap(f"find out: {asked.how_to_find_out}", indent="  "))
    return "\n".join(lines)


def _details(part: Details, pen: Pen) -> str:
    if not pen.details:
        return ""
    inner = "\n".join(_part(inside, pen) for inside in part.parts)
    return f"{pen.style(part.title, bold=True, underline=True)}\n{inner}"


_WRITERS: dict[type[object], Callable[..., str]] = {
    Title: _title,
    Prose: _prose,
    Bullets: _bullets,
    Quote: _quote,
    BudgetTable: _budget,
    Table: _table,
    Chart: _chart,
    Command: _command,
    Ask: _ask,
    Details: _details,
}
