from __future__ import annotations

from bot.reply.columns import heads, mark, rows
from bot.reply.document import BudgetRow, BudgetTable, Table


def test_amounts_of_a_budget_end_under_one_another():
    budget = BudgetTable(rows=(BudgetRow(label="card", amount="23.64"), BudgetRow(label="allowance", amount="9.46")))

    assert ["card       23.64", "allowance   9.46"] == heads(budget)


def test_numbers_of_a_table_line_up_at_their_right():
    table = Table(headers=("tp", "tokens"), rows=(("1", "9"), ("4", "400")), numeric=(False, True))

    assert ["tp  tokens", "1        9", "4      400"] == rows(table)


def test_nothing_trails_a_row():
    assert ["a", "long"] == rows(Table(headers=("a",), rows=(("long",),)))


def test_marks_begin_again_when_a_bar_has_more_parts():
    assert [mark(0), mark(1)] == [mark(6), mark(7)]


def test_room_looks_the_same_wherever_it_stands():
    assert [mark(1, "KV cache"), mark(2, "outside")] == [mark(4, "KV cache"), mark(5, "outside")]
