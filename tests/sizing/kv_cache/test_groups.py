"""How layers share blocks."""

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment, Gpu, Speculation
from bot.model_shape import Layer, LayerKind, LayerRun, LinearState
from bot.sizing.defaults import with_defaults
from bot.sizing.kv_cache import groups
from bot.sizing.resolved import resolve


def pool(shape, **facts):
    deployment = Deployment(shape=shape, **({"vllm_version": "0.33.0"} | facts))
    return groups.pool(resolve(with_defaults(deployment)[0]))


def mixed(shape, *pairs):
    return shape.model_copy(update={"runs": tuple(LayerRun(layer=layer, count=count) for layer, count in pairs)})


def test_equal_layers_make_one_group(llama_8b):
    assert 1 == len(pool(llama_8b).groups)


def test_groups_are_as_even_as_the_smallest_kind_allows(gemma_27b):
    assert [group.layers for group in pool(gemma_27b).groups] == [9] * 6 + [10]


def test_groups_were_filled_one_after_another_before_0_11(gemma_27b):
    assert [group.layers for group in pool(gemma_27b, vllm_version="0.10.2").groups] == [10] * 7


def test_windows_are_not_told_apart_before_0_9_1(gemma_27b):
    found = pool(gemma_27b, vllm_version="0.8.5")

    assert (len(found.groups), found.bytes_per_block) == (1, 62 * 131_072)


def test_nearly_equal_kinds_make_groups_of_the_larger(gpt_oss_20b):
    shape = mixed(
        gpt_oss_20b,
        (Layer(kind=LayerKind.SLIDING, window=128), 12),
        (Layer(kind=LayerKind.FULL), 13),
    )

    assert [12, 13] == [group.layers for group in pool(shape).groups]


def test_smaller_pages_get_longer_blocks(llama_8b):
    shape = mixed(
        llama_8b,
        (Layer(kind=LayerKind.SLIDING, window=1024, kv_heads=8, head_dim=256), 25),
        (Layer(kind=LayerKind.FULL, kv_heads=2, head_dim=512), 5),
    )

    assert {group.spec.kind: group.block_size for group in pool(shape).groups} == {"sliding": 16, "full": 32}


@pytest.mark.parametrize(
    ("version", "window", "full"),
    [("0.24.0", 128, 256), ("0.25.0", 64, 128), ("0.29.0", 64, 128), ("0.30.0", 128, 256)],
)
def test_a_window_starts_from_a_block_of_its_own_in_0_25_to_0_29(llama_8b, version, window, full):
    """Of 8192 and 4096 bytes a token: 64 of one take as much as 128 of the other."""
    shape = mixed(
        llama_8b,
        (Layer(kind=LayerKind.SLIDING, window=1024, kv_heads=8, head_dim=256), 25),
        (Layer(kind=LayerKind.FULL, kv_heads=2, head_dim=512), 5),
    )
    blocks = {group.spec.kind: group.block_size for group in pool(shape, vllm_version=version, block_size=128).groups}

    assert {"sliding": window, "full": full} == blocks


def test_layers_of_one_kind_and_unequal_size_share_one_group(llama_8b):
    shape = mixed(llama_8b, (Layer(kind=LayerKind.FULL, kv_heads=8), 10), (Layer(kind=LayerKind.FULL, kv_heads=4), 10))

    found = pool(shape)
    assert (len(found.groups), found.bytes_per_block) == (1, 10 * 16 * 4096 + 10 * 16 * 2048)


@pytest.mark.parametrize(("ranks", "page"), [(1, 1_114_112), (2, 557_056)])
def test_an_attention_block_is_stretched_over_a_state(qwen3_next, ranks, page):
    """A state of 1,097,728 bytes, which two ranks share, under 544 tokens of 2048 bytes: 12 such pages are a block."""
    found = pool(qwen3_next, tensor_parallel=ranks)

    assert (544, 12 * page) == (found.block_size, found.bytes_per_block)


