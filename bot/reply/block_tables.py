"""Budgets and tables as code blocks of one width, which is how Slack lines figures up everywhere."""

from __future__ import annotations

from bot.reply.adding_up import split
from bot.reply.block_elements import Block, code_block, context, rich_text, runs_of, section
from bot.reply.columns import heads, mark, rows
from bot.reply.document import BudgetTable, Table

NARROW = 58  # characters of a code block that a thread beside a channel shows without wrapping
BAR = 40  # of them for the bar


def budget(part: BudgetTable) -> list[Block]:
    """Return a budget with its bar."""
    lines = [
        line
        for number, (head, row) in enumerate(zip(heads(part), part.rows, strict=True))
        for line in _row(f"{head} {'GiB' if not number else '   '}  ", row.note)
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
    cells = "".join(mark(n) * width for n, width in enumerate(widths))
    legend = [f"{mark(n)} {label} {share:.0%}" for n, (label, share) in enumerate(part.bar)]
    lines = [""]
    for entry in legend:
        is_full = lines[-1] and len(lines[-1]) + 2 + len(entry) > NARROW
        lines = [*lines, entry] if is_full else [*lines[:-1], f"{lines[-1]}  {entry}".strip()]
    return ["", cells, *lines]


def table(part: Table) -> list[Block]:
    """Return rows and columns under a caption."""
    caption = [section(runs_of(part.caption, bold=True))] if part.caption else []
    return [rich_text(*caption, code_block("\n".join(rows(part))))]
