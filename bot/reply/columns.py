"""What stands in letters of one width: rows of a budget, cells of a table, marks of a bar."""

from __future__ import annotations

from bot.reply.document import BudgetTable, Table

_MARKS = "█▓▒▚▤▥"
_ROOM = {"KV cache": "░", "outside": "·"}  # what is not taken is light, wherever it stands


def heads(part: BudgetTable) -> list[str]:
    """Return the label and the amount of each row, lined up."""
    label = max((len(row.label) for row in part.rows), default=0)
    amount = max((len(row.amount) for row in part.rows), default=0)
    return [f"{row.label:<{label}}  {row.amount:>{amount}}" for row in part.rows]


def rows(part: Table) -> list[str]:
    """Return the headers and the rows of a table, lined up: words at their left, numbers at their right."""
    lines = (part.headers, *part.rows)
    widths = [max(len(line[column]) for line in lines) for column in range(len(part.headers))]
    numeric = part.numeric or (False,) * len(widths)
    return ["  ".join(map(_cell, line, widths, numeric)).rstrip() for line in lines]


def _cell(text: str, width: int, is_number: bool) -> str:
    return text.rjust(width) if is_number else text.ljust(width)


def mark(place: int, label: str = "") -> str:
    """Return the mark that fills a part of a bar, by its place in it and what it is."""
    return _ROOM.get(label) or _MARKS[place % len(_MARKS)]
