"""Tokens and concurrency, to the token, against vLLM's own planner and against start-up logs."""

from __future__ import annotations

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment, Speculation
from bot.sizing.defaults import with_defaults
from bot.sizing.kv_cache import groups, requests
from bot.sizing.resolved import resolve
from bot.units import Bytes


def resolved(shape, **facts):
    facts = {"vllm_version": "0.33.0", "max_num_batched_tokens": 8192, "max_num_seqs": 256, "block_size": 16} | facts
    return resolve(with_defaults(Deployment(shape=shape, **facts))[0])


def held(kv: float, shape, **facts):
    run = resolved(shape, **facts)
    pool = groups.pool(run)
    return pool, requests.held(Bytes.gib(kv), pool, run)


@pytest.mark.parametrize(
    ("name", "kv", "facts", "expected"),
    [
        ("llama_8b", 20, {"max_model_len": 131_072}, (10_240, 2_097_152, 163_840, 1.25)),
        ("llama_8b", 20, {"max_model_len": 131_072, "kv_cache_dtype": "fp8"}, (20_480, 1_048_576, 327_680, 2.5)),
        ("gemma_27b", 20, {"max_model_len": 131_072}, (16_384, 1_310_720, 145_829, 1.1126)),
        ("gemma_27b", 70, {"max_model_len": 131_072, "hybrid_kv_cache": False}, (9249, 8_126_464, 147_984, 1.129)),
        ("gpt_oss_20b", 20, {"max_model_len": 131_072}, (54_613, 393_216, 775_960, 5.92)),
        ("llama_4_scout", 20, {"max_model_len": 131_072}, (27_306, 786_432, 279_613, 2.133)),
        ("deepseek_v3", 20, {"max_model_len": 163_840, "block_size": 64}, (4774, 4_497_408, 305_536, 1.865)),
        ("deepseek_v3", 20, {"max_model_len": 163_840, "block_size": 64, "kv_cache_dtype": "fp8_ds_mla"},
         (8385, 2_561_024, 536_640, 3.275)),
        ("qwen3_next", 20, {"max_model_len": 262_144, "mamba_cache_mode": "align"}, (1606, 13_369_344, 862_711, 3.291)),
        ("qwen3_next", 20, {"max_model_len": 262_144, "mamba_cache_mode": "none"}, (1606, 13_369_344, 868_047, 3.311)),
    ],
)  # fmt: skip
def test_vllms_own_planner_agrees(name, kv, facts, expected, request):
    pool, holding = held(kv, shape=request.getfixturevalue(name), **facts)

    planned = (holding.blocks, pool.bytes_per_block, holding.tokens, holding.concurrency)
    assert planned == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    ("name", "kv", "facts", "tokens", "concurrency"),
    [
        ("gpt_oss_20b", 58.47, {"vllm_version": "0.19.0", "max_model_len": 8192}, 1_277_184, 155.75),
        ("gemma_27b", 19.53, {"vllm_version": "0.19.0", "max_model_len": 8192}, 36_560, 4.46),
        ("gemma_27b", 19.53, {"vllm_version": "0.19.0", "max_model_len": 131_072}, 36_560, 1.37),
        (
            "llama_4_scout",
            16.75,
            {"vllm_version": "0.19.0", "max_model_len": 8192, "tensor_parallel": 4},
            365_968,
            44.68,
        ),
        (
            "qwen3_next",
            44.59,
            {"vllm_version": "0.10.2", "max_model_len": 262_144, "tensor_parallel": 2},
            973_760,
            14.77,
        ),
    ],
)
def test_a_start_up_log_agrees_within_the_rounding_of_its_memory(name, kv, facts, tokens, concurrency, request):
    shape = request.getfixturevalue(name)
    least, most = held(kv - 0.005, shape=shape, **facts)[1], held(kv + 0.005, shape=shape, **facts)[1]

    assert least.tokens <= tokens <= most.tokens
    assert least.concurrency - 0.005 <= concurrency <= most.concurrency + 0.005


_ASSISTANT = {"method": "mtp", "model": "google/gemma-4-26B-A4B-it-assistant"}


@pytest.mark.parametrize(
    ("kv", "facts", "tokens"),
    [
        (15.64, {"block_size": 128, "max_num_batched_tokens": 512, "async_scheduling": False}, 167_127),
        (13.47, {}, 63_988),
        (11.98, {"speculation": Speculation(**_ASSISTANT, tokens=4)}, 56_894),
        (12.01, {"speculation": Speculation(**_ASSISTANT, tokens=2), "kv_cache_dtype": "fp8"}, 114_093),
    ],
)
def test_gemma_4_agrees_with_its_logs_of_0_29(kv, facts, tokens):
    """RedHatAI/gemma-4-26B-A4B-it-FP8-dynamic on an L40S; the assistant reads the model's cache and keeps none."""
    shape = find_model("google/gemma-4-26B-A4B-it").shape
    told = {"vllm_version": "0.29.0", "max_model_len": 4096, "max_num_batched_tokens": 2048} | facts
    least, most = held(kv - 0.005, shape, **told)[1], held(kv + 0.005, shape, **told)[1]

    assert least.tokens <= tokens <= most.tokens


