"""What vLLM does when nobody says."""

import pytest

from bot.deployment import Deployment, Gpu, Speculation
from bot.model_shape import Layer, LayerKind, LayerRun, LinearState, Wiring
from bot.sizing.checks.refusals import refuse
from bot.sizing.defaults import with_defaults
from bot.units import Bytes


def filled(**facts):
    return with_defaults(Deployment(**facts))[0]


def reasons(**facts):
    return {assumption.name: assumption.because for assumption in with_defaults(Deployment(**facts))[1]}


A100 = Gpu(name="A100 SXM4 80GB", torch_memory=Bytes.gib(79.32), compute_capability=8.0, has_bf16=True)
B200 = Gpu(name="B200", torch_memory=Bytes.gib(178.3), compute_capability=10.0, has_bf16=True)
GB10 = Gpu(name="GB10", torch_memory=Bytes.gib(121.6), compute_capability=12.1, has_bf16=True, is_unified=True)


def test_a_build_without_tags_is_taken_for_the_likely_release():
    facts = {"vllm_version": "0.1.dev1+g1a2b3c4.d20260816"}

    assert filled().vllm_version == filled(**facts).vllm_version
    assert reasons()["vllm_version"] == reasons(**facts)["vllm_version"]


@pytest.mark.parametrize(("version", "share"), [("0.19.1", 0.9), ("0.20.0", 0.92), ("0.33.0", 0.92)])
def test_the_share_of_the_card_grew_in_0_20(version, share):
    assert filled(vllm_version=version).gpu_memory_utilization == share


@pytest.mark.parametrize(
    ("version", "card", "sequences"),
    [
        ("0.7.3", "h100", 256),  # V0
        ("0.8.0", "l4", 1024),
        ("0.8.5", "l4", 256),
        ("0.8.5", "h100", 1024),
        ("0.19.0", "h100", 1024),
        ("0.33.0", "l4", 256),
    ],
)
def test_sequences_follow_version_and_card(version, card, sequences, request):
    assert filled(vllm_version=version, card=request.getfixturevalue(card)).max_num_seqs == sequences


@pytest.mark.parametrize(("version", "sequences"), [("0.8.5", 1024), ("0.9.0", 256), ("0.33.0", 256)])
def test_an_a100_counts_as_small_from_0_9_on(version, sequences):
    assert filled(vllm_version=version, card=A100).max_num_seqs == sequences


@pytest.mark.parametrize("version", ["0.11.0", "0.32.0", "0.33.0"])
def test_gb10_counts_as_small_as_nvml_does_not_tell_its_memory(version):
    """ "Chunked prefill is enabled with max_num_batched_tokens=2048" in a log of 0.11; vLLM's pull request 57378."""
    found = filled(vllm_version=version, card=GB10)

    assert (256, 2048) == (found.max_num_seqs, found.max_num_batched_tokens)


@pytest.mark.parametrize(
    ("version", "card", "entrypoint", "tokens"),
    [
        ("0.19.0", "h100", "server", 8192),
        ("0.19.0", "h100", "offline", 16_384),
        ("0.19.0", "l4", "server", 2048),
        ("0.19.0", "l4", "offline", 8192),
    ],
)
def test_batched_tokens_follow_card_and_entrypoint(version, card, entrypoint, tokens, request):
    found = filled(vllm_version=version, card=request.getfixturevalue(card), entrypoint=entrypoint)

    assert found.max_num_batched_tokens == tokens


def test_the_largest_cards_take_16384_tokens_from_0_28_on():
    assert [filled(vllm_version=version, card=B200).max_num_batched_tokens for version in ("0.27.0", "0.28.0")] == [
        8192,
        16_384,
    ]


def test_v0_takes_a_whole_prompt_without_chunked_prefill(llama_8b):
    assert 16_384 == filled(vllm_version="0.7.3", shape=llama_8b, max_model_len=16_384).max_num_batched_tokens


def test_the_first_v1_kept_the_sequences_of_v0(llama_8b):
    assert 256 == filled(vllm_version="0.7.1", engine="V1", shape=llama_8b).max_num_seqs


@pytest.mark.parametrize(("version", "tokens"), [("0.6.4", 512), ("0.6.5", 2048), ("0.7.3", 2048)])
def test_v0_chunks_prefill_above_32768_tokens(llama_8b, version, tokens):
    found = filled(vllm_version=version, shape=llama_8b, max_model_len=65_536)

    assert (found.chunked_prefill, found.max_num_batched_tokens) == (True, tokens)