@pytest.mark.parametrize(
    ("model", "ranks", "size"),
    [
        ("codellama/CodeLlama-7b-hf", 1, 524_288),
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", 2, 163_840),
        ("Qwen/Qwen2.5-7B-Instruct", 1, 57_344),
        ("deepseek-ai/DeepSeek-V2-Lite-Chat", 1, 31_104),
    ],
)
def test_a_token_takes_this_much_of_a_gpu(model, ranks, size):
    found = pool(find_model(model).shape, tensor_parallel=ranks, block_size=16)

    assert 16 * size == found.bytes_per_block


def test_without_attention_a_block_is_the_state_of_a_whole_request(llama_8b):
    """8192 channels, of which each keeps 3 inputs of the convolution and 16 numbers: 0.30 MiB in 16 bits."""
    state = LinearState(inner=8192, state=16)
    shape = mixed(llama_8b, (Layer(kind=LayerKind.MAMBA1), 2)).model_copy(update={"linear": state})
    found = pool(shape, vllm_version="0.19.0", max_model_len=4096)

    assert (4096, 2 * 2 * 8192 * (3 + 16)) == (found.block_size, found.bytes_per_block)


def test_states_beside_latent_attention_are_kept_at_every_128_tokens(h100):
    """A state of 542,720 bytes on each of 8 GPUs lies in five times 128 tokens of GLM-5.3-Flash; a log prints 640."""
    found = pool(find_model("zai-org/GLM-5.3-Flash").shape, card=h100, vllm_version="0.31.0", tensor_parallel=8)

    assert 640 == found.block_size


def test_chunked_layers_were_full_before_0_14(llama_4_scout):
    assert [1, 4] == [len(pool(llama_4_scout, vllm_version=version).groups) for version in ("0.13.0", "0.14.0")]


@pytest.mark.parametrize(
    ("version", "facts", "pooled"),
    [
        ("0.9.2", {}, False),
        ("0.10.0", {}, True),
        ("0.10.1", {}, False),
        ("0.10.1", {"environment": (("VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE", "1"),)}, True),
        ("0.14.0", {"environment": (("VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE", "0"),)}, False),
        ("0.33.0", {"speculation": Speculation(method="eagle", tokens=3)}, False),
    ],
)
def test_chunked_layers_have_a_pool_where_the_release_lets_them(llama_4_scout, version, facts, pooled):
    """vLLM `config.py` of 0.9.2, 0.10.0 and 0.10.1, `envs.py` of 0.14."""
    assert pooled is (len(pool(llama_4_scout, vllm_version=version, **facts).groups) > 1)


def test_a_pipeline_stage_holds_its_own_layers_only(llama_8b):
    assert pool(llama_8b, pipeline_parallel=2).bytes_per_block == 16 * 65_536


def test_the_fullest_stage_decides_the_size_of_a_block(gemma_27b):
    found = pool(gemma_27b, pipeline_parallel=2)

    assert found.bytes_per_block == 5 * 131_072


@pytest.mark.parametrize(("version", "block"), [("0.8.5", 64), ("0.17.1", 64), ("0.18.0", 16), ("0.19.0", 16)])
def test_the_block_of_latent_attention_on_hopper_follows_the_backend(deepseek_v3, h100, version, block):
    """vLLM 0.17.1 `platforms/cuda.py` forces FlashMLA's 64; 0.18.0 asks the kernel that runs."""
    assert block == pool(deepseek_v3, card=h100, vllm_version=version).block_size


@pytest.mark.parametrize(
    ("version", "capability", "block"),
    [
        ("0.10.0", 10.0, 16),
        ("0.10.1", 10.0, 128),
        ("0.12.0", 10.3, 16),
        ("0.13.0", 10.3, 128),
        ("0.14.1", 10.0, 128),
        ("0.15.0", 10.0, 64),
        ("0.18.0", 10.0, 32),
    ],
)
def test_the_block_of_latent_attention_on_blackwell_follows_the_backend(deepseek_v3, version, capability, block):
    """vLLM `platforms/cuda.py` of 0.10.1, 0.13 and 0.15; 0.18 `mla/flashinfer_mla.py`, get_supported_kernel_block_sizes."""
    card = Gpu(name="B200", compute_capability=capability)

    assert block == pool(deepseek_v3, card=card, vllm_version=version).block_size
