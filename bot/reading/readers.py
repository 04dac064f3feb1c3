"""The table of readers: every reader sees every paste, and a later one outranks an earlier one of the same origin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from bot.evidence import Evidence, Line

Reader = Callable[[Sequence[Line]], Evidence]

# name of the file → what makes it worth running: one of these texts stands in the paste (empty: always)
READERS: Mapping[str, tuple[str, ...]] = {
    "prose.sentences": (),
    "collect_env": ("vllm", "vLLM", "VLLM", "Mem"),
    "pasted_config": ('"hidden_size"', '"num_hidden_layers"', '"text_config"', '"architectures"', '"n_layer"'),
    "commands.dockerfile": ("CMD", "ENTRYPOINT", "FROM"),
    "commands.compose": (":",),
    "commands.slurm": ("#SBATCH", "srun ", "salloc ", "sbatch "),
    "commands.python_call": (
        "LLM(",
        "EngineArgs(",
        "VLLM(",
        "LLMEngine(",
        "kwargs",
        "model_loading_config",
        "engine_args",
    ),
    "commands.listed": (
        "Popen",
        "cmd",
        "CMD",
        "ommand",
        "args",
        "Args",
        "ARGS",
        "ntry",
        "NTRY",
        "run(",
        "call(",
        "exec(",
    ),
    "commands.command": ("vllm", "api_server", "="),
    "logs.http_error": ("message", "tokens"),
    "logs.dmesg": ("Xid", "oom", "OOM", "ut of memory", "xit"),
    "logs.metrics": ("vllm:",),
    "logs.torch_oom": ("memory",),
    "logs.errors": (),
    "logs.stats": ("reqs", "preempt", "KV cache usage"),
    "logs.startup": (),
    "logs.dating": (
        ".py:",
        "LLM",
        "aximum",
        "odel",
        "raph",
        "KV cache",
        "blocks",
        "rank",
        "backend",
        "memory",
        "ngine",
    ),
    "logs.circumstances": (
        "Model loading took",
        "Profiling CUDA graph",
        "ompil",
        "top-p",
        "FlashInfer",
        "llreduce",
        "GPUs",
    ),
    "machine": ("WSL", "/mnt/c/", "GPU0", "GPU1", "NVLink"),
    "logs.tracebacks": (),
    "logs.engine_config": ("LLM engine", "args", "Namespace("),
    "gpu_monitors": (),  # has marks of its own, one set a format
}

OF_A_RUN = frozenset(
    {
        "logs.torch_oom",
        "logs.errors",
        "logs.stats",
        "logs.startup",
        "logs.engine_config",
        "logs.dating",
        "logs.circumstances",
    }
)
"""Readers of what one start of vLLM prints: of several starts in one paste they see the last."""


def reader_of(name: str) -> Reader:
    """Return the reader of that file; it is imported when it is first needed."""
    module: Any = import_module(f"bot.reading.{name}")
    return module.read