def test_fewer_batched_tokens_cap_the_sequences(h100):
    assert 512 == filled(vllm_version="0.19.0", card=h100, max_num_batched_tokens=512).max_num_seqs


def test_what_was_stated_is_kept_and_not_assumed(llama_8b, h100):
    assumed = reasons(vllm_version="0.19.0", shape=llama_8b, card=h100, max_num_seqs=64, gpu_memory_utilization=0.8)

    assert not {"vllm_version", "max_num_seqs", "gpu_memory_utilization"} & assumed.keys()


def test_every_assumption_has_a_reason(llama_8b):
    assert all(reasons(shape=llama_8b).values())


def test_an_unknown_version_is_the_latest():
    assert "0.33.0" == str(filled().vllm_version)


def test_an_unknown_version_of_v0_is_the_last_that_started_it():
    assert "0.7.3" == str(filled(engine="V0").vllm_version)


def test_the_environment_chooses_the_engine():
    assert "V0" == filled(vllm_version="0.9.2", environment=(("VLLM_USE_V1", "0"),)).engine


@pytest.mark.parametrize(("version", "dtype"), [("0.8.5", "bfloat16"), ("0.9.0", "float16")])
def test_a_card_without_bfloat16_runs_in_float16_from_0_9_on(llama_8b, t4, version, dtype):
    assert filled(vllm_version=version, shape=llama_8b, card=t4).dtype == dtype


@pytest.mark.parametrize(("version", "dtype"), [("0.9.0", "float16"), ("0.9.1", "bfloat16")])
def test_a_float32_checkpoint_is_served_in_16_bits(llama_8b, h100, version, dtype):
    shape = llama_8b.model_copy(update={"dtype": "float32"})

    assert filled(vllm_version=version, shape=shape, card=h100).dtype == dtype


def test_gpus_that_were_counted_are_used_together(llama_8b):
    assert 4 == filled(shape=llama_8b, gpu_count=4).tensor_parallel


def test_gpus_are_used_as_far_as_heads_divide(qwen3_next):
    assert 4 == filled(shape=qwen3_next, gpu_count=6).tensor_parallel


@pytest.mark.parametrize("gpus", [7, 14, 16, 27])
def test_gpus_are_used_in_no_way_that_vllm_refuses(llama_8b, gpus):
    shape = llama_8b.model_copy(update={"heads": 28, "kv_heads": 4})
    whole = filled(shape=shape, gpu_count=gpus)

    assert 4 == whole.tensor_parallel
    assert () == refuse(whole)


def test_slices_that_were_counted_are_not_used_together(llama_8b, h100):
    part = h100.model_copy(update={"name": "H100 80GB MIG 3g.40gb"})

    assert 1 == filled(shape=llama_8b, card=part, gpu_count=2).tensor_parallel


def test_a_count_beyond_all_machines_takes_no_longer(llama_8b):
    assert 32 == filled(shape=llama_8b, gpu_count=10**11).tensor_parallel


def test_a_command_without_a_size_runs_on_one_gpu(llama_8b):
    assert 1 == filled(shape=llama_8b, gpu_count=4, launcher="serve").tensor_parallel


def test_a_model_without_a_longest_context_gets_2048(llama_8b):
    assert 2048 == filled(shape=llama_8b.model_copy(update={"max_position": None})).max_model_len


@pytest.mark.parametrize(
    ("version", "caching", "mode"), [("0.27.1", False, "none"), ("0.28.0", True, "align"), ("0.33.0", True, "align")]
)
def test_state_models_cache_prefixes_from_0_28_on(qwen3_next, version, caching, mode):
    """vLLM 0.27.1 `engine/arg_utils.py` leaves hybrid models out; 0.28.0 does not."""
    found = filled(vllm_version=version, shape=qwen3_next)

    assert (found.prefix_caching, found.mamba_cache_mode) == (caching, mode)


@pytest.mark.parametrize(("version", "on"), [("0.13.0", False), ("0.14.0", True)])
def test_scheduling_is_asynchronous_from_0_14_on(version, on):
    assert filled(vllm_version=version).async_scheduling is on


def mamba(shape, *kinds):
    runs = tuple(LayerRun(layer=Layer(kind=kind), count=4) for kind in kinds)
    return shape.model_copy(update={"runs": runs, "linear": LinearState()})


def test_a_model_without_attention_caches_no_prefixes(llama_8b):
    """vLLM 0.33 `config/model.py`, is_prefix_caching_supported: attention_free."""
    assert filled(vllm_version="0.33.0", shape=mamba(llama_8b, LayerKind.MAMBA1)).prefix_caching is False


