"""Whether a deployment can have printed what a log says of its KV cache."""

from __future__ import annotations

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.model_shape import Quantization
from bot.sizing.printed_cache import Fit, hold, is_timeless, needed, runs_of, tokens_in
from bot.units import Bytes

INSIDE = Fit(is_inside=True, is_exact=False)
EXACT = Fit(is_inside=True, is_exact=True)
OUTSIDE = Fit(is_inside=False, is_exact=False)


def served(model: str = "Qwen/Qwen3-8B", **facts: object) -> Deployment:
    return Deployment(model=model, shape=find_model(model).shape, vllm_version="0.19.0").with_(**facts)


@pytest.mark.parametrize(
    ("tokens", "fit"),
    [
        (72_816, EXACT),  # 10 GiB are 4,551 blocks of 16 tokens, each 36 layers × 2 × 8 heads × 128 × 2 bytes
        (72_768, EXACT),  # 9.995 GiB are 4,548
        (72_752, INSIDE),  # a block less
        (72_790, INSIDE),  # no whole block
        (72_736, OUTSIDE),
        (145_632, OUTSIDE),
    ],
)
def test_a_memory_holds_whole_blocks_of_tokens(tokens: int, fit: Fit):
    assert fit == hold(tokens, Bytes.gib(10), runs_of(served()))


def test_of_more_gpus_each_holds_its_share():
    assert EXACT == hold(145_632, Bytes.gib(10), runs_of(served(tensor_parallel=2)))


def test_a_request_needs_its_tokens():
    """40,960 tokens of 144 KiB are 5.625 GiB."""
    low, high = needed(runs_of(served()))

    assert low < Bytes.gib(5.625) < high < Bytes.gib(5.631)


def test_states_may_be_kept_as_prefix_caching_wants_or_not():
    states = served("Qwen/Qwen3-Next-80B-A3B-Instruct")

    assert (2, 1, 1) == tuple(
        len(runs_of(each)) for each in (states, states.with_(prefix_caching=True, mamba_cache_mode="align"), served())
    )


def test_a_checkpoint_that_was_not_seen_whole_may_keep_its_cache_in_fp8():
    unseen = Quantization(method="modelopt", bits=8, is_known=False)
    shape = find_model("Qwen/Qwen3-8B").shape
    assert shape is not None
    found = runs_of(served(shape=shape.model_copy(update={"quantization": unseen})))

    assert ["auto", "fp8"] == [run.kv_dtype for run in found]


@pytest.mark.parametrize(
    ("model", "timeless"),
    [
        ("Qwen/Qwen3-8B", True),
        ("deepseek-ai/DeepSeek-V3", True),
        ("deepseek-ai/DeepSeek-V3.2", False),  # its cache is packed, by one release unasked
        ("nvidia/Llama-3_3-Nemotron-Super-49B-v1_5-FP8", False),  # the checkpoint asks for fp8, which some heed
        ("openai/gpt-oss-20b", False),  # layers with a window share blocks with others
        ("Qwen/Qwen3-Next-80B-A3B-Instruct", False),
    ],
)
def test_where_releases_differ_a_token_tells_nothing_of_an_unknown_one(model: str, timeless: bool):
    assert timeless == is_timeless(served(model, vllm_version=None))


@pytest.mark.parametrize(("version", "tokens"), [("0.6.3", 48), ("0.19.0", None)])
def test_the_old_engine_prints_blocks_for_tokens(version: str, tokens: int | None):
    assert tokens == tokens_in(3, served(vllm_version=version))


def test_a_model_that_keeps_no_tokens_holds_none():
    assert OUTSIDE == hold(100, Bytes.gib(1), runs_of(served("BAAI/bge-m3")))
