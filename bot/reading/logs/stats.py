"""vLLM's periodic line: requests, KV cache usage, throughput, preemptions."""

from __future__ import annotations

from collections.abc import Sequence

from bot.evidence import Evidence, Line
from bot.reading.figures import Template, read_figures

_of = Template.of

# Source: the stat loggers of vLLM 0.1.7 to 0.33. "Pending" is V0's "Waiting".
TEMPLATES: tuple[Template, ...] = (
    _of("KV cache usage", r"(?<!CPU\s)\bKV cache usage: ?(?P<kv_usage_pct>\d+(?:\.\d+)?) ?%"),
    _of("Running:", r"Running: ?(?P<running>\d+) reqs?\b"),
    _of("Pending:", r"Pending: ?(?P<waiting>\d+) reqs?\b"),
    _of("Waiting:", r"Waiting: ?(?P<waiting>\d+) reqs?\b"),
    _of("Preemptions:", r"Preemptions: ?(?P<preemptions>\d+)"),
    _of("generation throughput", r"Avg generation throughput: ?(?P<generation_throughput>\d+(?:\.\d+)?)"),
    _of("total_num_cumulative_preemption", r"total_num_cumulative_preemption=(?P<preemptions>\d+)"),
    _of("total_cumulative_preemption_cnt", r"total_cumulative_preemption_cnt=(?P<preemptions>\d+)"),
)


def read(lines: Sequence[Line]) -> Evidence:
    """Return what the periodic lines say: the fullest cache, the longest queue, the latest throughput."""
    return read_figures(lines, TEMPLATES, "vllm-log")
