from __future__ import annotations

import pytest

from bot.consult import size
from bot.reply.block_tables import PHONE, budget, table
from bot.reply.document import SUBTRACTED, BudgetRow, BudgetTable, Table
from bot.reply.say_budget import say_budget
from tests.reply.samples import a_budget


def lines(block: dict) -> list[str]:
    return block["elements"][-1]["elements"][0]["text"].splitlines()


def test_the_unit_stands_once():
    assert 1 == sum("GiB" in line for line in lines(budget(a_budget())[0]))


def test_notes_that_a_phone_would_wrap_go_on_below():
    card = BudgetRow(label="card", amount="22.03", note="as vLLM sees it")
    share = BudgetRow(label="allowance", amount="18.73", note="× 0.85 gpu_memory_utilization")
    weights = BudgetRow(label="weights", amount="−14.99", note="about 14.29–14.99")
    kv = BudgetRow(label="KV cache", amount="4.13", note="= 33,824 tokens at 128 KiB = 0.26 requests of 131,072")
    (block,) = budget(BudgetTable(rows=(card, share, weights, kv)))

    assert [
        "card, GiB   22.03  as vLLM sees it",
        "allowance   18.73  × 0.85 as set",
        "weights    −14.99  about 14.29–14.99",
        "KV cache     4.13",
        "  = 33,824 tokens at 128 KiB",
        "  = 0.26 requests of 131,072",
    ] == lines(block)


def test_a_note_that_is_too_long_for_a_line_is_cut_between_words():
    row = BudgetRow(label="unexplained", amount="−112.17", note="taken by something the log does not name")
    (block,) = budget(BudgetTable(rows=(BudgetRow("card", "255.98"), row)))

    assert ["unexplained  −112.17", "  taken by something the log does not", "  name"] == lines(block)[1:]


def test_long_labels_take_no_room_from_the_notes_of_other_rows():
    card = BudgetRow(label="card", amount="22.03", note="as vLLM sees it")
    others = BudgetRow(label="other processes", amount="−12.03", note="measured, line 3")
    rest = BudgetRow(label="activations, other", amount="−0.72", note=SUBTRACTED)
    (block,) = budget(BudgetTable(rows=(card, others, rest)))

    assert [
        "card, GiB   22.03  as vLLM sees it",
        "other processes",
        "           −12.03  measured, line 3",
        "the rest    −0.72  activations, other",
    ] == lines(block)


@pytest.mark.parametrize(
    "text",
    [
        "8xMI300X deepseek-v3 --gpu-memory-utilization 0.85 vllm 0.12",
        "4xA100-80GB qwen2.5-vl-72b --max-model-len 128k",
        "8xH200 deepseek-v3 --max-model-len 160k --gpu-memory-utilization 0.95 --kv-cache-dtype fp8",
        "llama-3.1-405b on 8xB200 vllm 0.19",
        "qwen3-14b on L4",
    ],
)
def test_no_row_of_a_budget_wraps_in_a_form_on_a_phone(text: str):
    sized = size(text).diagnosis
    part = say_budget(sized.budget, {})

    assert 38 >= max(map(len, lines(budget(part)[0])))


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
