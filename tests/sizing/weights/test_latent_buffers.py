"""What latent attention holds beside its weights."""

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.sizing.weights.latent_buffers import absorbed_bytes, sparse_bytes, workspace_bytes
from bot.sizing.weights.per_gpu import weights_per_gpu
from bot.sizing.weights.tensors import Split

LLAMA = find_model("meta-llama/Llama-3.1-8B").shape
DEEPSEEK = find_model("deepseek-ai/DeepSeek-V3").shape


def test_latent_attention_on_an_nvidia_card_keeps_a_workspace():
    h100, amd = find_gpu("H100").card, find_gpu("MI300X").card
    releases = [
        workspace_bytes(DEEPSEEK, card, release) for card, release in ((h100, (0, 19)), (h100, (0, 9)), (amd, (0, 19)))
    ]

    assert releases == [128 << 20, 0, 0]


def test_plain_attention_keeps_none():
    assert 0 == workspace_bytes(LLAMA, None, (0, 19))


def test_a_sparse_index_keeps_its_picks():
    shape = find_model("deepseek-ai/DeepSeek-V3.2").shape

    assert workspace_bytes(shape, None, (0, 19), 16384) - workspace_bytes(DEEPSEEK, None, (0, 19)) == 4 * 2048 * 16384


@pytest.mark.parametrize(
    ("card", "release", "facts", "expected"),
    [
        ("H200", (0, 18), {}, 2 * 576 * 16 * 8192),
        ("H200", (0, 17), {}, 0),
        ("H200", (0, 13), {"kv_cache_dtype": "fp8", "max_model_len": 1000}, 2 * 576 * 5 * 1000),
        ("H200", (0, 12), {"kv_cache_dtype": "fp8", "max_model_len": 1000}, 0),
        ("H200", (0, 25), {}, 0),
        (
            "H200",
            (0, 31),
            {"kv_cache_dtype": "fp8", "max_model_len": 1000},
            2 * (576 * (5000 + 16 * 8192) + 8192 * (64 * (576 + 512) + 16 * 512)),
        ),
        ("B200", (0, 17), {"kv_cache_dtype": "fp8"}, 128 << 20),
        ("B200", (0, 16), {}, 0),
        ("RTX PRO 6000", (0, 28), {}, 0),
        ("MI300X", (0, 28), {}, 0),
    ],
)
def test_sparse_attention_reserves_its_workspace_while_loading(card, release, facts, expected):
    shape = find_model("deepseek-ai/DeepSeek-V3.2").shape
    deployment = Deployment(card=find_gpu(card).card, **facts)

    assert expected == sparse_bytes(deployment, shape, Split(8), release)


def test_dense_attention_reserves_none():
    assert 0 == sparse_bytes(Deployment(card=find_gpu("H200").card), DEEPSEEK, Split(8), (0, 18))


@pytest.mark.parametrize(
    ("model", "card", "facts", "gib"),
    [
        ("nvidia/DeepSeek-V3.2-NVFP4", "B200", {"vllm_version": "0.18.0", "kv_cache_dtype": "fp8_e4m3"}, 48.62),
        ("zai-org/GLM-5.1-FP8", "H200", {"vllm_version": "0.19.1"}, 89.39),
        ("zai-org/GLM-5.3-FP8", "H200", {"vllm_version": "0.28.0", "kv_cache_dtype": "fp8"}, 94.46),
    ],
)
def test_sparse_models_are_what_start_up_logs_printed(model, card, facts, gib):
    deployment = Deployment(shape=find_model(model).shape, card=find_gpu(card).card, tensor_parallel=8, **facts)

    assert gib == pytest.approx(weights_per_gpu(deployment).in_gib, rel=0.006)


@pytest.mark.parametrize(
    ("release", "tokens", "factor"), [((0, 31), 300_000, 5), ((0, 32), 300_000, 2), ((0, 32), 9, 5)]
)
def test_long_contexts_unpack_fewer_rows_since_0_32(release, tokens, factor):
    shape = find_model("deepseek-ai/DeepSeek-V3.2").shape
    facts = {"card": find_gpu("H200").card, "kv_cache_dtype": "fp8"}
    short, long = (sparse_bytes(Deployment(max_model_len=n, **facts), shape, Split(8), release) for n in (1, tokens))

    assert 2 * 576 * (factor * tokens - 5) == long - short


def test_0_7_multiplied_out_the_projections_of_latent_attention():
    lite = find_model("deepseek-ai/DeepSeek-Coder-V2-Lite-Instruct").shape

    assert 0.24 == pytest.approx(absorbed_bytes(lite, Split(8), (0, 7, 1)) / 2**30, abs=0.02)


@pytest.mark.parametrize("release", [(0, 6, 6), (0, 8, 3)])
def test_other_versions_keep_latent_projections_as_they_are(release):
    assert 0 == absorbed_bytes(DEEPSEEK, Split(8), release)
