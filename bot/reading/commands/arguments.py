"""vLLM's engine arguments: which fact each sets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, cast

from bot.facts import FACTS
from bot.reading.argument_values import (
    LONGEST_VALUE,
    as_auto,
    as_bytes,
    as_draft,
    as_engine,
    as_float,
    as_graph_mode,
    as_level,
    as_limits,
    as_model,
    as_no_graphs,
    as_opposite,
    as_positive,
    as_several,
    as_share,
    as_sizes,
    as_speculation,
    as_text,
    as_whole_graphs,
    as_word,
    as_yes_or_no,
    read_structure,
)
from bot.reading.commands.misspelt import FARTHEST, meant_by
from bot.reading.pairs import read_pairs

_Read = Callable[[str], Any]

# argument as vLLM's Python names it → the fact, and how its value reads
ARGUMENTS: Mapping[str, tuple[tuple[str, _Read], ...]] = {
    "model": (("model", as_model),),
    "model_tag": (("model", as_model),),
    "model_path": (("model", as_model),),
    "tensor_parallel_size": (("tensor_parallel", as_positive),),
    "pipeline_parallel_size": (("pipeline_parallel", as_positive),),
    "data_parallel_size": (("data_parallel", as_positive),),
    "enable_expert_parallel": (("expert_parallel", as_yes_or_no),),
    "decode_context_parallel_size": (("decode_context_parallel", as_positive),),
    "nnodes": (("nodes", as_positive),),
    "gpu_memory_utilization": (("gpu_memory_utilization", as_share),),
    "device_memory_utilization": (("gpu_memory_utilization", as_share),),
    "max_model_len": (("max_model_len", as_positive), ("auto_max_model_len", as_auto)),
    "max_seq_len": (("max_model_len", as_positive),),
    "max_num_seqs": (("max_num_seqs", as_positive),),
    "max_num_batched_tokens": (("max_num_batched_tokens", as_positive),),
    "kv_cache_dtype": (("kv_cache_dtype", as_word),),
    "kv_cache_memory_bytes": (("kv_cache_memory", as_bytes),),
    "kv_cache_memory": (("kv_cache_memory", as_bytes),),
    "num_gpu_blocks_override": (("num_gpu_blocks_override", as_positive),),
    "block_size": (("block_size", as_positive),),
    "swap_space": (("swap_space_gib", as_float),),
    "cpu_offload_gb": (("cpu_offload_gib", as_float),),
    "dtype": (("dtype", as_word),),
    "quantization": (("quantization", as_word),),
    "load_format": (("load_format", as_word),),
    "enforce_eager": (("enforce_eager", as_yes_or_no),),
    "max_cudagraph_capture_size": (("max_cudagraph_capture_size", as_positive),),
    "cudagraph_capture_sizes": (("cudagraph_capture_sizes", as_sizes),),
    "cuda_graph_sizes": (("max_cudagraph_capture_size", as_positive), ("cudagraph_capture_sizes", as_several)),
    "cudagraph_mode": (("cudagraph_mode", as_graph_mode),),
    "optimization_level": (("optimization_level", as_level),),
    "compilation_config_mode": (("compilation_mode", as_level),),
    "compilation_config_level": (("compilation_mode", as_level),),
    "compilation_config_use_cudagraph": (("cudagraph_mode", as_no_graphs),),
    "compilation_config_full_cuda_graph": (("cudagraph_mode", as_whole_graphs),),
    "attention_backend": (("attention_backend", as_word),),
    "enable_chunked_prefill": (("chunked_prefill", as_yes_or_no),),
    "chunked_prefill_enabled": (("chunked_prefill", as_yes_or_no),),
    "enable_prefix_caching": (("prefix_caching", as_yes_or_no),),
    "async_scheduling": (("async_scheduling", as_yes_or_no),),
    "performance_mode": (("performance_mode", as_word),),
    "disable_hybrid_kv_cache_manager": (("hybrid_kv_cache", as_opposite),),
    "mamba_cache_dtype": (("mamba_cache_dtype", as_word),),
    "mamba_ssm_cache_dtype": (("mamba_ssm_cache_dtype", as_word),),
    "mamba_cache_mode": (("mamba_cache_mode", as_word),),
    "enable_lora": (("lora", as_yes_or_no),),
    "max_loras": (("max_loras", as_positive),),
    "max_lora_rank": (("max_lora_rank", as_positive),),
    "speculative_config": (("speculation", as_speculation),),
    "speculative_model": (("speculation", as_draft),),
    "limit_mm_per_prompt": (("multimodal_limits", as_limits),),
    "language_model_only": (("language_model_only", as_yes_or_no),),
    "skip_mm_profiling": (("skip_mm_profiling", as_yes_or_no),),
    "mm_encoder_tp_mode": (("encoder_tensor_parallel", as_word),),
    "served_model_name": (("served_name", as_text),),
    "vllm_use_v1": (("engine", as_engine),),
    "vllm_attention_backend": (("attention_backend", as_word),),
    "vllm_use_flashinfer_sampler": (("flashinfer_sampler", as_yes_or_no),),
}
_SHORT = {
    "tp": "tensor_parallel_size", "pp": "pipeline_parallel_size", "dp": "data_parallel_size", "q": "quantization",
    "ep": "enable_expert_parallel", "dcp": "decode_context_parallel_size", "gpu_memory_util": "gpu_memory_utilization",
    "tensor_parallel": "tensor_parallel_size", "pipeline_parallel": "pipeline_parallel_size", "max_model_length": "max_model_len",
    "gpu_memory_utilisation": "gpu_memory_utilization", "max_num_seq": "max_num_seqs", "n_gpu": "tensor_parallel_size", "model_id": "model", "model_name": "served_model_name", "n": "nnodes",
    "attention_config_backend": "attention_backend", "ac_backend": "attention_backend", "ac": "attention_config", "cc": "compilation_config",
    "spec_config": "speculative_config", "sc": "speculative_config", "num_gpus": "tensor_parallel_size",
}  # fmt: skip
_SPELLINGS = {name: name for name in ARGUMENTS} | _SHORT
_LONGEST_NAME = max(map(len, _SPELLINGS)) + len("no_") + FARTHEST
_COMPILATION = "compilation_config_"
_NESTED = (_COMPILATION, "cc_", "o_")  # --compilation-config.cudagraph_mode, -cc.…, -O.…
_IN_COMPILATION = ("cudagraph_mode", "max_cudagraph_capture_size", "cudagraph_capture_sizes")
"""Settings within it that are flags as well, in some releases."""

_RECORD = re.compile(r"(?:CompilationConfig|AttentionConfig|dict)\(|\{")
_OPTIMIZED = {f"o{sign}{level}": str(level) for level in range(4) for sign in ("", "=")}  # -O0, -O=0
_INSIDE = {name.removeprefix(_COMPILATION): name for name in ARGUMENTS if name.startswith(_COMPILATION)} | dict(
    zip(_IN_COMPILATION, _IN_COMPILATION, strict=True)
)
"""What the configuration of compiling calls a setting, and the argument that is the same."""

RECORDS = frozenset({"compilation_config", "attention_config", "o", *_OPTIMIZED})
"""Arguments that set facts by what is in them, and other things as well."""

SWITCHES = frozenset(name for name, targets in ARGUMENTS.items() if any(read in {as_yes_or_no, as_opposite} for _, read in targets)) | {
    "allow_credentials", "calculate_kv_scales", "cudagraph_metrics", "data_parallel_hybrid_lb", "disable_custom_all_reduce", "disable_fastapi_docs",
    "disable_frontend_multiprocessing", "disable_log_requests", "disable_log_stats", "disable_mm_preprocessor_cache", "disable_sliding_window",
    "disable_uvicorn_access_log", "enable_auto_tool_choice", "enable_dbo", "enable_eplb", "enable_force_include_usage", "enable_log_requests",
    "enable_logging_iteration_details", "enable_prompt_adapter", "enable_prompt_embeds", "enable_prompt_tokens_details", "enable_reasoning",
    "enable_request_id_headers", "enable_server_load_tracking", "enable_sleep_mode", "engine_use_ray", "fully_sharded_loras", "grpc", "headless",
    "kv_cache_metrics", "kv_sharing_fast_prefill", "multi_step_stream_outputs", "ray_workers_use_nsight", "return_tokens_as_token_ids",
    "o0", "o1", "o2", "o3", "scheduler_reserve_full_isl", "skip_tokenizer_init", "trust_remote_code", "use_tqdm_on_load", "use_v2_block_manager", "worker_use_ray",
}  # fmt: skip
LISTS = frozenset({
    "allowed_headers", "allowed_methods", "allowed_origins", "collect_detailed_traces", "cuda_graph_sizes", "cudagraph_capture_sizes",
    "ignore_patterns", "kv_cache_dtype_skip_layers", "limit_mm_per_prompt", "lora_modules", "middleware", "served_model_name",
})  # fmt: skip
"""Arguments that take several values, a blank between them."""


def full_name(name: str) -> str:
    """Return the argument as Python names it: "--tensor-parallel-size" and "-tp" are one."""
    plain = name.lstrip("-").replace("-", "_").replace(".", "_").lower()
    prefix = next((prefix for prefix in _NESTED if plain.startswith(prefix)), "")
    plain = _INSIDE.get(plain.removeprefix(prefix), plain) if prefix else plain
    plain = _SHORT.get(plain, plain)
    return plain if _is_listed(plain) else misspelt(plain) or plain


def misspelt(name: str) -> str | None:
    """Return the argument that an unknown name can only be a misspelling of, as Python names it.

    >>> misspelt("--max-modle-len"), misspelt("--max-model-len"), misspelt("--port")
    ('max_model_len', None, None)
    """
    plain = name.lstrip("-").replace("-", "_").replace(".", "_").lower()
    if _is_listed(_SHORT.get(plain, plain)):
        return None
    return _meant(plain) if len(plain) <= _LONGEST_NAME else None


@lru_cache(maxsize=1024)
def _meant(plain: str) -> str | None:
    no = "no_" if plain.startswith("no_") else ""
    meant = meant_by(plain.removeprefix(no), _SPELLINGS)
    return f"{no}{meant}" if meant else None


def _is_listed(plain: str) -> bool:
    bare = plain.removeprefix("no_")
    return bare in ARGUMENTS or bare in SWITCHES or bare in LISTS or bare in RECORDS


def read_argument(name: str, raw: str) -> dict[str, Any]:
    """Return the facts that an argument sets; nothing when the argument is unknown or its value does not read."""
    plain = full_name(name)
    if plain.startswith("no_") and plain[3:] in SWITCHES:
        plain, raw = plain[3:], {"": "false", "true": "false"}.get(raw.lower(), raw)
    raw = raw.strip().strip("\"'`") if len(raw) <= LONGEST_VALUE else ""
    if plain in RECORDS:
        return _read_record(plain, raw)
    read = {fact: reader(raw) for fact, reader in ARGUMENTS.get(plain, ())}
    return {fact: value for fact, value in read.items() if value is not None and _may_be(fact, value)}


def _may_be(fact: str, value: object) -> bool:
    """Return whether a fact that takes few words takes this one."""
    choices = FACTS[fact].choices
    return not choices or value in choices


def _read_record(plain: str, raw: str) -> dict[str, Any]:
    """Return the facts of an argument that holds others; a number alone is the level, however it is said."""
    if plain in _OPTIMIZED:
        return read_argument("optimization_level", _OPTIMIZED[plain])
    if raw.isdecimal():
        return read_argument("optimization_level", raw) if plain != "attention_config" else {}
    said = _settings_in(raw)
    if plain == "attention_config":
        return read_argument("attention_backend", said.get("backend", ""))
    facts = [read_argument(name, said[key]) for key, name in _INSIDE.items() if key in said]
    return {name: value for each in facts for name, value in each.items()}


def _settings_in(raw: str) -> Mapping[str, str]:
    """Return the settings of a record as JSON, Python or a printed object has it: `{"mode": 0}`, `CompilationConfig(mode=0)`."""
    record = read_structure(raw)
    if isinstance(record, dict):
        return {str(key): str(value) for key, value in cast("dict[object, object]", record).items()}
    found = _RECORD.match(raw)
    return dict(read_pairs(raw, found.end())) if found else {}


def is_told(name: str, raw: str) -> bool:
    """Return whether the facts of an argument that holds others say all that is in it.

    >>> is_told("-O", '{"cudagraph_mode": "NONE"}'), is_told("-O", '{"use_inductor": false}')
    (True, False)
    """
    said = _settings_in(raw)
    return said.keys() <= {*_INSIDE, "backend"} if said else bool(read_argument(name, raw))


def facts_inside(name: str, key: str) -> frozenset[str]:
    """Return the facts that a setting within an argument sets.

    >>> sorted(facts_inside("--compilation-config", "cudagraph_mode")), sorted(facts_inside("--hf-overrides", "dtype"))
    (['cudagraph_mode'], [])
    """
    is_record = full_name(name) in RECORDS
    return frozenset(fact for fact, _ in ARGUMENTS.get(_INSIDE.get(key, ""), ()) if is_record)


def is_known(name: str) -> bool:
    """Return whether an argument is the setting of a fact, and of nothing else."""
    return full_name(name).removeprefix("no_") in ARGUMENTS


def sets_facts(name: str) -> bool:
    """Return whether an argument sets facts, by itself or by what is in it."""
    return is_known(name) or full_name(name) in RECORDS
