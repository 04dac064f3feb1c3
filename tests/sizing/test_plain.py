"""The plain numbers of a deployment, before a budget is dressed."""

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.sizing.plain import sizing
from bot.sizing.resolved import UnknownFactsError
from bot.sizing.size import size
from bot.sizing.terms import Measured
from bot.units import Bytes

LLAMA = Deployment(
    shape=find_model("meta-llama/Llama-3.1-8B-Instruct").shape, card=find_gpu("L40S").card, vllm_version="0.19.0"
)


def test_the_plain_numbers_are_those_of_the_budget():
    plain, budget = sizing(LLAMA, Measured()), size(LLAMA)

    assert (budget.kv_available, budget.kv_tokens, budget.blocks) == (
        plain.account.kv,
        plain.held.tokens,
        plain.held.blocks,
    )


def test_what_was_asked_stays_beside_what_was_filled_in():
    plain = sizing(LLAMA, Measured())

    assert (None, 131_072) == (plain.asked.max_model_len, plain.run.max_model_len)


def test_the_stage_that_holds_the_fewest_blocks_binds_all():
    staged = LLAMA.with_(pipeline_parallel=2, gpu_count=2)
    even, uneven = (
        sizing(staged.with_(environment=(("VLLM_PP_LAYER_PARTITION", layers),)), Measured()).held.tokens
        for layers in ("16,16", "28,4")
    )

    assert uneven < even


def test_without_a_shape_what_is_missing_is_said():
    with pytest.raises(UnknownFactsError) as raised:
        sizing(Deployment(gpu_memory=Bytes.gib(24)), Measured())

    assert ("model",) == raised.value.names


def test_stages_that_no_model_has_are_not_counted_out():
    with pytest.raises(UnknownFactsError):
        sizing(LLAMA.with_(pipeline_parallel=10**9), Measured())
