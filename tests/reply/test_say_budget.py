from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.consult import size
from bot.reply.document import BudgetTable
from bot.reply.say_budget import say_budget
from bot.units import Bytes
from tests.reply.cases import NO_BLOCKS, TOO_LONG, a_diagnosis


def a_table(text: str = TOO_LONG) -> BudgetTable:
    diagnosis = a_diagnosis(text)
    assert diagnosis.budget
    return say_budget(diagnosis.budget, diagnosis.evidence.facts)


def printed(amount: str) -> int:
    """Return a printed amount in hundredths."""
    return round(float(amount.replace("−", "-").replace(",", "")) * 100)


def left_over(table: BudgetTable) -> int:
    (_, allowance, *terms, cache) = [printed(row.amount) for row in table.rows]
    return allowance + sum(terms) - cache


MODELS = ("Qwen/Qwen2.5-7B-Instruct", "meta-llama/Llama-3.1-8B-Instruct", "mistralai/Mixtral-8x7B-Instruct-v0.1")
CARDS = ("L4", "RTX 4090", "A100-80GB", "H100")


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(MODELS),
    st.sampled_from(CARDS),
    st.integers(10, 98),
    st.fixed_dictionaries(
        {},
        optional={
            "weights_gib": st.floats(0.1, 60),
            "kv_available_gib": st.floats(0.1, 40),
            "activation_gib": st.floats(0.01, 8),
            "non_torch_gib": st.floats(0.01, 2),
        },
    ),
)
def test_the_printed_rows_add_up(model: str, gpu: str, percent: int, measured: dict[str, float]):
    budget = size(f"{gpu} {model} --gpu-memory-utilization {percent / 100}", measured=measured).diagnosis.budget

    assert budget
    assert 0 == left_over(say_budget(budget, {}))


def test_an_estimate_that_has_no_row_is_not_doubted():
    told = "L40S Qwen/Qwen3-14B vllm 0.9.2 --max-model-len 16384"
    below = [
        say_budget(budget, {}).below
        for measured in ({}, {"kv_available_gib": 11.5})
        if (budget := size(told, measured=measured).diagnosis.budget)
    ]

    assert [True, False] == ["Activations: " in text for text in below]


@pytest.mark.parametrize("model", ["Qwen/Qwen2.5-32B-Instruct-AWQ", "Qwen/Qwen2.5-VL-7B-Instruct", "Qwen/Qwen3-14B"])
@pytest.mark.parametrize("tokens", [2048, 8192, 16384])
def test_a_doubt_names_another_figure_than_the_row_has(model: str, tokens: int):
    budget = size(f"RTX 4090 {model} vllm 0.13.0 --max-num-batched-tokens {tokens}").diagnosis.budget
    assert budget

    (amount,) = (row.amount for row in say_budget(budget, {}).rows if row.label == "activations")
    assert f"Activations: {amount.removeprefix('−')} GiB" not in say_budget(budget, {}).below


def test_what_a_log_measured_names_its_line():
    assert "measured, line 3" in [row.note for row in a_table().rows]


def test_a_logged_cache_tells_what_the_rest_took():
    (rest,) = [row for row in a_table().rows if row.note == "by subtraction"]

    assert ("activations, other", "−0.72") == (rest.label, rest.amount)


def test_a_missing_amount_carries_a_minus_sign():
    cache = a_table(f"vllm serve Qwen/Qwen2.5-7B-Instruct --gpu-memory-utilization 0.4\nRTX 4090\n{NO_BLOCKS}").rows[-1]

    assert ("−", "missing before the first block") == (cache.amount[0], cache.note)


def test_a_cache_of_nothing_is_not_called_missing():
    budget = a_diagnosis(TOO_LONG).budget
    assert budget
    *_, cache = say_budget(budget._replace(kv_available=Bytes(0)), {}).rows

    assert ("0.00", "nothing is left") == (cache.amount, cache.note)


def test_a_share_that_nobody_set_is_called_the_default():
    assert "× 0.9 by default" == a_table().rows[1].note


def test_a_share_that_is_not_seen_is_the_default_perhaps():
    diagnosis = a_diagnosis(TOO_LONG)
    assert diagnosis.budget

    assert "× 0.9 if by default" == say_budget(diagnosis.budget, {}, hides_flags=True).rows[1].note


def test_stripes_are_shares_of_the_card():
    assert pytest.approx(1, abs=0.01) == sum(share for _, share in a_table().bar)


def test_a_card_too_small_for_the_weights_has_no_bar():
    assert () == a_table(f"vllm serve Qwen/Qwen2.5-32B-Instruct\nRTX 4090\n{NO_BLOCKS}").bar


def test_figures_that_do_not_agree_leave_something_unexplained():
    budget = size("H100 meta-llama/Llama-3.1-8B-Instruct", measured={"kv_available_gib": 20}).diagnosis.budget
    assert budget
    labels = [row.label for row in say_budget(budget, {}).rows]

    assert ["card", "allowance", "weights", "activations"] == labels[:4]
    assert "unexplained" in labels


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("unsloth/Qwen3.8-27B-NVFP4 on RTX 5090", "Weights: which modules stay in 16 bits is not known"),
        ("deepseek-v4-flash on 2xH200", "Activations: how this model's layers use memory is not modelled"),
    ],
)
def test_a_range_wider_than_usual_says_why(text: str, why: str):
    budget = size(text).diagnosis.budget

    assert budget
    assert why in say_budget(budget, {}).below


def test_usual_ranges_need_no_words():
    budget = size("llama-3.1-8b on H100").diagnosis.budget

    assert budget
    assert "not known" not in say_budget(budget, {}).below


def test_what_the_log_counts_otherwise_is_not_multiplied_out():
    budget = size("gemma-3-27b 2xA100-80GB --max-model-len 64K vllm 0.11.2").diagnosis.budget
    assert budget

    assert say_budget(budget, {}).rows[-1].note.endswith(f" of 65,536; the log says {budget.kv_tokens:,} tokens")


def test_blocks_set_by_hand_stand_beside_the_room_for_them():
    budget = size("qwen2.5-7b on H100 --num-gpu-blocks-override 100 vllm 0.19.0").diagnosis.budget
    assert budget
    table = say_budget(budget, {})

    assert "the 100 blocks set by hand hold 1,600 tokens" in table.rows[-1].note


def test_what_a_narrow_verdict_rests_on_is_never_left_out():
    narrow, wide = (
        size(f"qwen3-8b on L4 --max-model-len {length} vllm 0.19.0").diagnosis.budget for length in (26_624, 4_096)
    )
    assert narrow
    assert wide

    assert "By default: max_num_batched_tokens" in say_budget(narrow, {}).footnote
    assert "By default: max_num_batched_tokens" in say_budget(wide, {}).grounds
