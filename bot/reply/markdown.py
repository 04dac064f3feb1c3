"""A document as GitHub-flavoured Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby

from bot.reply.charts.text import say
from bot.reply.columns import heads
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
from bot.reply.spans import spans

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_STYLES = {"plain": "{}", "bold": "**{}**", "italic": "*{}*"}


def render(document: Document) -> str:
    """Return the document as Markdown; details become collapsible sections."""
    return "\n\n".join(_part(part) for part in document.parts) + "\n"


def escape(text: str) -> str:
    r"""Return plain text that Markdown shows as it is.

    >>> escape("a_b <script>")
    'a\\_b \\<script\\>'
    """
    return _SPECIAL.sub(r"\\\1", text)


def fence(text: str) -> str:
    """Return a code block whose fence is longer than any run of backticks in `text`."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    marks = "`" * max(3, longest + 1)
    return f"{marks}\n{text}\n{marks}"


def code(text: str) -> str:
    """Return inline code, whatever backticks it holds."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    marks = "`" * (longest + 1)
    line = " ".join(text.split("\n"))
    return f"{marks} {line} {marks}" if longest or not line.strip() else f"`{line}`"


def _span(span: Span) -> str:
    if span.url:
        return f"[{escape(span.text)}]({span.url})"
    core = span.text.strip()
    if not core:
        return span.text
    before, after = span.text[: span.text.index(core)], span.text[span.text.index(core) + len(core) :]
    return before + _STYLES[span.style].format(escape(core)) + after


def _spans(said: Iterable[Span]) -> str:
    """Join spans; code beside code becomes one run of it, for their backticks would run together."""
    pieces: list[str] = []
    for is_code, run in groupby(said, key=lambda span: span.style == "code"):
        if is_code:
            pieces.append(code("".join(span.text for span in run)))
        else:
            pieces += map(_span, run)
    return "".join(pieces)


def _told(text: str) -> str:
    return _spans(spans(text))


def _part(part: Part) -> str:
    return _WRITERS[type(part)](part)


def _title(part: Title) -> str:
    return f"### {escape(part.text)}" + (f"\n{escape(part.aside)}" if part.aside else "")


def _prose(part: Prose) -> str:
    return _spans(part.spans)


def _bullets(part: Bullets) -> str:
    return "\n".join(f"- {_spans(item.spans)}" for item in part.items)


def _quote(part: Quote) -> str:
    return f"> {f'Line {part.line}: ' if part.line else ''}{code(part.text)}"


def _budget(part: BudgetTable) -> str:
    lines = [f"{head} GiB  {row.note}".rstrip() for head, row in zip(heads(part), part.rows, strict=True)]
    return fence("\n".join(lines)) + (f"\n\n{escape(part.below)}" if part.below else "")


def _table(part: Table) -> str:
    numeric = part.numeric or (False,) * len(part.headers)
    head = f"| {' | '.join(escape(text) for text in part.headers)} |"
    rule = f"|{'|'.join('---:' if is_number else '---' for is_number in numeric)}|"
    rows = [f"| {' | '.join(escape(text) for text in row)} |" for row in part.rows]
    return "\n".join(([escape(part.caption), ""] if part.caption else []) + [head, rule, *rows])


def _chart(part: Chart) -> str:
    rows = tuple(
        (label, *(say(series.values[place]) for series in part.series)) for place, label in enumerate(part.labels)
    )
    headers = (part.unit, *(series.name for series in part.series))
    numeric = (False, *(True for _ in part.series))
    return _table(Table(headers=headers, rows=rows, numeric=numeric, caption=part.title))


def _command(part: Command) -> str:
    said = [f"{lead}{_told(text)}" for lead, text in part.notes]
    return "\n\n".join(([f"**{escape(part.title)}**"] if part.title else []) + [fence(part.text), *said])


def _ask(part: Ask) -> str:
    asked = part.question
    choices = " · ".join(code(choice) for choice in asked.choices)
    found = f"Find out: {_told(asked.how_to_find_out)}" if asked.how_to_find_out else ""
    return "\n\n".join(
        text for text in (f"**{escape(asked.text)}** {choices}".strip(), _told(asked.why), found) if text
    )


def _details(part: Details) -> str:
    inner = "\n\n".join(_part(inside) for inside in part.parts)
    return f"<details><summary>{escape(part.title)}</summary>\n\n{inner}\n\n</details>"


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
