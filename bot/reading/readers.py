"""The table of readers: every reader sees every paste, and a later one outranks an earlier one of the same origin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from bot.evidence import Evidence, Line

Reader = Callable[[Sequence[Line]], Evidence]

# name of the file → what makes it worth running: one of these texts stands in the paste (empty: always)
READERS: Mapping[str, tuple[str, ...]] = {
    "prose": (),
    "collect_env": ("vllm", "vLLM", "VLLM", "Mem"),
    "pasted_config": ('"hidden_size"', '"num_hidden_layers"', '"text_config"', '"architectures"', '"n_layer"'),
    "dockerfile": ("CMD", "ENTRYPOINT", "FROM"),
    "compose": (":",),
    "slurm": ("#SBATCH", "srun ", "salloc ", "sbatch "),
    "python_call": (
        "LLM(",
        "EngineArgs(",
        "VLLM(",
        "LLMEngine(",
        "kwargs",
        "engine_args",
        "Popen",
        "cmd",
        "command",
        "run(",
    ),
    "command": ("vllm", "api_server", "="),
    "http_error": ("message", "tokens"),
    "dmesg": ("Xid", "oom", "OOM", "ut of memory", "xit"),
    "metrics": ("vllm:",),
    "torch_oom": ("memory",),
    "log_errors": (),
    "log_stats": ("reqs", "preempt", "KV cache usage"),
    "log_startup": (),
    "tracebacks": (),
    "log_engine_config": ("LLM engine", "args", "Namespace("),
    "gpu_monitors": (),  # has marks of its own, one set a format
}

OF_A_RUN = frozenset({"torch_oom", "log_errors", "log_stats", "log_startup", "log_engine_config"})
"""Readers of what one start of vLLM prints: of several starts in one paste they see the last."""


def reader_of(name: str) -> Reader:
    """Return the reader of that file; it is imported when it is first needed."""
    module: Any = import_module(f"bot.reading.{name}")
    return module.read
