"""How many sequences and tokens one step may hold when nobody says."""

import pytest

from bot.deployment import Deployment, Gpu, Speculation
from bot.model_shape import Vision, Wiring
from bot.sizing.defaults import with_defaults
from bot.units import Bytes

H20 = Gpu(name="H20", torch_memory=Bytes.gib(95.0), compute_capability=9.0, has_bf16=True)
B200 = Gpu(name="B200", torch_memory=Bytes.gib(178.3), compute_capability=10.0, has_bf16=True)


def filled(**facts):
    return with_defaults(Deployment(**facts))[0]


@pytest.mark.parametrize(
    ("version", "card", "sequences"),
    [("0.8.3", "l4", 1024), ("0.8.4", "l4", 256), ("0.8.3", "h100", 1024), ("0.8.4", "h100", 1024)],
)
def test_v1_took_1024_sequences_on_every_card_up_to_0_8_3(version, card, sequences, request):
    """vLLM 0.8.3 and 0.8.4 `engine/arg_utils.py`, _set_default_args_v1."""
    assert sequences == filled(vllm_version=version, card=request.getfixturevalue(card)).max_num_seqs


@pytest.mark.parametrize(("version", "sequences", "tokens"), [("0.8.4", 256, 2048), ("0.8.5", 1024, 8192)])
def test_a_card_counts_as_large_by_its_name_up_to_0_8_4_and_then_by_its_memory(version, sequences, tokens):
    """vLLM 0.8.4 and 0.8.5 `engine/arg_utils.py`, _set_default_args_v1."""
    found = filled(vllm_version=version, card=H20)

    assert (sequences, tokens) == (found.max_num_seqs, found.max_num_batched_tokens)


@pytest.mark.parametrize(
    ("version", "engine", "tokens"),
    [("0.11.0", "V1", 8192), ("0.11.1", "V1", 4096), ("0.8.5", "V0", 2048), ("0.9.0", "V0", 1024)],
)
def test_a_batch_holds_no_more_than_its_sequences_can_fill(llama_8b, h100, version, engine, tokens):
    """vLLM 0.11.1 `engine/arg_utils.py`, _set_default_args; 0.9.0 `config.py`, SchedulerConfig."""
    length = 1024 if engine == "V1" else 256
    found = filled(vllm_version=version, engine=engine, shape=llama_8b, card=h100, max_num_seqs=4, max_model_len=length)

    assert tokens == found.max_num_batched_tokens


def test_a_stated_batch_is_not_cut_to_its_sequences(llama_8b, h100):
    found = filled(
        vllm_version="0.19.0",
        shape=llama_8b,
        card=h100,
        max_num_seqs=1,
        max_model_len=1024,
        max_num_batched_tokens=4096,
    )

    assert 4096 == found.max_num_batched_tokens


@pytest.mark.parametrize(("version", "tokens"), [("0.11.0", 2048), ("0.11.1", 32_768)])
def test_v1_hears_that_chunked_prefill_is_off_from_0_11_1_on(llama_8b, l4, version, tokens):
    """vLLM 0.11.0 `engine/arg_utils.py` sets it back to True for every model that generates."""
    found = filled(vllm_version=version, shape=llama_8b, card=l4, chunked_prefill=False, max_model_len=32_768)

    assert tokens == found.max_num_batched_tokens


def test_a_short_prompt_without_chunks_keeps_the_default_batch(llama_8b, l4):
    found = filled(vllm_version="0.19.0", shape=llama_8b, card=l4, chunked_prefill=False, max_model_len=1024)

    assert 2048 == found.max_num_batched_tokens


@pytest.mark.parametrize(("version", "tokens"), [("0.5.5", 2048), ("0.6.2", 4096), ("0.6.3", 5120)])
def test_v0_takes_a_larger_batch_for_images(llama_8b, version, tokens):
    """vLLM 0.6.2 and 0.6.3 `config.py`, _MULTIMODAL_MODEL_MAX_NUM_BATCHED_TOKENS."""
    shape = llama_8b.model_copy(update={"vision": Vision()})

    assert tokens == filled(vllm_version=version, shape=shape, max_model_len=2048).max_num_batched_tokens


def test_v0_takes_32768_tokens_for_models_that_embed(llama_8b):
    """vLLM 0.6.3 `config.py`, _EMBEDDING_MODEL_MAX_NUM_BATCHED_TOKENS."""
    shape = llama_8b.model_copy(update={"wiring": Wiring(has_lm_head=False)})

    assert 32_768 == filled(vllm_version="0.6.3", shape=shape, max_model_len=2048).max_num_batched_tokens


