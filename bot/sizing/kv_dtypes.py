"""Which data type the KV cache really has, and the bytes of a token in it."""

from __future__ import annotations

from bot.deployment import Gpu, ModelShape
from bot.sizing.eras import Release

_WIDTHS = {
    "float32": 4, "float": 4, "fp32": 4,
    "bfloat16": 2, "bf16": 2, "float16": 2, "half": 2, "fp16": 2,
    "fp8": 1, "fp8_e4m3": 1, "fp8_e5m2": 1, "fp8_inc": 1, "fp8_ds_mla": 1,
}  # fmt: skip

EIGHT_BITS = 8
# Bits of keys and values. Source: vLLM `layers/quantization/turboquant/config.py`, TQ_PRESETS.
_TURBOQUANT = {
    "turboquant_k8v4": (8, 4),
    "turboquant_4bit_nc": (4, 4),
    "turboquant_k3v4_nc": (3, 4),
    "turboquant_3bit_nc": (3, 3),
}

SPARSE_MLA_FP8_BYTES = 656  # 512 fp8 + 16 of scales + 64 rotary elements of 2
SPARSE_MLA_NVFP4_BYTES = 352
INDEXER_SCALE_BYTES = 4  # one fp32 for each 128 elements of the index key


def width(dtype: str | None) -> int:
    """Return the bytes of one element; unknown names count as 16 bits."""
    return _WIDTHS.get((dtype or "").removeprefix("torch.").lower(), 2)


def is_eight_bit(dtype: str) -> bool:
    """Return whether it is one of the plain fp8 kinds."""
    return width(dtype) == 1


def resolve(asked: str | None, shape: ModelShape, release: Release, card: Gpu | None = None) -> tuple[str, str]:
    """Return the KV dtype in use, and why.

    "auto" is the model's own dtype, except where the checkpoint asks for another one (ModelOpt's
    `kv_cache_quant_algo`, honoured centrally from 0.14.0) and for DeepSeek-V3.2 in 0.11.
    """
    name = (asked or "auto").lower()
    if name == "auto":
        return _auto(shape, release, card)
    if shape.mla and _has_indexer(shape) and is_eight_bit(name):
        return "fp8_ds_mla", "sparse MLA stores fp8 in its own layout"
    return name, "--kv-cache-dtype"


def _auto(shape: ModelShape, release: Release, card: Gpu | None) -> tuple[str, str]:
    wanted = (shape.quantization.kv_cache or "").lower() if shape.quantization else ""
    if wanted.startswith("fp8") and release >= (0, 14):
        return "fp8", "the checkpoint asks for an fp8 KV cache"
    if shape.mla and _has_indexer(shape):
        is_sm100 = card is not None and card.compute_capability is not None and 10 <= card.compute_capability < 11
        if (0, 11) <= release < (0, 11, 1) or (release >= (0, 30) and is_sm100 and shape.model_type == "glm_moe_dsa"):
            return "fp8_ds_mla", "this version's default for sparse MLA"
    return "auto", "the model's own dtype"


def _has_indexer(shape: ModelShape) -> bool:
    return any(run.layer.has_indexer for run in shape.runs)


def heads_bytes(dtype: str, model_width: int, key_dim: int, value_dim: int) -> int:
    """Return the bytes of one token in one KV head, keys and values together.

    Source: vLLM 0.33 `v1/kv_cache_interface.py` (per-token-head scales are two fp32; nvfp4 has one fp8 scale for 16).
    """
    dims = key_dim + value_dim
    if dtype == "auto":
        return dims * model_width
    if dtype in {"int8_per_token_head", "fp8_per_token_head"}:
        return dims + 8
    if dtype == "int4_per_token_head":
        return dims // 2 + 8
    if dtype.startswith("nvfp4"):
        return dims // 2 + dims // 16
    if dtype in _TURBOQUANT:
        return _turboquant(*_TURBOQUANT[dtype], key_dim, value_dim)
    return dims * width(dtype)


def _turboquant(key_bits: int, value_bits: int, key_dim: int, value_dim: int) -> int:
    """Return a packed slot: keys with a 16-bit norm unless fp8, values with a 16-bit scale and zero, made even."""
    keys = key_dim if key_bits == EIGHT_BITS else -(-key_dim * key_bits // 8) + 2
    slot = keys + -(-value_dim * value_bits // 8) + 4
    return slot + slot % 2


def latent_bytes(dtype: str, model_width: int, dims: int) -> int:
    """Return the bytes of one token of an MLA layer: `dims` = kv_lora_rank + qk_rope_head_dim."""
    if dtype == "fp8_ds_mla":
        return SPARSE_MLA_FP8_BYTES
    if dtype == "nvfp4_ds_mla":
        return SPARSE_MLA_NVFP4_BYTES
    if dtype in {"int8_per_token_head", "fp8_per_token_head"}:
        return dims + 8
    if dtype == "int4_per_token_head":
        return dims // 2 + 8
    return dims * (model_width if dtype == "auto" else width(dtype))


def index_bytes(index_head_dim: int) -> int:
    """Return the bytes of one token's index key: fp8 with an fp32 scale for each 128 elements."""
    return index_head_dim + (index_head_dim + 127) // 128 * INDEXER_SCALE_BYTES
