"""Budgets and tables as code blocks of one width, which is how Slack lines figures up everywhere."""

from __future__ import annotations

from bot.reply.adding_up import split
from bot.reply.block_elements import Block, code_block, context, rich_text, runs_of, section
from bot.reply.document import BudgetTable, Table

NARROW = 58  # characters of a code block that a thread beside a channel shows without wrapping
BAR = 40  # of them for the bar
_MARKS = "█▓▒░▚▞▤▥"


def budget(part: BudgetTable) -> list[Block]:
    """Return a budget with its bar."""
    label = max((len(row.label) for row in part.rows), default=0)
    amount = max((len(row.amount) for row in part.rows), default=0)
    lines = [
        line
        for number, row in enumerate(part.rows)
        for line in _row(f"{row.label:<{label}}  {row.amount:>{amount}} {'GiB' if not number else '   '}  ", row.note)
    ]
    blocks = [rich_text(code_block("\n".join([*lines, *_bar(part)])))]
    return [*blocks, context(part.footnote)] if part.footnote else blocks


def _row(head: str, note: str) -> list[str]:
    """Return a row of the budget; a note that a thread would wrap goes on below itself, at its own signs."""
    if len(head) + len(note) <= NARROW:
        return [f"{head}{note}".rstrip()]
    first, *rest = note.split(" = ")
    return [f"{head}{first}".rstrip(), *(f"{' ' * len(head)}= {more}" for more in rest)]


def _bar(part: BudgetTable) -> list[str]:
    """Return the bar and its legend, in lines that a thread does not wrap."""
    if not part.bar:
        return []
    widths = split([share for _, share in part.bar], BAR)
    cells = "".join(_MARKS[n % len(_MARKS)] * width for n, width in enumerate(widths))
    legend = [f"{_MARKS[n % len(_MARKS)]} {label} {share:.0%}" for n, (label, share) in enumerate(part.bar)]
    lines = [""]
    for entry in legend:
        is_full = lines[-1] and len(lines[-1]) + 2 + len(entry) > NARROW
        lines = [*lines, entry] if is_full else [*lines[:-1], f"{lines[-1]}  {entry}".strip()]
    return ["", cells, *lines]


def table(part: Table) -> list[Block]:
    """Return rows and columns under a caption."""
    widths = [max(len(row[n]) for row in (part.headers, *part.rows)) for n in range(len(part.headers))]
    numeric = part.numeric or (False,) * len(widths)
    lines = [
        "  ".join(
            cell.rjust(w) if num else cell.ljust(w) for cell, w, num in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in (part.headers, *part.rows)
    ]
    caption = [section(runs_of(part.caption, bold=True))] if part.caption else []
    return [rich_text(*caption, code_block("\n".join(lines)))]