@pytest.mark.parametrize(("version", "tokens"), [("0.1.7", 2560), ("0.2.0", 4096)])
def test_a_batch_follows_the_context_from_0_2_on(llama_8b, version, tokens):
    """vLLM 0.1.7 and 0.2.0 `engine/arg_utils.py`."""
    assert tokens == filled(vllm_version=version, shape=llama_8b, max_model_len=4096).max_num_batched_tokens


@pytest.mark.parametrize(("version", "largest"), [("0.10.0", 512), ("0.10.1", 1024), ("0.11.0", 992), ("0.11.1", 1024)])
def test_gpt_oss_captures_larger_batches_whatever_its_sequences(gpt_oss_20b, h100, version, largest):
    """vLLM `models/config.py`, GptOssForCausalLMConfig, of 0.10.1, 0.11.0 and 0.11.1."""
    found = filled(vllm_version=version, shape=gpt_oss_20b, card=h100, max_num_seqs=256)

    assert largest == found.max_cudagraph_capture_size


@pytest.mark.parametrize(("version", "largest"), [("0.12.0", 32), ("0.13.0", 128)])
def test_drafts_widen_the_largest_graph_from_0_13_on(llama_8b, h100, version, largest):
    """vLLM 0.12.0 and 0.13.0 `config/vllm.py`, _set_cudagraph_sizes."""
    drafts = Speculation(method="eagle3", tokens=3)
    found = filled(vllm_version=version, shape=llama_8b, card=h100, max_num_seqs=16, speculation=drafts)

    assert largest == found.max_cudagraph_capture_size


@pytest.mark.parametrize(("version", "largest"), [("0.27.1", 512), ("0.28.0", 1024)])
def test_a_b200_captures_larger_batches_from_0_28_on(llama_8b, version, largest):
    """vLLM 0.27.1 and 0.28.0 `config/vllm.py`, _set_cudagraph_sizes."""
    assert largest == filled(vllm_version=version, shape=llama_8b, card=B200).max_cudagraph_capture_size


def test_no_graph_is_larger_than_a_batch(llama_8b, h100):
    found = filled(vllm_version="0.19.0", shape=llama_8b, card=h100, max_num_batched_tokens=256)

    assert 256 == found.max_cudagraph_capture_size


@pytest.mark.parametrize(("version", "largest"), [("0.5.5", 256), ("0.6.0", 400)])
def test_v0_captures_up_to_its_sequences_from_0_6_on(llama_8b, version, largest):
    """vLLM 0.5.5 and 0.6.0 `worker/model_runner.py`, _BATCH_SIZES_TO_CAPTURE."""
    assert largest == filled(vllm_version=version, shape=llama_8b, max_num_seqs=400).max_cudagraph_capture_size


@pytest.mark.parametrize(
    ("version", "length", "tokens"), [("0.10.1", 512, 512), ("0.11.1", 512, 2048), ("0.33.0", 8192, 8192)]
)
def test_a_model_that_reads_both_ways_takes_whole_prompts_and_caches_none(encoder, l4, version, length, tokens):
    """vLLM 0.10.1 and 0.11.1 `engine/arg_utils.py`; 0.33 `config/model.py`, is_chunked_prefill_supported."""
    found = filled(vllm_version=version, shape=encoder, card=l4, max_model_len=length)

    assert (False, False, tokens) == (found.chunked_prefill, found.prefix_caching, found.max_num_batched_tokens)


@pytest.mark.parametrize(
    ("version", "mode", "limits"),
    [
        ("0.16.0", "throughput", (1024, 8192)),
        ("0.17.0", "throughput", (2048, 16384)),
        ("0.17.0", "interactivity", (1024, 8192)),
    ],
)
def test_throughput_doubles_the_limits_that_nobody_set_from_0_17_on(h100, version, mode, limits):
    """vLLM 0.17 and 0.33 `engine/arg_utils.py`, _set_default_max_num_seqs_and_batched_tokens_args."""
    found = filled(vllm_version=version, card=h100, performance_mode=mode)

    assert limits == (found.max_num_seqs, found.max_num_batched_tokens)


def test_throughput_leaves_what_was_set(h100):
    found = filled(vllm_version="0.33.0", card=h100, performance_mode="throughput", max_num_seqs=100)

    assert (100, 16384) == (found.max_num_seqs, found.max_num_batched_tokens)


def test_a_model_with_an_encoder_takes_whole_prompts_and_caches_none(speech, l4):
    """vLLM 0.19 `config/scheduler.py`, __post_init__, is_encoder_decoder."""
    found = filled(vllm_version="0.19.0", shape=speech, card=l4)

    assert (False, False, 2048) == (found.chunked_prefill, found.prefix_caching, found.max_num_batched_tokens)
