"""The table of readers: every reader sees every paste, and a later one outranks an earlier one of the same origin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from bot.evidence import Evidence, Line

Reader = Callable[[Sequence[Line]], Evidence]

# name of the file → what makes it worth running: one of these texts stands in the paste (empty: always)
READERS: Mapping[str, tuple[str, ...]] = {
    "command": ("vllm", "api_server", "="),
    "gpu_monitors": (),  # has marks of its own, one set a format
    "torch_oom": ("memory",),
    "log_errors": (),
    "log_stats": ("reqs", "preempt", "KV cache usage"),
    "log_startup": (),
    "log_engine_config": ("LLM engine", "args", "Namespace("),
}


def reader_of(name: str) -> Reader:
    """Return the reader of that file; it is imported when it is first needed."""
    module: Any = import_module(f"bot.reading.{name}")
    return module.read
