"""What a start of vLLM tells without a figure: compile cache, sampler, link between GPUs."""

from __future__ import annotations

from collections.abc import Sequence

from bot.evidence import Evidence, Line, gather, merge
from bot.reading.late import Late
from bot.reading.logs.profile_run import time_compiling
from bot.reading.signs import Sign, read_signs

_TOP_P = Late(r"top-p")
_LONG = Late(r"torch\.compile (?:took|takes) (?:[2-9]\d|\d{3,5})\.\d+ s in total")  # 20 s and more
_SPENT = Late(r"\(compilation: (?:[2-9]\d|\d{3,5})\.\d+ s\)")
_SHORT = Late(r"torch\.compile (?:took|takes) [01]\.\d+ s in total")  # a graph that only was loaded

# Of one fact the earlier sign counts: a single graph compiled means that the cache was cold.
# Source: log templates of vLLM 0.4 to 0.33.
SIGNS: tuple[Sign, ...] = (
    Sign("Compiling a graph for", "compile_cache", "cold", Late(r"takes? \d")),
    Sign("Cache the graph of", "compile_cache", "cold"),
    Sign("Cache the graph for", "compile_cache", "cold"),
    Sign("torch.compile t", "compile_cache", "cold", _LONG),
    Sign("(compilation: ", "compile_cache", "cold", _SPENT),
    Sign("Directly load the compiled graph", "compile_cache", "warm"),
    Sign("Directly load AOT compilation", "compile_cache", "warm"),
    Sign("torch.compile t", "compile_cache", "warm", _SHORT),
    Sign("Using FlashInfer for top-p & top-k sampling", "flashinfer_sampler", value=True),
    Sign("FlashInfer is not available. Falling back", "flashinfer_sampler", value=False, pattern=_TOP_P),
    Sign("FlashInfer is available, but it is not enabled", "flashinfer_sampler", value=False, pattern=_TOP_P),
    Sign("FlashInfer version >= 0.2.3 required", "flashinfer_sampler", value=False),
    Sign("FlashInfer top-p/top-k sampling not supported", "flashinfer_sampler", value=False),
    Sign("FlashInfer top-p/top-k sampling disabled", "flashinfer_sampler", value=False),
    Sign("FlashInfer top-p & top-k sampling sampler is disabled", "flashinfer_sampler", value=False),
    Sign("Profiling CUDA graph memory: PIECEWISE", "graphs_full", 0, Late(r"^(?!.*\bFULL=)")),
    Sign("Profiling CUDA graph memory: FULL", "graphs_piecewise", 0),
    Sign("this process group spans across nodes", "gpu_link", "network"),
    Sign("your platform lacks GPU P2P capability", "gpu_link", "pcie"),
    Sign("not supported on more than two PCIe-only GPUs", "gpu_link", "pcie"),
)


def read(lines: Sequence[Line]) -> Evidence:
    """Return what the lines tell of the surroundings of one start; of compiling the clock, where no line speaks of it."""
    told = read_signs(lines, SIGNS)
    timed = None if told.value("compile_cache") else time_compiling(lines)
    return merge(told, gather([timed])) if timed else told
