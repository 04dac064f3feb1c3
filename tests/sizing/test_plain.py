"""The plain numbers of a deployment, before a budget is dressed."""

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from bot.catalog.gpus import find_gpu
from bot.catalog.index import index
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.sizing.accounting import held_beside
from bot.sizing.checks.refusals import refuse
from bot.sizing.kv_cache import requests
from bot.sizing.plain import sizing, spare_at
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


def test_a_stage_that_keeps_nothing_and_is_too_full_holds_no_blocks():
    """Of a stage for each layer some have states or an MLP alone."""
    shape = find_model("nvidia/NVIDIA-Nemotron-Nano-9B-v2").shape
    full = {"max_num_batched_tokens": 4_000_000, "pipeline_parallel": shape.layers}
    budget = size(Deployment(shape=shape, card=find_gpu("T4").card, vllm_version="0.8.5", engine="V0", **full))

    assert (0, 0, False) == (budget.bytes_per_block, budget.blocks, budget.fits)
    assert budget.kv_available < 0


def test_the_cache_of_a_log_is_that_of_the_stage_that_binds_all():
    staged = LLAMA.with_(pipeline_parallel=2, gpu_count=2, max_num_seqs=1024, max_model_len=8192)
    computed = sizing(staged, Measured()).account
    printed = sizing(staged, Measured(kv_available=Bytes(computed.kv))).account

    assert computed.terms == printed.terms  # those of the last stage, which has the sampler


@st.composite
def told(draw):
    """Draw a deployment of any kind, whose batch may have to take a whole prompt, and what its log printed."""
    shape = find_model(draw(st.sampled_from([head.id for head in index().heads]))).shape
    assume(shape is not None)
    deployment = Deployment(
        shape=shape,
        card=find_gpu(draw(st.sampled_from(["T4", "L40S", "H100", "MI300X"]))).card,
        vllm_version=draw(st.sampled_from([None, "0.6.3", "0.7.3", "0.9.2", "0.13.0", "0.19.0", "0.27.0", "0.33.0"])),
        chunked_prefill=draw(st.sampled_from([None, False])),
        pipeline_parallel=draw(st.sampled_from([1, 1, 2, 3])),
        cpu_offload_gib=draw(st.sampled_from([None, 4, 400])),
        kv_cache_memory=draw(st.sampled_from([None, None, Bytes.gib(3)])),
    )
    assume(shape.layers >= 3 and not refuse(deployment))
    amounts = st.sampled_from([None, None, Bytes.gib(1), Bytes.gib(9)])
    return deployment, Measured(consumed=draw(amounts), other_processes=draw(amounts), activation=draw(amounts))


@given(told(), st.integers(1, 200_000))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@example((LLAMA.with_(shape=find_model("tiiuae/falcon-mamba-7b").shape, chunked_prefill=False), Measured()), 9000)
@example((LLAMA.with_(shape=find_model("tiiuae/falcon-40b").shape, chunked_prefill=False), Measured()), 9000)
@example((LLAMA.with_(chunked_prefill=False, vllm_version="0.10.0"), Measured()), 40)
@example(
    (
        LLAMA.with_(
            shape=find_model("tiiuae/falcon-mamba-7b-instruct").shape, chunked_prefill=False, mamba_cache_mode="all"
        ),
        Measured(),
    ),
    9000,
)
@example(
    (
        LLAMA.with_(shape=find_model("Qwen/Qwen3-VL-4B-Instruct").shape, chunked_prefill=False),
        Measured(consumed=Bytes.gib(20)),
    ),
    9000,
)
def test_what_is_left_at_another_length_is_what_a_sizing_of_that_length_leaves(case, length):
    deployment, measured = case
    found = sizing(deployment, measured)
    other = sizing(deployment.with_(max_model_len=length), measured)

    assert requests.spare(other.account.kv, other.pool, other.run) == spare_at(
        length, found, measured, held_beside(found.run, measured, found.loaded)
    )


def test_without_a_shape_what_is_missing_is_said():
    with pytest.raises(UnknownFactsError) as raised:
        sizing(Deployment(gpu_memory=Bytes.gib(24)), Measured())

    assert ("model",) == raised.value.names


def test_stages_that_no_model_has_are_not_counted_out():
    with pytest.raises(UnknownFactsError):
        sizing(LLAMA.with_(pipeline_parallel=10**9), Measured())
