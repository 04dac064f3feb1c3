"""Budgets and tables as code blocks of one width, which is how Slack lines figures up everywhere."""

from __future__ import annotations

from textwrap import wrap

from bot.reply.adding_up import split
from bot.reply.block_elements import Block, code_block, context, rich_text, runs_of, section
from bot.reply.columns import heads, mark, rows
from bot.reply.document import SUBTRACTED, BudgetRow, BudgetTable, Table

NARROW = 50  # characters of a code block that a thread beside a channel shows without wrapping
PHONE = 36  # of them that any phone shows
_LABEL = 11  # characters of a label beside which notes find room
_FORM = 38  # of them that a form shows on a phone of 390 points, and a thread two more
_BRIEF = ("gpu_memory_utilization", "as set")  # the flag's name, which no row has room for, and what stands for it
_UNIT = "GiB"  # said once, in the first row
_TOGETHER = "\N{NO-BREAK SPACE}"  # a phone wraps the legend between its entries


def budget(part: BudgetTable) -> list[Block]:
    """Return a budget with its bar."""
    lines = [line for row in _narrow_rows(part) for line in row]
    blocks = [rich_text(code_block("\n".join([*lines, *_bar(part)])))]
    return [*blocks, context(part.below)] if part.below else blocks


def _narrow_rows(part: BudgetTable) -> list[list[str]]:
    """Return the lines of each row: the unit behind the first label, and a label without end on a line of its own."""
    told = [_told(row) for row in part.rows]
    told[:1] = [row._replace(label=f"{row.label}, {_UNIT}") for row in told[:1]]
    beside = [row._replace(label="" if len(row.label) > _LABEL else row.label) for row in told]
    lined = zip(told, beside, heads(part._replace(rows=tuple(beside))), strict=True)
    return [[*([] if kept.label else [row.label]), *_row(f"{head}  ", row.note)] for row, kept, head in lined]


def _told(row: BudgetRow) -> BudgetRow:
    """Return a row in short words; of what was got by subtraction the names stand where the way does."""
    is_rest = row.note == SUBTRACTED and len(row.label) > _LABEL and "," in row.label
    return BudgetRow("the rest", row.amount, row.label) if is_rest else row._replace(note=row.note.replace(*_BRIEF))


def _row(head: str, note: str) -> list[str]:
    """Return a row of the budget; a note that a phone would wrap goes on below, each of its sums on a line."""
    if len(head) + len(note) <= _FORM:
        return [f"{head}{note}".rstrip()]
    first, *rest = note.split(" = ")
    below = [line for part in (first, *(f"= {more}" for more in rest)) for line in wrap(part, _FORM - 2)]
    return [head.rstrip(), *(f"  {line}" for line in below)]


def _bar(part: BudgetTable) -> list[str]:
    """Return the bar and its legend."""
    if not part.bar:
        return []
    widths = split([share for _, share in part.bar], PHONE)
    marks = [mark(n, label) for n, (label, _) in enumerate(part.bar)]
    cells = "".join(map(str.__mul__, marks, widths))
    lines = [""]
    for sign, (label, _) in zip(marks, part.bar, strict=True):  # the rows above have the figures
        entry = f"{sign} {label}".replace(" ", _TOGETHER)
        is_full = lines[-1] and len(lines[-1]) + 2 + len(entry) > PHONE
        lines = [*lines, entry] if is_full else [*lines[:-1], f"{lines[-1]}  {entry}".strip()]
    return [cells, *lines]


def table(part: Table) -> list[Block]:
    """Return rows and columns under a caption; where a thread would wrap them, the words at their end stand below."""
    caption = [section(runs_of(part.caption, bold=True))] if part.caption else []
    lines = rows(_figures_first(part))
    if _ends_in_words(part) and max(map(len, lines)) > NARROW:
        lines = _words_below(part)
    return [rich_text(*caption, code_block("\n".join(lines)))]


def _ends_in_words(part: Table) -> bool:
    return len(part.headers) > 2 and not (part.numeric or (False,))[-1]


def _words_below(part: Table) -> list[str]:
    kept = part._replace(
        headers=part.headers[:-1], rows=tuple(row[:-1] for row in part.rows), numeric=part.numeric[:-1]
    )
    words = (part.headers[-1], *(row[-1] for row in part.rows))
    pairs = zip(rows(kept), words, strict=True)
    return [line for row, word in pairs for line in (row, *([f"  {word}"] if word else []))]


def _figures_first(part: Table) -> Table:
    """Return a table of one name and its figures with the name last: a narrow window wraps it and no figure."""
    if len(part.numeric) < 2 or part.numeric[0] or not all(part.numeric[1:]):
        return part
    turned = {"headers": _turned(part.headers), "rows": tuple(map(_turned, part.rows))}
    return part._replace(**turned, numeric=(*part.numeric[1:], False))


def _turned(cells: tuple[str, ...]) -> tuple[str, ...]:
    return (*cells[1:], cells[0])
