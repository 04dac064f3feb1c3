"""The KV cache's data type and the bytes of a token."""

import pytest

from bot.deployment import Gpu
from bot.model_shape import Layer, LayerKind, LayerRun, ModelShape, Quantization
from bot.sizing import kv_dtypes
from bot.sizing.kv_dtypes import Kernel


@pytest.fixture
def sparse(deepseek_v3) -> ModelShape:
    layers = LayerRun(layer=Layer(kind=LayerKind.MLA, has_indexer=True), count=61)
    return deepseek_v3.model_copy(update={"runs": (layers,)})


@pytest.mark.parametrize(
    ("dtype", "size"),
    [
        ("auto", 512),
        ("fp8", 256),
        ("fp8_e5m2", 256),
        ("int8_per_token_head", 264),
        ("fp8_per_token_head", 264),
        ("int4_per_token_head", 136),
        ("nvfp4", 144),
        ("turboquant_k8v4", 196),
        ("turboquant_4bit_nc", 134),
        ("turboquant_3bit_nc", 102),
        ("bfloat16", 512),
    ],
)
def test_a_head_of_128_keeps_this_much_of_a_token(dtype, size):
    assert size == kv_dtypes.heads_bytes(dtype, 2, 128, 128)


@pytest.mark.parametrize(
    ("dtype", "size"),
    [("auto", 1152), ("fp8", 576), ("fp8_ds_mla", 656), ("nvfp4_ds_mla", 352), ("int4_per_token_head", 296)],
)
def test_a_latent_of_576_keeps_this_much_of_a_token(dtype, size):
    assert size == kv_dtypes.latent_bytes(dtype, 2, 576)


def test_an_index_key_has_a_scale_for_each_128_elements():
    assert 132 == kv_dtypes.index_bytes(128)


def test_a_float32_model_keeps_four_bytes():
    assert 1024 == kv_dtypes.heads_bytes("auto", kv_dtypes.width("float32"), 128, 128)


@pytest.mark.parametrize(("release", "dtype"), [((0, 13, 0), "auto"), ((0, 14, 0), "fp8")])
def test_auto_follows_a_checkpoint_that_asks_for_fp8_from_0_14_on(llama_8b, release, dtype):
    shape = llama_8b.model_copy(update={"quantization": Quantization(method="modelopt", kv_cache="FP8")})

    assert dtype == kv_dtypes.stored("auto", shape, release)


@pytest.mark.parametrize(("release", "dtype"), [((0, 14, 1), "auto"), ((0, 15, 0), "fp8")])
def test_auto_follows_a_scheme_of_compressed_tensors_from_0_15_on(llama_8b, release, dtype):
    shape = llama_8b.model_copy(update={"quantization": Quantization(method="compressed-tensors", kv_cache="fp8")})

    assert dtype == kv_dtypes.stored(None, shape, release)


def test_latent_attention_heeds_no_scheme_of_compressed_tensors(deepseek_v3):
    shape = deepseek_v3.model_copy(update={"quantization": Quantization(method="compressed-tensors", kv_cache="fp8")})

    assert "auto" == kv_dtypes.stored(None, shape, (0, 33, 0))


@pytest.mark.parametrize(("release", "dtype"), [((0, 19, 0), "auto"), ((0, 20, 0), "nvfp4")])
def test_auto_follows_a_checkpoint_that_asks_for_nvfp4_from_0_20_on(llama_8b, release, dtype):
    shape = llama_8b.model_copy(update={"quantization": Quantization(method="modelopt", kv_cache="NVFP4")})

    assert dtype == kv_dtypes.stored(None, shape, release)


def test_what_was_asked_for_is_kept(llama_8b):
    assert "fp8_e5m2" == kv_dtypes.stored("fp8_e5m2", llama_8b, (0, 19, 0))


def card(capability: float | None, vendor: str = "nvidia") -> Gpu:
    return Gpu(name="a card", compute_capability=capability, vendor=vendor)


B200, H200, RTX_PRO, MI300 = card(10.0), card(9.0), card(12.0), card(None, "amd")


@pytest.mark.parametrize(
    ("asked", "release", "kernel", "dtype"),
    [
        ("fp8_e4m3", (0, 17, 1), Kernel(B200, 16), "fp8_ds_mla"),
        ("fp8_e4m3", (0, 18, 0), Kernel(B200, 128), "fp8_e4m3"),  # FlashMLA's knows it as "fp8" only
        ("fp8", (0, 18, 0), Kernel(B200, 128), "fp8_ds_mla"),
        ("fp8", (0, 18, 0), Kernel(B200, 32), "fp8_ds_mla"),
        ("fp8", (0, 18, 0), Kernel(B200, 16), "fp8"),
        ("fp8", (0, 20, 0), Kernel(B200, 128), "fp8"),
        ("fp8", (0, 33, 0), Kernel(H200, 16), "fp8_ds_mla"),
        ("fp8", (0, 26, 0), Kernel(None, 16), "fp8_ds_mla"),
        ("fp8", (0, 26, 0), Kernel(None, 16, "FLASHINFER_MLA_SPARSE"), "fp8"),
        ("fp8", (0, 26, 0), Kernel(B200, 16, "FLASHMLA_SPARSE"), "fp8_ds_mla"),
        ("fp8", (0, 26, 0), Kernel(MI300, 16), "fp8"),
        ("auto", (0, 23, 0), Kernel(RTX_PRO, 16), "auto"),
        ("auto", (0, 24, 0), Kernel(RTX_PRO, 16), "fp8_ds_mla"),
        ("auto", (0, 24, 0), Kernel(None, 16, "FLASHINFER_MLA_SPARSE_SM120"), "fp8_ds_mla"),
        ("bfloat16", (0, 24, 0), Kernel(RTX_PRO, 16), "bfloat16"),
        ("auto", (0, 11, 0), Kernel(H200, 16), "fp8_ds_mla"),
        ("auto", (0, 11, 1), Kernel(H200, 16), "auto"),
        ("nvfp4_ds_mla", (0, 30, 0), Kernel(B200, 16), "nvfp4_ds_mla"),
    ],
)
def test_the_kernel_for_sparse_mla_decides_how_fp8_is_laid_out(sparse, asked, release, kernel, dtype):
    assert dtype == kv_dtypes.stored(asked, sparse, release, kernel)


def test_a_sparse_checkpoint_that_asks_for_fp8_gets_the_kernels_layout(sparse):
    shape = sparse.model_copy(update={"quantization": Quantization(method="modelopt_fp4", kv_cache="fp8")})

    assert "fp8_e4m3" == kv_dtypes.stored(None, shape, (0, 18, 0), Kernel(B200, 128))
    assert "fp8_ds_mla" == kv_dtypes.stored(None, shape, (0, 17, 0), Kernel(B200, 128))


@pytest.mark.parametrize(
    ("model_type", "release", "gpu", "dtype"),
    [
        ("glm_moe_dsa", (0, 31, 0), B200, "auto"),
        ("glm_moe_dsa", (0, 32, 0), B200, "fp8_e4m3"),
        ("glm_moe_dsa", (0, 32, 0), H200, "auto"),
        ("glm5_next", (0, 32, 0), B200, "auto"),
        ("glm5_next", (0, 33, 0), B200, "fp8_e4m3"),
        ("deepseek_v32", (0, 33, 0), B200, "auto"),
    ],
)
def test_glm_keeps_fp8_by_itself_on_sm100(sparse, model_type, release, gpu, dtype):
    shape = sparse.model_copy(update={"model_type": model_type})

    assert dtype == kv_dtypes.default(shape, release, gpu)[0]
