"""The first start-up check that fails, and its words."""

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.sizing.size import size
from bot.sizing.terms import Measured
from bot.units import Bytes


def failed(deployment, **seen):
    found = size(deployment, Measured(**seen)).failed_check
    return found and found.problem


def test_a_deployment_that_fits_fails_nowhere(llama_on_h100):
    assert failed(llama_on_h100) is None


def test_free_memory_is_checked_first(llama_on_h100):
    assert "free-memory-below-utilization" == failed(llama_on_h100, free=Bytes.gib(60))


def test_neighbours_lower_the_free_memory(llama_on_h100):
    assert "free-memory-below-utilization" == failed(llama_on_h100, other_processes=Bytes.gib(20))


def test_free_memory_is_not_checked_before_0_9_1(llama_on_h100):
    old = llama_on_h100.with_(vllm_version="0.8.5")

    assert "kv-cache-no-memory" == failed(old, other_processes=Bytes.gib(58))


def test_less_than_one_block_is_no_cache(llama_on_h100):
    assert "kv-cache-no-memory" == failed(llama_on_h100, kv_available=Bytes.mib(1))


def test_weights_larger_than_the_card(llama_8b, t4):
    heavy = llama_8b.model_copy(update={"intermediate": 40_000})

    assert "weights-too-big-for-gpu" == failed(Deployment(shape=heavy, card=t4, vllm_version="0.19.0"))


def test_a_profile_run_larger_than_what_weights_leave(llama_8b, t4):
    tight = Deployment(shape=llama_8b, card=t4, vllm_version="0.19.0", max_num_seqs=1024, max_num_batched_tokens=8192)

    assert "oom-profile-run" == failed(tight, weights=Bytes.gib(14))


def test_a_profile_run_with_a_video_larger_than_what_weights_leave(t4):
    shape = find_model("Qwen/Qwen2.5-VL-3B-Instruct").shape
    tight = Deployment(shape=shape, card=t4, vllm_version="0.19.0", dtype="half", max_num_seqs=256)

    assert "oom-multimodal" == failed(tight)


def test_nothing_left_for_the_kv_cache(llama_on_h100):
    assert "kv-cache-no-memory" == failed(llama_on_h100.with_(gpu_memory_utilization=0.2))


def test_a_context_too_long_for_the_kv_cache(llama_8b, l4):
    assert "kv-cache-too-small-for-max-len" == failed(Deployment(shape=llama_8b, card=l4, vllm_version="0.19.0"))


def test_no_card_is_free_as_a_whole(llama_on_h100):
    found = size(llama_on_h100.with_(gpu_memory_utilization=1.0)).failed_check

    assert ("free-memory-below-utilization", False) == (found.problem, found.certain)


@pytest.mark.parametrize(("graphs", "problem"), [(3, None), (4, "oom-sampler-warmup"), (6, "oom-cuda-graph-capture")])
def test_graphs_and_the_samplers_warm_up_share_what_is_left(llama_on_h100, graphs, problem):
    assert failed(llama_on_h100, cudagraph=Bytes.gib(graphs)) == problem


@pytest.mark.parametrize(("free", "problem"), [(79, None), (77, "oom-sampler-warmup")])
def test_what_was_in_use_before_leaves_graphs_less(llama_on_h100, free, problem):
    assert failed(llama_on_h100, cudagraph=Bytes.gib(3), free=Bytes.gib(free)) == problem


def test_graphs_fail_only_where_the_least_that_they_take_is_missing(llama_on_h100):
    """What is free beyond the share is what the profile run peaked with: some 0.46 GiB, for graphs of 0.22 to 0.59."""
    few = llama_on_h100.with_(max_num_seqs=64, max_num_batched_tokens=2048)

    assert "oom-sampler-warmup" == failed(few, free=size(few).allowance)


def test_the_warm_up_is_worded_with_its_sequences(llama_on_h100):
    found = size(llama_on_h100, Measured(cudagraph=Bytes.gib(4)))

    assert "warming up sampler with 1024 dummy requests" in found.failed_check.message