@pytest.mark.parametrize(
    ("version", "mamba2", "delta"),
    [("0.11.0", "none", "none"), ("0.14.1", "all", "none"), ("0.15.0", "all", "align"), ("0.28.0", "align", "align")],
)
def test_prefix_caching_that_is_asked_for_keeps_states_by_kind_and_version(
    llama_8b, qwen3_next, version, mamba2, delta
):
    """vLLM `model_executor/models/config.py`, MambaModelConfig, of 0.11.1, 0.15.0 and 0.28.0."""
    shapes = (mamba(llama_8b, LayerKind.FULL, LayerKind.MAMBA2), qwen3_next)

    assert [mamba2, delta] == [
        filled(vllm_version=version, shape=shape, prefix_caching=True).mamba_cache_mode for shape in shapes
    ]


@pytest.mark.parametrize(
    ("version", "facts", "on"),
    [
        ("0.14.1", {"pipeline_parallel": 2}, False),
        ("0.15.0", {"pipeline_parallel": 2}, True),
        ("0.27.1", {"speculation": Speculation(method="eagle3", tokens=3)}, True),
        ("0.27.1", {"speculation": Speculation(method="draft_model", tokens=3)}, False),
        ("0.28.0", {"speculation": Speculation(method="draft_model", tokens=3)}, True),
        ("0.32.0", {"speculation": Speculation(method="ngram", tokens=3)}, False),
        ("0.33.0", {"speculation": Speculation(method="ngram", tokens=3)}, True),
    ],
)
def test_scheduling_waits_for_what_cannot_run_ahead(version, facts, on):
    """vLLM `config/vllm.py`, async_scheduling, of each of these releases."""
    assert on is filled(vllm_version=version, **facts).async_scheduling


@pytest.mark.parametrize(("version", "on"), [("0.19.1", True), ("0.20.0", False)])
def test_models_that_embed_are_not_scheduled_ahead_from_0_20_on(llama_8b, version, on):
    embedding = llama_8b.model_copy(update={"wiring": Wiring(has_lm_head=False)})

    assert on is filled(vllm_version=version, shape=embedding).async_scheduling


@pytest.mark.parametrize(
    ("flag", "last", "first"),
    [("--kv-transfer-config", "0.21.0", "0.22.0"), ("--kv-events-config", "0.19.1", "0.20.0")],
)
def test_who_takes_part_in_the_kv_cache_turns_hybrid_pools_off(flag, last, first):
    """vLLM 0.19 to 0.22 `config/vllm.py`, need_disable_hybrid_kv_cache_manager."""
    found = [filled(vllm_version=version, other_arguments=(flag, "{}")).hybrid_kv_cache for version in (last, first)]

    assert [False, True] == found


def test_v0_chunks_no_prefill_of_latent_attention_from_0_8_on(deepseek_v3):
    """vLLM 0.8.0 `engine/arg_utils.py`, _set_default_args_v0."""
    found = filled(vllm_version="0.8.5", engine="V0", shape=deepseek_v3, max_model_len=65_536)

    assert (False, 65_536) == (found.chunked_prefill, found.max_num_batched_tokens)


@pytest.mark.parametrize("facts", [{"lora": True}, {"speculation": Speculation(method="ngram", tokens=3)}])
def test_v0_chunks_no_prefill_beside_adapters_and_drafts(llama_8b, facts):
    """vLLM 0.7.3 `engine/arg_utils.py`, create_engine_config."""
    assert filled(vllm_version="0.7.3", shape=llama_8b, max_model_len=65_536, **facts).chunked_prefill is False


def test_an_old_card_starts_v0_where_v1_lacks_kernels(llama_8b, t4):
    assert ("V0", "V1") == tuple(
        filled(vllm_version=version, shape=llama_8b, card=t4).engine for version in ("0.9.2", "0.10.2")
    )


def test_gpt_oss_captures_larger_batches(gpt_oss_20b, h100):
    assert 1024 == filled(vllm_version="0.19.0", shape=gpt_oss_20b, card=h100).max_cudagraph_capture_size


def test_nothing_is_left_to_assume_the_second_time(llama_8b, h100):
    assert () == with_defaults(filled(shape=llama_8b, card=h100))[1]


@pytest.mark.parametrize(("version", "largest"), [("0.9.2", 512), ("0.10.0", 128)])
def test_the_largest_graph_goes_by_the_sequences_from_0_10_on(h100, version, largest):
    assert largest == filled(vllm_version=version, card=h100, max_num_seqs=64).max_cudagraph_capture_size
