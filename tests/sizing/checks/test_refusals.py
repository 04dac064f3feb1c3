"""What is refused before any budget is made."""

import pytest

from bot.deployment import Deployment, Gpu
from bot.model_shape import Quantization
from bot.sizing.checks.refusals import refuse
from bot.units import Bytes


def refused(**facts):
    return [(refusal.name, refusal.problem) for refusal in refuse(Deployment(**facts))]


def test_nothing_known_is_nothing_refused():
    assert [] == refused()


def test_a_sound_deployment_is_not_refused(llama_on_h100):
    assert () == refuse(llama_on_h100)


@pytest.mark.parametrize("ranks", [3, 5, 64])
def test_heads_must_divide(llama_8b, ranks):
    assert ("tensor_parallel", "tp-heads-not-divisible") in refused(shape=llama_8b, tensor_parallel=ranks)


def test_a_refusal_speaks_vllms_words(llama_8b):
    (refusal,) = refuse(Deployment(shape=llama_8b, tensor_parallel=5))

    assert "Total number of attention heads (32) must be divisible by tensor parallel size (5)." in refusal.message


def test_state_heads_must_divide(qwen3_next):
    shape = qwen3_next.model_copy(update={"heads": 64})

    assert ("tensor_parallel", None) in refused(shape=shape, tensor_parallel=64)


def test_mlps_must_divide(llama_8b):
    shape = llama_8b.model_copy(update={"intermediate": 14_340})

    assert [("tensor_parallel", None)] == refused(shape=shape, tensor_parallel=8)


def test_experts_need_not_divide_when_they_are_dealt_out(qwen3_next):
    moe = qwen3_next.moe.model_copy(update={"intermediate": 510})
    facts = {"shape": qwen3_next.model_copy(update={"moe": moe}), "tensor_parallel": 4}

    assert [1, 0] == [len(refused(expert_parallel=dealt, **facts)) for dealt in (False, True)]


def test_fp8_blocks_must_divide(llama_8b):
    shape = llama_8b.model_copy(
        update={"intermediate": 5120, "quantization": Quantization(method="fp8", bits=8, block=(128, 128))},
    )

    assert [("tensor_parallel", "tp-fp8-block-not-divisible")] == refused(shape=shape, tensor_parallel=16)


def test_quantization_groups_must_divide(llama_8b):
    shape = llama_8b.model_copy(
        update={"intermediate": 18_944, "quantization": Quantization(method="awq", bits=4, group_size=128)},
    )

    assert [("tensor_parallel", "tp-quant-group-not-divisible")] == refused(shape=shape, tensor_parallel=8)


def test_more_ranks_than_gpus(llama_8b):
    assert [("tensor_parallel", "tp-exceeds-visible-gpus")] == refused(shape=llama_8b, tensor_parallel=4, gpu_count=2)


def test_more_stages_than_layers(llama_8b):
    assert [("pipeline_parallel", "cli-bad-argument")] == refused(shape=llama_8b, pipeline_parallel=64)


def test_experts_are_needed_for_expert_parallelism(llama_8b):
    assert [("expert_parallel", "cli-bad-argument")] == refused(shape=llama_8b, expert_parallel=True)


@pytest.mark.parametrize(("ranks", "parts", "count"), [(8, 3, 1), (8, 2, 1), (16, 2, 0)])
def test_context_parallelism_needs_copies_of_the_kv_heads(llama_8b, ranks, parts, count):
    assert count == len(refused(shape=llama_8b, tensor_parallel=ranks, decode_context_parallel=parts))


def test_a_context_beyond_the_model(llama_8b):
    assert [("max_model_len", "max-len-exceeds-derived")] == refused(shape=llama_8b, max_model_len=200_000)


def test_a_context_beyond_the_model_that_was_allowed_on_purpose(llama_8b):
    allowed = (("VLLM_ALLOW_LONG_MAX_MODEL_LEN", "1"),)

    assert [] == refused(shape=llama_8b, max_model_len=200_000, environment=allowed)


def test_an_automatic_context_is_no_number():
    assert [] == refused(max_model_len=-1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tensor_parallel", 0),
        ("tensor_parallel", -2),
        ("max_model_len", 0),
        ("max_num_seqs", -1),
        ("max_num_batched_tokens", 10**12),
        ("gpu_count", 0),
        ("gpu_memory_utilization", 0.0),
        ("gpu_memory_utilization", -0.5),
        ("gpu_memory_utilization", 1.5),
        ("gpu_memory_utilization", 90.0),
        ("gpu_memory", Bytes(-1)),
        ("gpu_memory", Bytes(80)),
        ("gpu_memory", Bytes.gib(8000)),
        ("kv_cache_memory", Bytes(0)),
        ("cpu_offload_gib", -4.0),
        ("cpu_offload_gib", 1e30),
        ("swap_space_gib", -1.0),
    ],
)
def test_numbers_that_cannot_be_meant(name, value):
    assert name in [refused_name for refused_name, _ in refused(**{name: value})]


