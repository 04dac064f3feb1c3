"""vLLM's engine arguments: which fact each sets, and how a value reads however it was written."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from packaging.version import InvalidVersion, Version

from bot.deployment import Speculation
from bot.units import Bytes

LONGEST_VALUE = 8_000
"""Characters of one value that are read; a compilation config has about 2,000."""

_NUMBER = re.compile(r"[-+]?(?:\d[\d_]{0,17}(?:\.\d{0,12})?|\.\d{1,12})(?:[eE][-+]?\d{1,3})?")
_COUNT = re.compile(r"(-?\d[\d_,]{0,18}(?:\.\d{1,6})?)\s?(?:([kKmMgGtT])(i?)[bB]?)?")
_POWER = {"k": 1, "m": 2, "g": 3, "t": 4}


def _read_count(raw: str) -> int | None:
    """Read "8192", "8k" (8000), "8K" (8192), "32_768"."""
    found = _COUNT.fullmatch(raw)
    if not found or found[1] == "":
        return None
    number = float(found[1].replace("_", "").replace(",", ""))
    if not found[2]:
        return int(number)
    base = 1000 if found[2].islower() and not found[3] else 1024
    return int(number * base ** _POWER[found[2].lower()])


def _read_positive(raw: str) -> int | None:
    count = _read_count(raw)
    return count if count is not None and 0 < count < 10**15 else None


def _read_float(raw: str) -> float | None:
    return float(raw.replace("_", "")) if _NUMBER.fullmatch(raw) and len(raw) < 40 else None


def _read_share(raw: str) -> float | None:
    value = _read_float(raw.removesuffix("%"))
    if value is None:
        return None
    value = value / 100 if raw.endswith("%") or 1.5 < value <= 100 else value
    return round(value, 6) if 0 < value <= 1.5 else None


def _read_bytes(raw: str) -> Bytes | None:
    count = _read_count(raw)
    return Bytes(count) if count is not None and count > 0 else None


def _read_bool(raw: str) -> bool | None:
    return {
        "true": True,
        "1": True,
        "yes": True,
        "on": True,
        "": True,
        "false": False,
        "0": False,
        "no": False,
        "off": False,
    }.get(raw.lower())


def _read_not(raw: str) -> bool | None:
    value = _read_bool(raw)
    return None if value is None else not value


def _read_text(raw: str) -> str | None:
    if raw.lower() in {"", "none", "null"} or "$" in raw or len(raw) > 400:
        return None
    return raw


def _read_word(raw: str) -> str | None:
    """Read one word of an enumeration: "fp8_e5m2", "half", "torch.bfloat16", "<AttentionBackendEnum.X: 1>"."""
    found = re.fullmatch(r"(?:<\w{1,60}\.)?(?:torch\.)?([A-Za-z][\w.+-]{0,60})(?::[^>]{0,80}>)?", raw)
    if not found or raw.lower() in {"none", "null"}:
        return None
    return found[1]


def _read_mode(raw: str) -> str | None:
    """Read a mode of CUDA graphs; "NONE" is one."""
    return "NONE" if raw == "NONE" else _read_word(raw)


def _read_model(raw: str) -> str | None:
    raw = raw.rstrip("/").removesuffix(".").strip()
    is_shaped = re.fullmatch(r"[\w./~<>:@ \\-]{2,400}", raw) is not None
    return raw if is_shaped and raw.lower() not in {"none", "null", "true", "false"} else None


def read_structure(raw: str) -> object | None:
    """Return the JSON or Python literal that a text holds, or None."""
    if len(raw) > LONGEST_VALUE or raw.count("[") + raw.count("{") + raw.count("(") > 200:
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            return cast("object", read(raw))
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
    return None


def _read_speculation(raw: str) -> Speculation | None:
    record = read_structure(raw)
    if not isinstance(record, dict):
        return None
    said = cast("dict[object, object]", record)
    tokens, model, method = said.get("num_speculative_tokens"), said.get("model"), said.get("method")
    if isinstance(method, str) or isinstance(model, str):
        count = tokens if isinstance(tokens, int) and not isinstance(tokens, bool) else None
        return Speculation(
            method=method if isinstance(method, str) else None,
            tokens=count,
            model=model if isinstance(model, str) else None,
        )
    return None


def _read_draft(raw: str) -> Speculation | None:
    """Read the draft model of the old flag; "[ngram]" needs none."""
    if raw == "[ngram]":
        return Speculation(method="ngram")
    model = _read_model(raw)
    return Speculation(model=model) if model else None


def _read_limits(raw: str) -> dict[str, int] | None:
    """Read `{"image": 2}` and the older `image=2,video=1`."""
    record = read_structure(raw) if raw.startswith("{") else dict(re.findall(r"(\w{1,30})=(\d{1,6})", raw))
    if not isinstance(record, dict):
        return None
    limits = {str(name): _limit(value) for name, value in cast("dict[object, object]", record).items()}
    return {name: value for name, value in limits.items() if value is not None} or None


def _limit(value: object) -> int | None:
    if isinstance(value, dict):
        value = cast("dict[object, object]", value).get("count")
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def _read_engine(raw: str) -> str | None:
    return {"0": "V0", "1": "V1"}.get(raw)


def _read_len(raw: str) -> int | None:
    return _read_positive(raw)


def _read_auto(raw: str) -> bool | None:
    return True if raw.lower() in {"auto", "-1"} else None


def read_version(raw: str) -> Version | None:
    """Return a vLLM version as logs print it, development builds included, or None."""
    try:
        return Version(raw.strip().removeprefix("v").rstrip("."))
    except InvalidVersion:
        return None


_Read = Callable[[str], Any]

# argument as vLLM's Python names it → the fact, and how its value reads
ARGUMENTS: Mapping[str, tuple[tuple[str, _Read], ...]] = {
    "model": (("model", _read_model),),
    "model_tag": (("model", _read_model),),
    "model_path": (("model", _read_model),),
    "tensor_parallel_size": (("tensor_parallel", _read_positive),),
    "pipeline_parallel_size": (("pipeline_parallel", _read_positive),),
    "data_parallel_size": (("data_parallel", _read_positive),),
    "enable_expert_parallel": (("expert_parallel", _read_bool),),
    "decode_context_parallel_size": (("decode_context_parallel", _read_positive),),
    "nnodes": (("nodes", _read_positive),),
    "gpu_memory_utilization": (("gpu_memory_utilization", _read_share),),
    "max_model_len": (("max_model_len", _read_len), ("auto_max_model_len", _read_auto)),
    "max_seq_len": (("max_model_len", _read_len),),
    "max_num_seqs": (("max_num_seqs", _read_positive),),
    "max_num_batched_tokens": (("max_num_batched_tokens", _read_positive),),
    "kv_cache_dtype": (("kv_cache_dtype", _read_word),),
    "kv_cache_memory_bytes": (("kv_cache_memory", _read_bytes),),
    "kv_cache_memory": (("kv_cache_memory", _read_bytes),),
    "num_gpu_blocks_override": (("num_gpu_blocks_override", _read_positive),),
    "block_size": (("block_size", _read_positive),),
    "swap_space": (("swap_space_gib", _read_float),),
    "cpu_offload_gb": (("cpu_offload_gib", _read_float),),
    "dtype": (("dtype", _read_word),),
    "quantization": (("quantization", _read_word),),
    "load_format": (("load_format", _read_word),),
    "enforce_eager": (("enforce_eager", _read_bool),),
    "max_cudagraph_capture_size": (("max_cudagraph_capture_size", _read_positive),),
    "cudagraph_mode": (("cudagraph_mode", _read_mode),),
    "attention_backend": (("attention_backend", _read_word),),
    "enable_chunked_prefill": (("chunked_prefill", _read_bool),),
    "chunked_prefill_enabled": (("chunked_prefill", _read_bool),),
    "enable_prefix_caching": (("prefix_caching", _read_bool),),
    "async_scheduling": (("async_scheduling", _read_bool),),
    "disable_hybrid_kv_cache_manager": (("hybrid_kv_cache", _read_not),),
    "mamba_cache_dtype": (("mamba_cache_dtype", _read_word),),
    "mamba_ssm_cache_dtype": (("mamba_ssm_cache_dtype", _read_word),),
    "mamba_cache_mode": (("mamba_cache_mode", _read_word),),
    "enable_lora": (("lora", _read_bool),),
    "max_loras": (("max_loras", _read_positive),),
    "max_lora_rank": (("max_lora_rank", _read_positive),),
    "speculative_config": (("speculation", _read_speculation),),
    "speculative_model": (("speculation", _read_draft),),
    "limit_mm_per_prompt": (("multimodal_limits", _read_limits),),
    "language_model_only": (("language_model_only", _read_bool),),
    "skip_mm_profiling": (("skip_mm_profiling", _read_bool),),
    "mm_encoder_tp_mode": (("encoder_tensor_parallel", _read_word),),
    "served_model_name": (("served_name", _read_text),),
    "vllm_use_v1": (("engine", _read_engine),),
    "vllm_attention_backend": (("attention_backend", _read_word),),
}
_SHORT = {
    "tp": "tensor_parallel_size", "pp": "pipeline_parallel_size", "dp": "data_parallel_size", "q": "quantization",
    "ep": "enable_expert_parallel", "dcp": "decode_context_parallel_size", "gpu_memory_util": "gpu_memory_utilization",
    "tensor_parallel": "tensor_parallel_size", "pipeline_parallel": "pipeline_parallel_size", "max_model_length": "max_model_len",
    "gpu_memory_utilisation": "gpu_memory_utilization", "max_num_seq": "max_num_seqs", "n_gpu": "tensor_parallel_size",
    "spec_config": "speculative_config", "sc": "speculative_config", "num_gpus": "tensor_parallel_size",
}  # fmt: skip
SWITCHES = frozenset(name for name, targets in ARGUMENTS.items() if any(read in {_read_bool, _read_not} for _, read in targets)) | {
    "trust_remote_code", "disable_log_requests", "disable_log_stats", "enable_auto_tool_choice", "disable_custom_all_reduce",
    "enable_sleep_mode", "use_v2_block_manager", "worker_use_ray", "engine_use_ray", "enable_reasoning", "headless",
    "enable_eplb", "enable_dbo", "disable_uvicorn_access_log", "enable_log_requests", "enable_server_load_tracking",
    "return_tokens_as_token_ids", "disable_frontend_multiprocessing", "enable_prompt_tokens_details", "disable_sliding_window",
}  # fmt: skip


def full_name(name: str) -> str:
    """Return the argument as Python names it: "--tensor-parallel-size" and "-tp" are one."""
    plain = name.lstrip("-").replace("-", "_").replace(".", "_").lower()
    return _SHORT.get(plain, plain)


def read_argument(name: str, raw: str) -> dict[str, Any]:
    """Return the facts that an argument sets; nothing when the argument is unknown or its value does not read."""
    plain = full_name(name)
    if plain.startswith("no_") and plain[3:] in SWITCHES:
        plain, raw = plain[3:], {"": "false", "true": "false"}.get(raw.lower(), raw)
    raw = raw.strip().strip("\"'`") if len(raw) <= LONGEST_VALUE else ""
    if plain == "compilation_config":
        return _read_compilation(raw)
    read = {fact: reader(raw) for fact, reader in ARGUMENTS.get(plain, ())}
    return {fact: value for fact, value in read.items() if value is not None}


def _read_compilation(raw: str) -> dict[str, Any]:
    record = read_structure(raw)
    if not isinstance(record, dict):
        return {}
    said = cast("dict[object, object]", record)
    known = {
        name: said[name] for name in ("cudagraph_mode", "max_cudagraph_capture_size") if said.get(name) is not None
    }
    return {
        fact: value for name, raw_value in known.items() for fact, value in read_argument(name, str(raw_value)).items()
    }


def is_known(name: str) -> bool:
    """Return whether an argument sets a fact."""
    plain = full_name(name)
    return plain.removeprefix("no_") in ARGUMENTS or plain == "compilation_config"
