"""What the end of a checkpoint's name says about its weights."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any, NamedTuple

from bot.model_shape import Quantization

# Bits a weight, block scales included. Mixed files (K_M, K_S, K_L, XL) are the usual average of published files.
GGUF_BITS = {
    "F32": 32.0,
    "F16": 16.0,
    "BF16": 16.0,
    "Q8_0": 8.5,
    "Q8_K_XL": 10.4,
    "Q6_K": 6.5625,
    "Q6_K_XL": 7.3,
    "Q5_K": 5.5,
    "Q5_K_XL": 5.74,
    "Q5_K_M": 5.69,
    "Q5_K_S": 5.54,
    "Q5_0": 5.5,
    "Q5_1": 6.0,
    "Q4_K": 4.5,
    "Q4_K_XL": 5.0,
    "Q4_K_M": 4.85,
    "Q4_K_S": 4.58,
    "Q4_0": 4.5,
    "Q4_1": 5.0,
    "IQ4_XS": 4.25,
    "IQ4_NL": 4.5,
    "Q3_K": 3.4375,
    "Q3_K_XL": 4.2,
    "Q3_K_L": 4.27,
    "Q3_K_M": 3.91,
    "Q3_K_S": 3.5,
    "IQ3_XXS": 3.0625,
    "IQ3_S": 3.4375,
    "IQ3_M": 3.66,
    "Q2_K": 2.625,
    "Q2_K_XL": 3.4,
    "Q2_K_S": 2.5,
    "IQ2_XXS": 2.0625,
    "IQ2_XS": 2.3125,
    "IQ2_S": 2.5,
    "IQ2_M": 2.7,
    "IQ1_S": 1.5625,
    "IQ1_M": 1.75,
    "MXFP4": 4.25,
}
_GGUF = re.compile(
    r"[-_.]?(?:i1-)?(?:UD-)?((?:IQ[1-4]_(?:XXS|XS|S|M|NL))|(?:Q[2-8]_(?:K(?:_(?:XL|L|M|S))?|0|1)))\Z", re.IGNORECASE
)
# A name's end, and what it says; the first that fits counts, so the longer ones stand first.
_ENDINGS: tuple[tuple[str, dict[str, Any] | None], ...] = (
    (r"unsloth-bnb-4bit", {"method": "bitsandbytes", "bits": 4, "algorithm": "dynamic"}),
    (r"(?:bnb|bitsandbytes|nf4)(?:[-_](?:nf)?4[-_]?bit)?|bnb-?nf4", {"method": "bitsandbytes", "bits": 4}),
    (r"bnb-8bit", {"method": "bitsandbytes", "bits": 8}),
    (r"(?:gptq)-?(?:marlin-)?(?:int)?8(?:-?bits?)?(?:-\d+g)?", {"method": "gptq", "bits": 8, "group_size": 128}),
    (
        r"gptq(?:-marlin)?(?:[-_]?(?:int)?4(?:-?b(?:its?)?)?)?(?:-?g?128g?)?",
        {"method": "gptq", "bits": 4, "group_size": 128},
    ),
    (r"awq-?(?:int)?8(?:-?bit)?", {"method": "awq", "bits": 8, "group_size": 128}),
    (r"awq(?:[-_]?(?:int)?4(?:-?bit)?)?(?:-w4a16)?(?:-?g?128)?", {"method": "awq", "bits": 4, "group_size": 128}),
    (
        r"(?:int4-)?auto-?round(?:-(?:awq|gptq))?(?:-int4|-4bit)?|int4-mixed-autoround",
        {"method": "auto-round", "bits": 4, "group_size": 128, "symmetric": True},
    ),
    (r"nvfp4(?:a16)?|fp4", {"method": "modelopt", "bits": 4, "group_size": 16, "algorithm": "NVFP4"}),
    (r"mxfp4", {"method": "mxfp4", "bits": 4, "group_size": 32}),
    (r"mxfp8", {"method": "mxfp8", "bits": 8, "group_size": 32}),
    (r"fp8[-_]block", {"method": "fp8", "bits": 8, "block": (128, 128)}),
    (r"fp8(?:[-_](?:dynamic|kv|static(?:-pertensor)?|torchao))?|float8", {"method": "fp8", "bits": 8}),
    (
        r"(?:quantized[.-])?w8a8(?:-int8|-fp8)?",
        {"method": "compressed-tensors", "bits": 8, "algorithm": "int-quantized"},
    ),
    (r"(?:quantized[.-])?w8a16", {"method": "compressed-tensors", "bits": 8, "group_size": 128, "symmetric": True}),
    (
        r"(?:quantized[.-])?w4a(?:16|8)(?:-g128)?",
        {
            "method": "compressed-tensors",
            "bits": 4,
            "group_size": 128,
            "symmetric": True,
            "algorithm": "pack-quantized",
        },
    ),
    (r"int8|8-?bit", {"method": "unknown", "bits": 8}),
    (r"(?:mlx-)?int4|4-?bit", {"method": "unknown", "bits": 4, "group_size": 128}),
    (r"gguf", {"method": "gguf"}),
    (r"bf16|fp16|fp32|(?:qat-q4_0-)?unquantized", {}),
    (r"hf|mtp|qat|qat-q4_0|safetensors|i1", None),
)
_GROUPS_OF_32 = frozenset({"cyankiwi", "cpatonn"})


class Stripped(NamedTuple):
    """A name without the end that tells of its weights, and what that end told."""

    base: str
    quantization: Quantization | None
    is_plain: bool = False  # that end told that nothing is quantized, whatever the base model is


@lru_cache(maxsize=4096)  # one sizing asks several times for the same name
def strip(base: str) -> Stripped:
    """Cut what tells of the weights off a name.

    >>> strip("Qwen2.5-7B-Instruct-GPTQ-Int4").base
    'Qwen2.5-7B-Instruct'
    """
    facts: dict[str, Any] = {}
    is_plain = False
    while (end := _end(base)) is not None:
        base, told = base[: end.start], end.told
        is_plain |= told == {}
        facts = {**(told or {}), **facts}
    quantization = Quantization.model_validate({**facts, "is_known": False}) if facts else None
    return Stripped(base, quantization, is_plain and not facts)


class _End(NamedTuple):
    start: int
    told: dict[str, Any] | None  # none: nothing of the weights


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], dict[str, Any] | None], ...]:
    return tuple((re.compile(rf"[-_.\s](?:{ending})\Z", re.IGNORECASE), facts) for ending, facts in _ENDINGS)


def _end(base: str) -> _End | None:
    """Return the last word of a name that tells of its weights."""
    if found := _GGUF.search(base):
        return _End(found.start(), {"method": "gguf", "algorithm": found[1].upper()}) if found.start() else None
    for pattern, told in _patterns():
        if found := pattern.search(base):
            return _End(found.start(), told) if found.start() else None
    return None


def as_packed(organisation: str | None, quantization: Quantization | None) -> Quantization | None:
    """Return how checkpoints of that name are packed by their maker.

    Some call compressed-tensors in groups of 32 "AWQ"; "FP8" of NVIDIA is ModelOpt's.

    Source: the three of NVIDIA's `-FP8` repositories whose config.json is known; vLLM 0.33
    `layers/quantization/modelopt.py`, override_quantization_method.
    """
    owner = (organisation or "").lower()
    if quantization is None:
        return None
    if owner == "nvidia" and quantization.method == "fp8" and not quantization.block:
        return quantization.model_copy(update={"method": "modelopt", "algorithm": "FP8"})
    if quantization.method != "awq" or quantization.bits != 4 or owner not in _GROUPS_OF_32:
        return quantization
    facts = {"method": "compressed-tensors", "group_size": 32, "symmetric": True, "algorithm": "pack-quantized"}
    return quantization.model_copy(update=facts)


def of_tag(tag: str | None) -> Quantization | None:
    """Return what a GGUF type says, as it follows the colon of `repo:Q4_K_M`."""
    if not tag:
        return None
    found = _GGUF.search("-" + tag)
    name = found[1].upper() if found else tag.upper()
    return Quantization(method="gguf", algorithm=name, is_known=False) if found or name in GGUF_BITS else None


def from_flag(method: str) -> Quantization | None:
    """Return the quantization that a `--quantization` value or a sloppy word names."""
    return strip("x-" + method.replace("_", "-")).quantization
