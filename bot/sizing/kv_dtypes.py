"""Which data type the KV cache really has, and the bytes of a token in it."""

from __future__ import annotations

from typing import NamedTuple

from bot.deployment import Gpu
from bot.model_shape import ModelShape, Quantization
from bot.sizing.dtypes import WIDTHS
from bot.sizing.eras import Release
from bot.sizing.generations import BLACKWELL, WORKSTATION, generation_of

_FP8 = ("fp8", "fp8_e4m3", "fp8_e5m2", "fp8_inc", "fp8_ds_mla")
_WIDTHS = WIDTHS | dict.fromkeys(_FP8, 1)

EIGHT_BITS = 8
# Bits of keys and values. Source: vLLM `layers/quantization/turboquant/config.py`, TQ_PRESETS.
_TURBOQUANT = {
    "turboquant_k8v4": (8, 4),
    "turboquant_4bit_nc": (4, 4),
    "turboquant_k3v4_nc": (3, 4),
    "turboquant_3bit_nc": (3, 3),
}

PACKED = "fp8_ds_mla"
CHECKPOINT_DECIDES_FROM = (0, 14)  # ModelOpt's, on an fp8 cache
FEW_HEADS = 16
_SM100_DEFAULTS = {"glm_moe_dsa": (0, 32), "glm5_next": (0, 33)}  # from when the model's cache is fp8 there by itself
SPARSE_MLA_FP8_BYTES = 656  # 512 fp8 + 16 of scales + 64 rotary elements of 2
SPARSE_MLA_NVFP4_BYTES = 352
INDEXER_SCALE_BYTES = 4  # one fp32 for each 128 elements of the index key


def width(dtype: str | None) -> int:
    """Return the bytes of one element; unknown names count as 16 bits."""
    return _WIDTHS.get((dtype or "").removeprefix("torch.").lower(), 2)


def is_eight_bit(dtype: str) -> bool:
    """Return whether it is one of the plain fp8 kinds."""
    return width(dtype) == 1


class Kernel(NamedTuple):
    """What decides which attention kernel runs: the card, the heads on it, and the backend where it was named."""

    card: Gpu | None = None
    heads: int | None = None
    backend: str | None = None


_UNTOLD = Kernel()


def default(shape: ModelShape, release: Release, card: Gpu | None = None) -> tuple[str, str]:
    """Return the KV dtype that "auto" stands for, and why.

    That is the model's own dtype, except where the checkpoint asks for another one (ModelOpt's `kv_cache_quant_algo`
    from 0.14.0, nvfp4 from 0.20; a `kv_cache_scheme` of compressed-tensors from 0.15, outside of MLA), for
    DeepSeek-V3.2 in 0.11, and for GLM's sparse models on SM100.

    Source: vLLM 0.33 `utils/torch_utils.py`, resolve_kv_cache_dtype_string, `layers/attention/attention.py` and
    `model_executor/models/config.py`.
    """
    found = shape.quantization
    wanted = (found.kv_cache or "").lower() if found else ""
    if wanted.startswith("fp8") and release >= _heeds_checkpoint_from(found, shape):
        return ("fp8_e4m3" if _is_sparse(shape) else "fp8"), "the checkpoint asks for an fp8 KV cache"
    if wanted == "nvfp4" and release >= (0, 20):
        return "nvfp4", "the checkpoint asks for an nvfp4 KV cache"
    since = _SM100_DEFAULTS.get(shape.model_type or "")
    if _is_sparse(shape) and ((0, 11) <= release < (0, 11, 1)):
        return "fp8_ds_mla", "this version's default for sparse MLA"
    if _is_sparse(shape) and since and release >= since and generation_of(card) == BLACKWELL:
        return "fp8_e4m3", "this version's default for the model on this card"
    return "auto", "the model's own dtype"


def _heeds_checkpoint_from(found: Quantization | None, shape: ModelShape) -> Release:
    if found is None or found.method != "compressed-tensors":
        return CHECKPOINT_DECIDES_FROM
    return (0, 15) if shape.mla is None else (999,)


def stored(asked: str | None, shape: ModelShape, release: Release, kernel: Kernel = _UNTOLD) -> str:
    """Return the KV dtype in use: what was asked for, or "auto" resolved, in the layout that the kernel wants."""
    name = (asked or "auto").lower()
    if name == "auto":
        name = default(shape, release, kernel.card)[0]
    return _sparse_layout(name, release, kernel) if _is_sparse(shape) else name


def _sparse_layout(name: str, release: Release, kernel: Kernel) -> str:
    """Return how the kernel for sparse MLA stores `name`: FlashMLA's packs fp8 with scales, FlashInfer's takes it plain.

    FlashInfer's for SM120 packs even where nothing was asked for.

    Source: vLLM 0.33 `layers/attention/mla_attention.py`, _canonicalize_sparse_mla_kv_cache_dtype; up to 0.17
    `models/config.py`, DeepseekV32ForCausalLM, packed whatever the kernel.
    """
    is_sm120 = generation_of(kernel.card) == WORKSTATION or (kernel.backend or "").upper().endswith("_SM120")
    if is_sm120 and name in {"auto", "fp8", "fp8_e4m3"} and release >= (0, 24):
        return PACKED
    if not is_eight_bit(name) or (release >= (0, 18) and _takes_plain_fp8(name, release, kernel)):
        return name
    return PACKED


def _takes_plain_fp8(name: str, release: Release, kernel: Kernel) -> bool:
    """Return whether the kernel is FlashInfer's for SM100: for all fp8 from 0.20, before where FlashMLA's would pad heads.

    Source: vLLM 0.18 and 0.20 `platforms/cuda.py`, _get_backend_priorities; FlashMLA's knows no "fp8_e4m3" by name.
    """
    if kernel.card is not None and kernel.card.vendor == "amd":
        return True
    if kernel.backend:
        return kernel.backend.upper() == "FLASHINFER_MLA_SPARSE"
    if generation_of(kernel.card) != BLACKWELL:
        return False
    few = kernel.heads is not None and kernel.heads <= FEW_HEADS
    return release >= (0, 20) or name == "fp8_e4m3" or few


def _is_sparse(shape: ModelShape) -> bool:
    return shape.mla is not None and any(layer.has_indexer for layer in shape.kinds)


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
    if dtype == PACKED:
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
