"""Sentences of known messages that a terminal or a chat broke over several lines, in one piece again."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from bot.evidence import Line
from bot.reading.hints import find_hints
from bot.reading.noise.wrapping import Wrap, find_wrap, is_broken_word, starts_anew

MOST_LINES = 40
"""Lines that one sentence is joined of; a wrapped engine configuration at 80 columns has about 35."""

_OPENERS = (
    "Free memory on device", "To serve at least one request", "The model's max seq len", "KV cache size:", "Maximum concurrency for",
    "Memory profiling", "the current vLLM instance", "model weights take", "CUDA graph memory profiling", "CUDA graph pool memory",
    "out of memory. Tried to allocate", "out of memory occurred when", "Initial free memory", "User-specified max_model_len",
    "LLM engine", "non-default args:", "args: Namespace(", "No available memory for the cache blocks", "Available KV cache memory",
    "Model loading took", "Loading model weights took", "Graph capturing finished", "Avg prompt throughput", "Error in memory profiling",
    "Engine core initialization failed", "WorkerProc initialization failed", "Total number of attention heads",
    "is larger than the number of available GPUs", "cannot be larger than the number of available GPUs", "Failed to load model",
    "Bfloat16 is only supported", "The quantization method", "max_num_batched_tokens (", "Auto-fit max_model_len",
    "Cannot auto-fit max_model_len", "Estimated CUDA graph memory", "maximum context length is", "max_num_seqs (",
    "is preempted by PreemptionMode", "No available shared memory broadcast", "Timed out waiting for engine core",
    "Chunked prefill is enabled", "Sequence group", "Weight input_size_per_partition", "No valid attention backend",
    "Input prompt (", "died unexpectedly", "Actual usage is", "Desired GPU memory utilization is",
)  # fmt: skip
_ENDS = ("GiB", "seconds", "secs", "tokens", "x", ")", "}", "]")
_LONG_OPENERS = ("LLM engine", "non-default args:", "args: Namespace(")
_ERROR = re.compile(r"\s{0,3}(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception): ")
_OVER = re.compile(
    r"(?:[A-Za-z)`'\"][.!?]|[}\]])\Z"
)  # a sentence or a printed value is over; "23." may be half a figure


def join(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines, each message in one piece under the number of its first line."""
    opening = {place for place, _ in find_hints([line.text for line in lines], _OPENERS)}
    wrap = find_wrap(lines)
    held: list[Line] = []
    for place, line in enumerate(lines):
        opens = place in opening
        if held and not starts_anew(line) and _continues(held, line, wrap, opens=opens):
            held.append(line)
            continue
        if held:
            yield _in_one_piece(held, wrap)
            held = []
        if opens or (wrap and _may_be_wrapped(line, wrap)):
            held = [line]
        else:
            yield line
    if held:
        yield _in_one_piece(held, wrap)


def _may_be_wrapped(line: Line, wrap: Wrap) -> bool:
    """Return whether a line is one that a program printed and that reaches the edge."""
    is_printed = line.level is not None or line.process is not None or _ERROR.match(line.text) is not None
    return is_printed and len(line.text) > wrap.width - 25


def _continues(held: list[Line], line: Line, wrap: Wrap | None, *, opens: bool) -> bool:
    first, last = held[0].text, held[-1].text
    most = MOST_LINES if any(opener in first for opener in _LONG_OPENERS) else 10
    if len(held) >= most:
        return False
    if wrap and len(last) > wrap.width - 25 and wrap.may_continue(last, line.text):
        return True
    if (opens and not _is_cut(last)) or not _opens(first):
        return False
    is_tail = _is_tail(line.text) and not _OVER.search(last)
    return _is_cut(last) or line.text[:1] in " \t" or is_tail


def _opens(text: str) -> bool:
    return any(opener in text for opener in _OPENERS)


def _is_cut(text: str) -> bool:
    """Return whether a sentence seems to stop in the middle."""
    end = text[-1:]
    return (bool(end) and end not in ".!?" and not text.endswith(_ENDS)) or end == ","


def _is_tail(text: str) -> bool:
    """Return whether a line can only be the rest of a sentence: it begins in lower case or with a figure."""
    start = text.lstrip()[:1]
    return start.islower() or start.isdigit() or start in "(.,:-"


def _in_one_piece(parts: list[Line], wrap: Wrap | None) -> Line:
    if len(parts) == 1:
        return parts[0]
    text = parts[0].text
    widest = max(len(part.text) for part in parts[:-1])
    for before, part in itertools.pairwise(parts):
        if wrap and wrap.is_hard:
            is_inside = len(before.text) == wrap.width
            text += part.text if is_inside else " " + part.text.strip()
            continue
        is_full = wrap is None and len(text) >= 60 and len(parts[0].text) >= widest - 1
        text += ("" if is_full and is_broken_word(text, part.text) else " ") + part.text.strip()
    return parts[0]._replace(text=text)
