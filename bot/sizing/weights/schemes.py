"""From a checkpoint's quantization, a version and a card to how each module is stored."""

from __future__ import annotations

from functools import lru_cache

from bot.catalog.suffixes import GGUF_BITS
from bot.deployment import Gpu
from bot.model_shape import Quantization
from bot.sizing.eras import Release
from bot.sizing.weights.excluded import matches
from bot.sizing.weights.quantized import Scheme
from bot.sizing.weights.tensors import Matrix

PLAIN = Scheme("plain")
_EXPERTS = ".experts."


def scheme_of(quantization: Quantization, base: Scheme, matrix: Matrix, layer: int | None) -> Scheme:
    """Return how this module is stored: as the checkpoint says, or in 16 bits where it is left out."""
    modules = matrix.modules
    for pattern, algorithm in quantization.mixed:
        if matches((pattern,), layer, modules):
            return by_algorithm(algorithm)
    if quantization.mixed or modules[0] == "lm_head":
        return _outside(quantization, base, modules)
    if matches(quantization.excluded, layer, modules) or _never_quantized(modules[0]):
        return PLAIN
    if quantization.expert_bits and _EXPERTS in modules[0]:
        return Scheme("flat", bits=quantization.expert_bits)
    return base


def _never_quantized(module: str) -> bool:
    return module.endswith(("gate", "in_proj_b", "laurel", "g_proj")) and not module.endswith("output_gate")


def _outside(quantization: Quantization, base: Scheme, modules: tuple[str, ...]) -> Scheme:
    """The output matrix stays in 16 bits everywhere but in GGUF files."""
    if quantization.method == "gguf" and modules[0] == "lm_head":
        return base
    if quantization.mixed and quantization.block and not matches(quantization.excluded, None, modules):
        return Scheme("fp8_block", bits=8, block=quantization.block)
    return PLAIN


def base_scheme(quantization: Quantization, release: Release) -> Scheme:
    """Return the checkpoint's usual way of storing a linear layer.

    GPTQ's experts keep the places of their zero points, in the model's own type up to 0.26.

    Source: vLLM 0.20 `layers/quantization/gptq_marlin.py`, GPTQMarlinMoEMethod, and 0.27 `auto_gptq.py`, w13_qzeros.
    """
    method, algorithm = quantization.method, (quantization.algorithm or "").upper()
    if method == "gguf":
        return Scheme("flat", bits=GGUF_BITS.get(algorithm.removeprefix("UD-"), 4.85))
    for name in ("NVFP4", "MXFP4", "MXFP8"):
        if name in algorithm or name == method.upper():
            return by_algorithm(name)
    if method == "bitsandbytes":
        return _bitsandbytes(quantization, release)
    if quantization.block:
        return Scheme("fp8_block", bits=8, block=quantization.block)
    scheme = _integer(quantization)
    return scheme._replace(expert_zeros=2 if release < (0, 27) else 4) if method == "gptq" else scheme


def keeps_zero_points(quantization: Quantization, asked: str | None, card: Gpu | None, release: Release) -> bool:
    """Return whether GPTQ runs without Marlin, which drops the zero points of a symmetric checkpoint.

    Where `--quantization gptq` says so, on older cards, and on AMD's; from 0.25 there is one method that picks a kernel.

    Source: vLLM 0.11 `layers/quantization/gptq.py`, process_weights_after_loading, and `gptq_marlin.py`,
    override_quantization_method and get_min_capability; 3.88 GiB of a 7B on GB10 with 0.11, 18.14 of a 32B on Turing with 0.8.
    """
    if quantization.method != "gptq" or release >= (0, 25):
        return False
    oldest = 8.0 if release < (0, 14) else 7.5
    is_too_old = card is not None and (card.vendor == "amd" or (card.compute_capability or oldest) < oldest)
    return is_too_old or (asked or "").lower() == "gptq"


def _bitsandbytes(quantization: Quantization, release: Release) -> Scheme:
    """Ready-made checkpoints are nested, and stayed so in memory until 0.9.2."""
    if (quantization.bits or 4) >= 8:
        return Scheme("fp8", bits=8)
    return Scheme("bnb", bits=4, nested=release < (0, 9, 1))


def _eight_bits(quantization: Quantization) -> Scheme:
    """One scale for each tensor in vLLM's own FP8 and ModelOpt's, one for each channel in all others.

    Of a name that ends in FP8 it is not known who wrote it; ModelOpt's is ModelOpt's however it was found out.

    Source: vLLM 0.18 `layers/quantization/fp8.py`, Fp8MoEMethod, and `modelopt.py`, ModelOptFp8LinearMethod.
    """
    is_own = quantization.method == "modelopt" or (quantization.is_known and quantization.method == "fp8")
    is_by_channel = "CHANNEL" in (quantization.algorithm or "").upper()
    return Scheme("fp8_tensor" if is_own and not is_by_channel else "fp8", bits=8)


def _integer(quantization: Quantization) -> Scheme:
    bits = quantization.bits or 4
    if bits >= 8 and not quantization.group_size:
        return _eight_bits(quantization)
    group = quantization.group_size or (128 if bits < 8 else 0)
    symmetric = quantization.symmetric
    if symmetric is None:
        symmetric = not quantization.method.startswith("awq")
    return Scheme("int", bits, group, zero_points=not symmetric, act_order=bool(quantization.act_order))


@lru_cache(maxsize=64)
def by_algorithm(name: str) -> Scheme:
    """Return the way of storing that a mixed checkpoint's name stands for."""
    upper = name.upper()
    if "NVFP4" in upper:
        return Scheme("nvfp4", bits=4)
    if "MXFP4" in upper:
        return Scheme("mxfp4", bits=4)
    if "MXFP8" in upper:
        return Scheme("mxfp8", bits=8)
    if "FP8" in upper and ("BLOCK" in upper or "PB" in upper):
        return Scheme("fp8_block", bits=8, block=(128, 128))
    if "FP8" in upper or "INT8" in upper or "W8" in upper:
        return Scheme("fp8_tensor" if upper == "FP8" else "fp8", bits=8)
    return Scheme("int", bits=4, group=128)
