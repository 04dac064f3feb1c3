"""From quantization_config and hf_quant_config.json to how a checkpoint's linear layers are stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from bot.model_shape import Quantization

_LAYER = re.compile(r"(?<!\w)(?:layers|blocks|h)\.(\d+)(?=\.|\*|$)")
_ONE_EXPERT = re.compile(r"\.experts\.\d+\.")
_MXFP4_BITS = 4.25


def quantization_of(
    config: Mapping[str, Any] | None, hf_quant_config: Mapping[str, Any] | None = None, expert_dtype: object = None
) -> Quantization | None:
    """Return how the checkpoint stores its linear layers, or None for a 16-bit one."""
    extra = (hf_quant_config or {}).get("quantization") or hf_quant_config or {}
    config = config or {}
    if not config and not extra:
        return None
    algorithm = extra.get("quant_algo") or config.get("quant_algo")
    method = str(config.get("quant_method") or ("modelopt" if algorithm else "unknown")).lower()
    weights, mixed = _weights(config), _mixed(config, extra)
    facts: dict[str, Any] = {
        "method": method,
        "algorithm": str(algorithm) if algorithm else config.get("format"),
        "bits": _bits(method, config, weights, algorithm),
        "group_size": _group(config, extra, weights),
        "block": _block(config, weights),
        "symmetric": _symmetric(config, weights),
        "act_order": bool(config["desc_act"]) if "desc_act" in config else None,
        "excluded": _excluded(config, extra),
        "mixed": mixed,
        "kv_cache": _kv_cache(config, extra),
        "expert_bits": None if mixed else _expert_bits(config, expert_dtype),
    }
    return Quantization.model_validate(facts)


def _expert_bits(config: Mapping[str, Any], expert_dtype: object) -> float | None:
    """Return the width of experts that the config says are stored apart, as DeepSeek V4 and MiMo V2.6 do."""
    return _MXFP4_BITS if expert_dtype == "fp4" or config.get("store_dtype") == "mxfp4" else None


def _weights(config: Mapping[str, Any]) -> Mapping[str, Any]:
    groups = config.get("config_groups")
    if not isinstance(groups, Mapping):
        return {}
    first = next(iter(groups.values()), {})
    found = first.get("weights") if isinstance(first, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _bits(method: str, config: Mapping[str, Any], weights: Mapping[str, Any], algorithm: object) -> float | None:
    stated = config.get("bits") or config.get("w_bit") or weights.get("num_bits")
    if stated:
        return float(stated)
    if config.get("load_in_4bit") or str(algorithm).endswith("NVFP4"):
        return 4
    by_method = {"fp8": 8, "mxfp4": 4, "mxfp8": 8, "fbgemm_fp8": 8, "bitsandbytes": 4}
    return 8 if "FP8" in str(algorithm) or config.get("load_in_8bit") else by_method.get(method)


def _group(config: Mapping[str, Any], extra: Mapping[str, Any], weights: Mapping[str, Any]) -> int | None:
    stated = (
        config.get("group_size") or config.get("q_group_size") or weights.get("group_size") or extra.get("group_size")
    )
    return int(stated) if isinstance(stated, int) and stated > 0 else None


def _block(config: Mapping[str, Any], weights: Mapping[str, Any]) -> tuple[int, int] | None:
    found = config.get("weight_block_size") or weights.get("block_structure")
    return (int(found[0]), int(found[1])) if isinstance(found, (list, tuple)) and len(found) == 2 else None


def _symmetric(config: Mapping[str, Any], weights: Mapping[str, Any]) -> bool | None:
    for stated in (config.get("sym"), weights.get("symmetric")):
        if isinstance(stated, bool):
            return stated
    return None if "zero_point" not in config else not config["zero_point"]


def _kv_cache(config: Mapping[str, Any], extra: Mapping[str, Any]) -> str | None:
    """Return what the checkpoint asks for; ModelOpt's second file is read where the first says nothing of quantization.

    Source: vLLM 0.14 to 0.33 `transformers_utils/config.py`, get_config. nvidia/Qwen3.6-35B-A3B-NVFP4, whose first file has
    no word of the cache, kept it in 16 bits with 0.29.
    """
    scheme = config.get("kv_cache_scheme")
    stated = (config or extra).get("kv_cache_quant_algo")
    if stated:
        return str(stated).lower()
    if isinstance(scheme, str):
        return scheme.lower()
    return "fp8" if isinstance(scheme, Mapping) and scheme.get("num_bits") == 8 else None


def _excluded(config: Mapping[str, Any], extra: Mapping[str, Any]) -> tuple[str, ...]:
    names: list[str] = []
    for key in ("ignore", "modules_to_not_convert", "ignored_layers", "exclude_modules", "llm_int8_skip_modules"):
        for source in (config, extra):
            found = source.get(key)
            names += [str(name) for name in found] if isinstance(found, list) else []
    return shorten(names)


def shorten(names: Iterable[str]) -> tuple[str, ...]:
    """Fold names that differ in the layer's number only: `layers.{0-2,5}.mlp`."""
    folded: dict[str, set[int]] = {}
    for name in names:
        numbers = [int(number) for number in _LAYER.findall(name)] if not name.startswith("re:") else []
        pattern = _LAYER.sub(lambda m: m.group(0).split(".")[0] + ".{}", name) if numbers else name
        folded.setdefault(pattern, set()).update(numbers)
    return tuple(name.replace("{}", "{" + _ranges(numbers) + "}") for name, numbers in folded.items())


def _ranges(numbers: set[int]) -> str:
    parts: list[str] = []
    for number in sorted(numbers):
        first, _, last = parts[-1].partition("-") if parts else ("", "", "")
        if parts and number == int(last or first) + 1:
            parts[-1] = f"{first}-{number}"
        else:
            parts.append(str(number))
    return ",".join(parts)


def _mixed(config: Mapping[str, Any], extra: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """A mixed-precision checkpoint names the algorithm of each layer."""
    layers = extra.get("quantized_layers") or config.get("quantized_layers")
    if not isinstance(layers, Mapping):
        return ()
    by_algorithm: dict[str, dict[str, None]] = {}
    for name, how in layers.items():
        algorithm = str(how.get("quant_algo") if isinstance(how, Mapping) else how)
        by_algorithm.setdefault(algorithm, {})[_ONE_EXPERT.sub(".experts.", str(name))] = None
    return tuple((name, algorithm) for algorithm, names in by_algorithm.items() for name in shorten(names))