@pytest.mark.parametrize(("version", "tokens"), [("0.9.0.1", 16_000), ("0.9.1", 2272)])
def test_tokens_are_printed_by_group_from_0_9_1(gemma_27b, version, tokens):
    run = resolve(with_defaults(Deployment(shape=gemma_27b, vllm_version=version, block_size=16))[0])

    assert tokens == requests.printed_tokens(
        1000, 1.0, groups.pool(run), run
    )  # 52 windowed and 10 full layers: 7 groups


def test_before_0_9_1_concurrency_is_tokens_by_length(gemma_27b):
    old, new = (
        held(20, shape=gemma_27b, vllm_version=version, max_model_len=8192)[1] for version in ("0.9.0.1", "0.9.1")
    )

    assert (old.tokens / 8192, True) == (old.concurrency, old.concurrency != new.concurrency)


def test_with_windows_an_eighth_of_the_length_is_not_eight_times_the_requests(gemma_27b):
    # 10 layers keep all tokens, 52 a window of 1023 and the batch in flight: 512 and 4096 blocks, and 6 × 193 each.
    facts = {"vllm_version": "0.11.2", "max_model_len": 65_536, "max_num_batched_tokens": 2048}
    run = resolve(with_defaults(Deployment(shape=gemma_27b, block_size=16, max_num_seqs=64, **facts))[0])
    counts = dict(requests.at_lengths(9457, groups.pool(run), run))

    assert (5.66, 1.8) == (round(counts[8192], 2), round(counts[65_536], 2))


@pytest.mark.parametrize(
    ("version", "starts"), [("0.13.0", False), ("0.14.0", True), ("0.18.1", True), ("0.19.0", False)]
)
def test_the_check_of_0_14_to_0_18_counts_one_group_of_several(gemma_27b, version, starts):
    """vLLM `v1/core/kv_cache_utils.py`, _max_memory_usage_bytes_from_groups; Gemma's first layer has a window."""
    _, holding = held(5, shape=gemma_27b, vllm_version=version, max_model_len=131_072)

    assert (starts, False) == (holding.starts, holding.fits)


def test_up_to_0_13_the_check_leaves_out_what_groups_pad(gemma_27b):
    """52 windowed and 10 full layers make 7 groups of 10, 8 layers of them padding: 70 pages a block, 62 counted."""
    facts = {"vllm_version": "0.13.0", "max_model_len": 8192}
    pool, roomy = held(20, shape=gemma_27b, **facts)
    _, tight = held(Bytes(roomy.checked) / Bytes.gib(1), shape=gemma_27b, **facts)

    assert roomy.needed == requests.blocks_per_request(8192, pool, resolved(gemma_27b, **facts)) * pool.bytes_per_block
    assert (True, False) == (tight.starts, tight.fits)
    assert tight.concurrency < 1


def test_the_check_counts_all_of_a_single_group(llama_8b):
    _, holding = held(5, shape=llama_8b, vllm_version="0.17.1", max_model_len=131_072)

    assert holding.checked == holding.needed > holding.usable


@pytest.mark.parametrize(
    ("version", "facts", "batches"),
    [
        ("0.25.1", {}, 1),
        ("0.26.0", {}, 2),
        ("0.26.0", {"async_scheduling": False}, 1),
        ("0.26.0", {"pipeline_parallel": 2}, 3),
        ("0.26.0", {"pipeline_parallel": 2, "environment": (("VLLM_USE_V2_MODEL_RUNNER", "0"),)}, 2),
        ("0.33.0", {"pipeline_parallel": 4}, 5),
    ],
)
def test_several_batches_are_in_flight_from_0_26_on(llama_8b, version, facts, batches):
    """vLLM 0.26 `config/vllm.py`, max_concurrent_batches."""
    stated = Deployment(shape=llama_8b, vllm_version=version, max_num_batched_tokens=1000, **facts)

    assert 1000 * batches == requests.in_flight_tokens(resolve(with_defaults(stated)[0]))


@pytest.mark.parametrize(
    ("version", "mode", "states"), [("0.32.0", "align", 2), ("0.33.0", "align", 3), ("0.33.0", "none", 1)]
)
def test_a_checkpoint_from_inside_a_prefill_takes_a_block_more(qwen3_next, h100, version, mode, states):
    """vLLM 0.33 `v1/kv_cache_interface.py`, MambaSpec, num_prefill_checkpoint_blocks."""
    shape = qwen3_next.model_copy(update={"architecture": "Qwen3NextForCausalLM"})
    run = resolve(with_defaults(Deployment(shape=shape, card=h100, vllm_version=version, mamba_cache_mode=mode))[0])
    (kept,) = {requests.group_blocks(group, 1000, run) for group in groups.pool(run).groups if group.spec.is_state}

    assert states == kept


@pytest.mark.parametrize(
    ("version", "groups_", "per_request"), [("0.10.1", 1, 28), ("0.11.0", 2, 28 + 94), ("0.19.0", 2, 28 + 512)]
)
def test_a_request_with_a_recording_keeps_what_the_encoder_heard(speech, version, groups_, per_request):
    """1500 positions, and from 0.13 as many as a step has tokens; V0 has one cache for both attentions of a layer."""
    run = resolve(with_defaults(Deployment(shape=speech, vllm_version=version, max_num_batched_tokens=8192))[0])
    pool = groups.pool(run)

    assert (groups_, per_request) == (len(pool.groups), requests.blocks_per_request(448, pool, run))
    assert 32 * 16 * 20 * 64 * 2 * 2 == pool.bytes_per_block
