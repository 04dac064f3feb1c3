"""Sentences of known messages that a terminal or a chat broke over several lines, in one piece again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.evidence import Line
from bot.reading.hints import find_hints
from bot.reading.vocabulary import KNOWN_WORDS

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
_ENDS = ("GiB", "seconds", "secs", "tokens", "x", ")")
_LONG_OPENERS = ("LLM engine", "non-default args:", "args: Namespace(")
_STARTS_ANEW = re.compile(
    r"""\s*(?:
        $ | Traceback | File[ ]" | During[ ]handling | The[ ]above[ ]exception | [-=+|~^]{3,} | \$[ ] | \#\#\# | \|
      | (?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit)\b[:(]? | raise[ ] | return[ ] | INFO | WARNING | ERROR | DEBUG
      | Loading[ ] | Capturing[ ] | init[ ]engine | Process[ ] | Using[ ] | Resolved[ ] | torch\.compile | export[ ] | vllm[ ]serve | docker[ ]
      | \#[ ]\w+[ ]blocks
    )""",
    re.VERBOSE,
)
_FULL_STOP = re.compile(r"[A-Za-z)][.!?]\Z")  # a sentence is over; "23." may be half a figure
_WORD_END = re.compile(r"[A-Za-z_]+\Z")
_WORD_START = re.compile(r"[A-Za-z_]+")


def join(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines, each known message in one piece under the number of its first line."""
    opening = {place for place, _ in find_hints([line.text for line in lines], _OPENERS)}
    held: list[Line] = []
    for place, line in enumerate(lines):
        if held and _continues(held, line, opens=place in opening):
            held.append(line)
            continue
        if held:
            yield _in_one_piece(held)
            held = []
        if place in opening:
            held = [line]
        else:
            yield line
    if held:
        yield _in_one_piece(held)


def _continues(held: list[Line], line: Line, *, opens: bool) -> bool:
    first = held[0].text
    most = MOST_LINES if any(opener in first for opener in _LONG_OPENERS) else 10
    if len(held) >= most or line.process or line.level:
        return False
    if (line.start and ".py" in line.text[: line.start]) or _STARTS_ANEW.match(line.text):
        return False
    if opens and not _is_cut(held[-1].text):
        return False
    is_tail = _is_tail(line.text) and not _FULL_STOP.search(held[-1].text)
    return _is_cut(held[-1].text) or line.text[:1] in " \t" or is_tail


def _is_cut(text: str) -> bool:
    """Return whether a sentence seems to stop in the middle."""
    end = text[-1:]
    return (
        bool(end) and end not in ".!?" and not text.endswith(("GiB", "seconds", "secs", "tokens", "x", ")"))
    ) or end == ","


def _is_tail(text: str) -> bool:
    """Return whether a line can only be the rest of a sentence: it begins in lower case or with a figure."""
    start = text.lstrip()[:1]
    return start.islower() or start.isdigit() or start in "(.,:-"


def _in_one_piece(parts: list[Line]) -> Line:
    if len(parts) == 1:
        return parts[0]
    text = parts[0].text
    widest = max(len(part.text) for part in parts[:-1])
    for part in parts[1:]:
        is_full = len(text) >= 60 and len(parts[0].text) >= widest - 1
        text += ("" if is_full and _breaks_a_word(text, part.text) else " ") + part.text.strip()
    return parts[0].model_copy(update={"text": text})


def _breaks_a_word(before: str, after: str) -> bool:
    """Return whether a hard wrap fell inside a word or number."""
    end, start = before[-1:], after[:1]
    if (end.isdigit() and start in "0123456789.,") or (end == "." and start.isdigit()) or "_" in {end, start}:
        return True
    last, first = _WORD_END.search(before[-40:]), _WORD_START.match(after)
    if not last or not first:
        return False
    return not (last[0].lower() in KNOWN_WORDS and first[0].lower() in KNOWN_WORDS)
