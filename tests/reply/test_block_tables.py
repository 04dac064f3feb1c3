from __future__ import annotations

from bot.reply.block_tables import PHONE, budget, table
from bot.reply.document import BudgetRow, BudgetTable, Table
from tests.reply.samples import a_budget


def lines(block: dict) -> list[str]:
    return block["elements"][-1]["elements"][0]["text"].splitlines()


def test_the_unit_stands_once():
    assert 1 == sum("GiB" in line for line in lines(budget(a_budget())[0]))


def test_notes_that_a_thread_would_wrap_go_on_below():
    card = BudgetRow(label="card", amount="22.03", note="as vLLM sees it")
    kv = BudgetRow(label="KV cache", amount="4.13", note="= 33,824 tokens at 128 KiB = 0.26 requests of 131,072")
    (block,) = budget(BudgetTable(rows=(card, kv)))

    assert [
        "card      22.03  GiB as vLLM sees it",
        "KV cache   4.13",
        "  = 33,824 tokens at 128 KiB",
        "  = 0.26 requests of 131,072",
    ] == lines(block)


def test_the_legend_names_each_part_and_never_wraps_on_a_phone():
    many = BudgetTable(rows=(), bar=tuple((f"a part called {n}", 0.125) for n in range(8)))

    assert max(map(len, lines(budget(many)[0]))) <= PHONE


def test_the_bar_is_as_long_as_its_shares():
    assert PHONE == len(lines(budget(a_budget())[0])[-2])


def test_a_footnote_is_said_quietly():
    assert "context" == budget(a_budget())[-1]["type"]


def test_numbers_line_up_at_their_right():
    (block,) = table(Table(headers=("tp", "tokens"), rows=(("1", "9"), ("4", "400")), numeric=(True, True)))

    assert ["tp  tokens", " 1       9", " 4     400"] == lines(block)


def test_names_stand_behind_their_figures_where_they_may_wrap():
    (block,) = table(Table(headers=("cause", "now"), rows=(("a long one", "9"), ("b", "12")), numeric=(False, True)))

    assert ["now  cause", "  9  a long one", " 12  b"] == lines(block)


def test_words_that_a_thread_would_wrap_stand_below_their_row():
    told = Table(
        headers=("", "all", ""), rows=(("speed", "12 tokens/s", "bound by " + "x" * 40), ("people", "9", "")),
        numeric=(False, True, False),
    )  # fmt: skip
    (block,) = table(told)

    assert ["                all", "speed   12 tokens/s", "  bound by " + "x" * 40, "people            9"] == lines(
        block
    )


def test_words_stay_in_a_row_that_is_short():
    (block,) = table(Table(headers=("", "", "why"), rows=(("a", "1", "b"),), numeric=(False, True, False)))

    assert "a  1  b" == lines(block)[-1]
