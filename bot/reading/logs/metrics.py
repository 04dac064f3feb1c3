"""Prometheus text of vLLM's `/metrics`: the cache configuration and the state of the queue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.evidence import Evidence, Line, gather
from bot.facts import Fact
from bot.reading.commands.arguments import read_argument
from bot.reading.figures import note

_SAMPLE = re.compile(r"\s*vllm:(?P<name>\w{1,80})(?:\{(?P<labels>[^}]{0,4000})\})?\s+(?P<value>[-+\d.eE]{1,30}|NaN)")
_LABEL = re.compile(r'(\w{1,60})="([^"]{0,400})"')

# Source: the metrics of vLLM 0.2 to 0.33; usage is a share of one.
_FIGURES = {
    "kv_cache_usage_perc": ("kv_usage_pct", 100.0), "gpu_cache_usage_perc": ("kv_usage_pct", 100.0),
    "num_requests_running": ("running", 1.0), "num_requests_waiting": ("waiting", 1.0),
    "num_preemptions_total": ("preemptions", 1.0), "num_preemptions": ("preemptions", 1.0),
    "avg_generation_throughput_toks_per_s": ("generation_throughput", 1.0),
}  # fmt: skip
_WHOLE = frozenset({"running", "waiting", "preemptions"})
_CACHE_LABELS = {
    "block_size": "block_size", "cache_dtype": "kv_cache_dtype", "gpu_memory_utilization": "gpu_memory_utilization",
    "swap_space": "swap_space", "cpu_offload_gb": "cpu_offload_gb", "enable_prefix_caching": "enable_prefix_caching",
    "mamba_cache_dtype": "mamba_cache_dtype", "kv_cache_memory_bytes": "kv_cache_memory_bytes",
    "num_gpu_blocks_override": "num_gpu_blocks_override",
}  # fmt: skip
_CACHE_FIGURES = {"num_gpu_blocks": "gpu_blocks", "num_cpu_blocks": "cpu_blocks", "kv_cache_size_tokens": "kv_tokens"}


def read(lines: Sequence[Line]) -> Evidence:
    """Return what a metrics page says of cache and queue."""
    facts = [fact for line in lines if "vllm:" in line.text for fact in _read_line(line)]
    return gather(facts, kinds=frozenset({"metrics"})) if facts else Evidence()


def _read_line(line: Line) -> Iterator[Fact]:
    found = _SAMPLE.match(line.text)
    if not found:
        return
    labels = dict(_LABEL.findall(found["labels"] or ""))
    if found["name"] == "cache_config_info":
        yield from _read_cache(labels, line)
    elif found["name"] in _FIGURES and (value := _number(found["value"])) is not None:
        name, factor = _FIGURES[found["name"]]
        yield note(name, int(value) if name in _WHOLE else round(value * factor, 3), line)
    if "/" in labels.get("model_name", ""):
        yield from (note(name, value, line) for name, value in read_argument("model", labels["model_name"]).items())


def _read_cache(labels: dict[str, str], line: Line) -> Iterator[Fact]:
    for label, argument in _CACHE_LABELS.items():
        for name, value in read_argument(argument, labels.get(label, "None")).items():
            yield note(name, value, line)
    for label, name in _CACHE_FIGURES.items():
        if labels.get(label, "").isdigit() and len(labels[label]) < 16:
            yield note(name, int(labels[label]), line)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < 1e15 else None