def test_a_measured_pool_has_passed_the_checks_before_it(llama_on_h100):
    assert failed(llama_on_h100, free=Bytes.gib(1), kv_available=Bytes.gib(10)) is None


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.10.2", "with the models's max seq len (131072), (16.00 GiB KV cache is needed"),
        ("0.19.0", "with the models's max seq len (131072), (16.0 GiB KV cache is needed"),
        ("0.21.0", "with the models's max seq len (131072), (16.0 GiB KV cache is needed"),
        ("0.22.0", "with the model's max seq len (131072), (16.0 GiB KV cache is needed"),
        ("0.8.0", "(16.00 GB KV cache is needed, which is larger than the available KV cache memory (10.00 GB)"),
    ],
)
def test_the_message_is_worded_as_the_version_words_it(llama_on_h100, version, words):
    found = size(llama_on_h100.with_(vllm_version=version, max_model_len=131_072), Measured(kv_available=Bytes.gib(10)))

    assert words in found.failed_check.message


@pytest.mark.parametrize(("version", "length"), [("0.19.0", 81_920), ("0.33.0", 81_904)])
def test_the_estimated_length_is_one_block_shorter_from_0_29_on(llama_on_h100, version, length):
    found = size(llama_on_h100.with_(vllm_version=version, max_model_len=131_072), Measured(kv_available=Bytes.gib(10)))

    assert f"the estimated maximum model length is {length}." in found.failed_check.message


def test_v0_counts_the_tokens_it_can_store(llama_on_h100):
    old = llama_on_h100.with_(vllm_version="0.7.3", max_model_len=131_072)
    found = size(old, Measured(kv_available=Bytes.gib(10)))

    assert "maximum number of tokens that can be stored in KV cache (81920)" in found.failed_check.message


@pytest.mark.parametrize(("kv", "certain"), [(10, True), (15.999, False)])
def test_a_verdict_inside_the_rounding_is_not_certain(llama_on_h100, kv, certain):
    found = size(llama_on_h100.with_(max_model_len=131_072), Measured(kv_available=Bytes.gib(kv)))

    assert found.failed_check.certain is certain


def test_a_cache_set_by_hand_is_allocated_whether_it_fits_or_not(llama_on_h100):
    found = [failed(llama_on_h100.with_(kv_cache_memory=Bytes.gib(gib))) for gib in (50, 70, 100)]

    assert [None, "kv-cache-set-too-large", "kv-cache-set-too-large"] == found


def test_more_blocks_than_fit_are_allocated_too(llama_on_h100):
    assert "kv-cache-set-too-large" == failed(llama_on_h100.with_(num_gpu_blocks_override=1_000_000))


@pytest.mark.parametrize(
    ("version", "problem"),
    [
        ("0.7.3", "kv-cache-too-small-for-max-len"),
        ("0.20.0", None),
        ("0.20.1", "kv-cache-too-small-for-max-len"),
    ],
)
def test_v1_checks_the_blocks_set_by_hand_from_0_20_1_on(llama_on_h100, version, problem):
    found = size(llama_on_h100.with_(vllm_version=version, num_gpu_blocks_override=100))

    assert (problem, False, 1600) == (
        found.failed_check and found.failed_check.problem,
        found.fits,
        found.longest_context,
    )


@pytest.mark.parametrize(
    ("version", "name"), [("0.6.3", "torch.cuda.OutOfMemoryError"), ("0.6.4", "torch.OutOfMemoryError")]
)
def test_torch_named_its_error_otherwise_before_2_5(llama_8b, t4, version, name):
    heavy = llama_8b.model_copy(update={"intermediate": 40_000})
    found = size(Deployment(shape=heavy, card=t4, vllm_version=version, dtype="half")).failed_check

    assert f"{name}: CUDA out of memory." == found.message


@pytest.mark.parametrize(("version", "says"), [("0.12.0", False), ("0.13.0", True), ("0.28.0", False)])
def test_the_first_model_runner_says_more_of_weights_that_do_not_fit(llama_8b, t4, version, says):
    heavy = llama_8b.model_copy(update={"intermediate": 40_000})
    found = size(Deployment(shape=heavy, card=t4, vllm_version=version)).failed_check

    assert says == found.message.startswith("Failed to load model - not enough GPU memory.")
    assert says == found.message.endswith("conserving_memory/ for more tips.")


def test_a_whole_share_is_printed_as_a_number_with_a_point(llama_on_h100):
    found = size(llama_on_h100.with_(gpu_memory_utilization=1)).failed_check

    assert "(1.0, " in found.message
