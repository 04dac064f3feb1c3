"""The facts of a deployment: what each name stands for, one fact and where it came from, and when two contradict."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Literal, NamedTuple, TypeAlias


class Origin(IntEnum):
    """How a fact is known; a higher origin outranks a lower one."""

    PASTED = 1  # said in prose, a command or a configuration
    MEASURED = 2  # printed by vLLM, torch or the driver
    ANSWERED = 3  # the person answered our question


_Type: TypeAlias = Literal[
    "int", "float", "bool", "text", "bytes", "version", "speculation", "limits", "pairs", "words", "counts", "wrappers", "manifest",
]  # fmt: skip
_Kept: TypeAlias = Literal["latest", "smallest", "largest"]


class FactKind(NamedTuple):
    """What a fact name stands for: its type, how several values merge, and how we call it."""

    type: _Type
    label: str
    keep: _Kept = "latest"
    is_logged: bool = False  # a figure that vLLM printed, not a setting
    choices: tuple[str, ...] = ()  # of a text: nothing else is one

    def prefers(self, before: Any, after: Any) -> bool:
        """Return whether of two values the later one is kept."""
        if self.keep == "latest":
            return True
        return before != after and (after < before) == (self.keep == "smallest")


def _setting(kind: _Type, label: str) -> FactKind:
    return FactKind(kind, label)


def _choice(label: str, *choices: str) -> FactKind:
    return FactKind(type="text", label=label, choices=choices)


def _figure(kind: _Type, label: str, keep: _Kept = "latest") -> FactKind:
    return FactKind(kind, label, keep, is_logged=True)


# One word a fact, everywhere: placeholder, question, button value, attribute, column.
# Workers print different figures; vLLM takes the minimum of memory and tokens, and the largest of what is spent binds.
FACTS: Mapping[str, FactKind] = {
    "model": _setting("text", "model"),
    "gpu": _setting("text", "GPU"),
    "gpu_count": _setting("int", "number of GPUs"),
    "gpu_memory": _setting("bytes", "memory of one GPU"),
    "host_memory": _setting("bytes", "memory of the host"),
    "vllm_version": _setting("version", "vLLM version"),
    "version_since": FactKind(type="version", label="oldest vLLM that prints so", keep="largest"),
    "version_until": FactKind(type="version", label="newest vLLM that prints so", keep="smallest"),
    "engine": _choice("engine", "V0", "V1"),
    "entrypoint": _choice("server or offline", "server", "offline"),
    "tensor_parallel": _setting("int", "tensor parallel size"),
    "pipeline_parallel": _setting("int", "pipeline parallel size"),
    "data_parallel": _setting("int", "data parallel size"),
    "expert_parallel": _setting("bool", "expert parallel"),
    "decode_context_parallel": _setting("int", "decode context parallel size"),
    "nodes": _setting("int", "number of nodes"),
    "gpu_memory_utilization": _setting("float", "gpu_memory_utilization"),
    "max_model_len": _setting("int", "context length"),
    "auto_max_model_len": _setting("bool", "context length fitted by vLLM"),
    "max_num_seqs": _setting("int", "max_num_seqs"),
    "max_num_batched_tokens": _setting("int", "max_num_batched_tokens"),
    "kv_cache_dtype": _setting("text", "KV cache dtype"),
    "kv_cache_memory": _setting("bytes", "KV cache set by hand"),
    "num_gpu_blocks_override": _setting("int", "KV blocks set by hand"),
    "block_size": _setting("int", "block size"),
    "swap_space_gib": _setting("float", "swap space"),
    "cpu_offload_gib": _setting("float", "weights offloaded to the host"),
    "dtype": _setting("text", "dtype"),
    "quantization": _setting("text", "quantization"),
    "load_format": _setting("text", "load format"),
    "enforce_eager": _setting("bool", "eager mode"),
    "max_cudagraph_capture_size": _setting("int", "largest CUDA graph"),
    "cudagraph_capture_sizes": _setting("counts", "CUDA graph sizes"),
    "cudagraph_mode": _setting("text", "CUDA graph mode"),
    "compilation_mode": _setting("int", "compilation mode"),
    "optimization_level": _setting("int", "optimization level"),
    "attention_backend": _setting("text", "attention backend"),
    "chunked_prefill": _setting("bool", "chunked prefill"),
    "prefix_caching": _setting("bool", "prefix caching"),
    "async_scheduling": _setting("bool", "async scheduling"),
    "performance_mode": _choice("performance mode", "balanced", "interactivity", "throughput"),
    "hybrid_kv_cache": _setting("bool", "hybrid KV cache manager"),
    "mamba_cache_dtype": _setting("text", "Mamba cache dtype"),
    "mamba_ssm_cache_dtype": _setting("text", "Mamba state dtype"),
    "mamba_cache_mode": _setting("text", "Mamba cache mode"),
    "lora": _setting("bool", "LoRA"),
    "max_loras": _setting("int", "LoRA slots"),
    "max_lora_rank": _setting("int", "largest LoRA rank"),
    "speculation": _setting("speculation", "speculative decoding"),
    "multimodal_limits": _setting("limits", "multimodal limits"),
    "language_model_only": _setting("bool", "language model only"),
    "skip_mm_profiling": _setting("bool", "multimodal profiling skipped"),
    "encoder_tensor_parallel": _choice("encoder tensor parallel mode", "weights", "data"),
    "flashinfer_sampler": _setting("bool", "sampling by FlashInfer"),
    "compile_cache": _choice("compile cache (cold, warm)", "cold", "warm"),
    "gpu_link": _choice("link between GPUs (nvlink, pcie, network)", "nvlink", "pcie", "network"),
    "is_wsl": _setting("bool", "under WSL or Windows"),
    "launcher": _choice("how it is launched", "serve", "module", "python", "docker", "compose", "kubernetes"),
    "served_name": _setting("text", "served model name"),
    "environment": _setting("pairs", "environment"),
    "other_arguments": _setting("words", "other arguments"),
    "command": _setting("text", "command"),
    "wrappers": _setting("wrappers", "what runs the command"),
    "manifest": _setting("manifest", "how a file has its settings"),
    # what a person tells us in plain words
    "instances": _setting("int", "servers that share one GPU"),
    "dedicated_gpu": _setting("bool", "nothing else uses the GPU"),
    "longest_request": _setting("int", "longest request served, in tokens"),
    "wanted_concurrency": _setting("int", "requests at the same time"),
    "traffic": _setting("text", "traffic (none, light, heavy)"),
    "used": _setting("bytes", "memory in use on the GPU"),
    # figures that vLLM, torch or the driver printed
    "total": _figure("bytes", "total memory", "smallest"),
    "free": _figure("bytes", "free memory at start", "smallest"),
    "desired": _figure("bytes", "desired memory", "largest"),
    "weights": _figure("bytes", "weights", "largest"),
    "activation": _figure("bytes", "activation peak", "largest"),
    "non_torch": _figure("bytes", "non-torch memory", "largest"),
    "consumed": _figure("bytes", "weights and non-torch memory", "largest"),
    "cudagraph": _figure("bytes", "CUDA graphs", "largest"),
    "cudagraph_estimated": _figure("bytes", "CUDA graphs, estimated", "largest"),
    "graphs_piecewise": _figure("int", "CUDA graphs in pieces"),
    "graphs_full": _figure("int", "CUDA graphs with attention"),
    "graphs_largest": _figure("int", "tokens of the largest CUDA graph in pieces"),
    "graphs_decoding": _figure("int", "tokens of the largest CUDA graph with attention"),
    "kv_available": _figure("bytes", "available KV cache memory", "smallest"),
    "kv_needed": _figure("bytes", "KV cache needed for one request", "largest"),
    "kv_tokens": _figure("int", "KV cache tokens", "smallest"),
    "gpu_blocks": _figure("int", "KV cache blocks", "smallest"),
    "cpu_blocks": _figure("int", "CPU blocks", "smallest"),
    "concurrency": _figure("float", "concurrency", "smallest"),
    "concurrency_len": _figure("int", "context of the concurrency figure"),
    "estimated_max_len": _figure("int", "context vLLM says would fit", "smallest"),
    "kv_usage_pct": _figure("float", "KV cache usage", "largest"),
    "running": _figure("int", "running requests"),
    "waiting": _figure("int", "waiting requests", "largest"),
    "preemptions": _figure("int", "preemptions", "largest"),
    "generation_throughput": _figure("float", "tokens generated a second"),
    "dummy_requests": _figure("int", "requests of the sampler warm-up"),
    "oom_tried": _figure("bytes", "allocation that failed"),
    "oom_free": _figure("bytes", "free memory when it failed"),
    "oom_process": _figure("bytes", "memory of the failing process"),
    "oom_allocated": _figure("bytes", "allocated by PyTorch when it failed"),
    "oom_held": _figure("bytes", "held by PyTorch when it failed"),
    "oom_listed": _figure("bytes", "largest process on the GPU when it failed", "largest"),
    "oom_graphs": _figure("bytes", "CUDA graphs when it failed"),
    "oom_allowed": _figure("bytes", "quota of the process"),
    "oom_reserved": _figure("bytes", "reserved but unallocated when it failed"),
    "derived_max_model_len": _figure("int", "context length of the model"),
    "attention_heads": _figure("int", "attention heads"),
    "exit_code": _figure("int", "exit code of the worker"),
}


class Fact(NamedTuple):
    """One fact and where it came from."""

    name: str
    value: Any
    origin: Origin
    line: int | None = None  # 1-based, in the paste
    quote: str | None = None  # that line, scrubbed


class Conflict(NamedTuple):
    """Two texts that cannot both be true of one deployment."""

    name: str
    kept: Fact
    other: Fact


_SAID_FREELY = frozenset(
    {
        "command",
        "wrappers",
        "launcher",
        "served_name",
        "environment",
        "other_arguments",
        "manifest",
        "entrypoint",
        "traffic",
        "version_since",
        "version_until",
        "compile_cache",
        "gpu_link",
    }
)


_ROUNDED = 0.08  # "24 GB" of a shop and 23034 MiB of nvidia-smi are one card


def contradict(one: Fact, other: Fact) -> bool:
    """Return whether two values of one fact cannot both be meant."""
    kind = FACTS.get(one.name)
    if kind is None or kind.is_logged or one.name in _SAID_FREELY or Origin.ANSWERED in {one.origin, other.origin}:
        return False
    if kind.type == "bytes":
        return not math.isclose(one.value, other.value, rel_tol=_ROUNDED)
    if isinstance(one.value, str) and isinstance(other.value, str):
        return not _name_alike(one.value, other.value)
    if kind.type == "float":
        return abs(one.value - other.value) > 1e-6
    return one.value != other.value


_WORDS = re.compile(r"[a-z]+[a-z0-9.]*|[0-9][a-z0-9.]*")


def _name_alike(one: str, other: str) -> bool:
    """Return whether two texts may name one thing: a path and its last part, a full name and a short one.

    >>> _name_alike("llama 3.1 8b", "meta-llama/Llama-3.1-8B-Instruct"), _name_alike("mistral 7b", "llama 7b")
    (True, False)
    """
    names = [text.rsplit("/", 1)[-1].lower() for text in (one, other)]
    short, long = sorted((re.sub(r"[^a-z0-9]", "", name) for name in names), key=len)
    if short == long or (len(short) > 3 and short in long):  # "4090" of "RTX4090"; "A10" is not of "A100"
        return True
    first, second = (frozenset(_WORDS.findall(name)) for name in names)
    figures = [frozenset(word for word in words if any(map(str.isdigit, word))) for words in (first, second)]
    is_numbered = any(sum(map(str.isdigit, word)) > 2 for word in figures[0] & figures[1])  # "RTX 4090", "H100 SXM"
    agree = bool(figures[0] & figures[1]) and (figures[0] <= figures[1] or figures[1] <= figures[0])
    return agree and (is_numbered or not (first ^ second) or bool((first & second) - figures[0]))