def test_a_percentage_is_taken_for_what_it_is():
    (refusal,) = refuse(Deployment(gpu_memory_utilization=90.0))

    assert "did you mean 0.9?" in refusal.message


def test_a_little_more_than_all_is_no_percentage():
    (refusal,) = refuse(Deployment(gpu_memory_utilization=1.5))

    assert "did you mean" not in refusal.message


@pytest.mark.parametrize("dtype", ["float17", "fp8", "int4", "", "bfloat"])
def test_a_type_that_vllm_has_not_is_refused(dtype):
    assert [("dtype", "cli-bad-argument")] == refused(dtype=dtype)


@pytest.mark.parametrize("dtype", ["auto", "half", "torch.bfloat16", "BF16", "float", "float32"])
def test_a_type_that_vllm_has_is_taken(dtype):
    assert [] == refused(dtype=dtype)


def test_sizes_that_work_suit_the_kv_heads_as_well(llama_8b):
    shape = llama_8b.model_copy(update={"heads": 28, "kv_heads": 4})
    refusal = next(iter(refuse(Deployment(shape=shape, tensor_parallel=8))))

    assert refusal.message.endswith("Sizes that work: 1, 2, 4, 28")


def test_more_sequences_than_batched_tokens():
    assert [("max_num_batched_tokens", "cli-bad-argument")] == refused(max_num_seqs=512, max_num_batched_tokens=256)


def test_a_prompt_larger_than_the_batch_without_chunked_prefill():
    facts = {"chunked_prefill": False, "max_model_len": 8192, "max_num_batched_tokens": 2048}

    assert [("max_num_batched_tokens", "cli-bad-argument")] == refused(**facts)


def test_a_card_too_old_for_vllm():
    pascal = Gpu(name="Tesla P100", compute_capability=6.0, has_bf16=False)

    assert [("gpu", "gpu-arch-too-old")] == refused(card=pascal)


def test_bfloat16_on_a_card_without_it(t4):
    assert [("dtype", "bf16-unsupported-gpu")] == refused(card=t4, dtype="bfloat16")


@pytest.mark.parametrize(("version", "refusals"), [("0.8.5", 1), ("0.9.0", 0)])
def test_a_bfloat16_checkpoint_falls_back_from_0_9_on(llama_8b, t4, version, refusals):
    assert refusals == len(refused(shape=llama_8b, card=t4, vllm_version=version))


@pytest.mark.parametrize(
    ("card", "facts", "refusals"),
    [
        ("t4", {"kv_cache_dtype": "fp8"}, 1),
        ("t4", {"kv_cache_dtype": "auto"}, 0),
        ("l4", {"kv_cache_dtype": "fp8"}, 0),
        ("l4", {"kv_cache_dtype": "fp8", "attention_backend": "FLASH_ATTN"}, 1),
        ("h100", {"kv_cache_dtype": "fp8", "attention_backend": "FLASH_ATTN"}, 0),
        ("h100", {"kv_cache_dtype": "fp8", "attention_backend": "FLEX_ATTENTION"}, 1),
        ("h100", {"kv_cache_dtype": "nvfp4"}, 1),
        ("h100", {"kv_cache_dtype": "int8_per_token_head", "vllm_version": "0.19.0"}, 1),
        ("h100", {"kv_cache_dtype": "int8_per_token_head", "vllm_version": "0.20.0"}, 0),
    ],
)
def test_a_quantized_kv_cache_needs_card_backend_and_version(card, facts, refusals, request):
    found = refused(card=request.getfixturevalue(card), **facts)

    assert found == [("kv_cache_dtype", "fp8-kv-unsupported")] * refusals


@pytest.mark.parametrize(
    ("card", "version", "refusals"), [("l4", "0.17.1", 1), ("l4", "0.18.0", 0), ("l4", None, 0), ("h100", "0.17.1", 0)]
)
def test_latent_attention_in_triton_stored_no_fp8_before_0_18(deepseek_v3, card, version, refusals, request):
    facts = {"shape": deepseek_v3, "card": request.getfixturevalue(card), "vllm_version": version}
    found = [name for name, _ in refused(**facts, kv_cache_dtype="fp8")]

    assert refusals == found.count("kv_cache_dtype")


@pytest.mark.parametrize(("version", "refusals"), [("0.13.0", 1), ("0.14.0", 0)])
def test_a_quantization_needs_its_capability(llama_8b, t4, version, refusals):
    shape = llama_8b.model_copy(update={"quantization": Quantization(method="fp8", bits=8), "dtype": "float16"})

    assert refusals == len(refused(shape=shape, card=t4, vllm_version=version))


def test_a_build_without_a_release_is_of_any(llama_8b):
    shape = llama_8b.model_copy(update={"architecture": "Qwen3ForCausalLM"})

    assert [] == refused(shape=shape, vllm_version="0.1.dev1+g1a2b3c4")
