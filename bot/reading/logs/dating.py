"""Which versions print so: wordings that came or went with a release, and statements that moved in its sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from packaging.version import Version

from bot.evidence import Evidence, Line, gather
from bot.facts import Fact
from bot.reading.figures import note
from bot.reading.hints import find_hints
from bot.reading.late import Late
from bot.reading.logs.places import find_releases


class Wording(NamedTuple):
    """One wording: a text that it surely contains, the whole of it, and the first and last release that print it."""

    hint: str
    pattern: Late
    since: str | None = None
    until: str | None = None
    engine: str | None = None  # the only one that prints it


def _of(hint: str, pattern: str, since: str | None = None, until: str | None = None) -> Wording:
    return Wording(hint, Late(pattern), since, until)


def _of_v0(hint: str, pattern: str, since: str | None = None, until: str = "0.10.2") -> Wording:
    return Wording(hint, Late(pattern), since, until, "V0")


_LOADED = r"Model loading took \d+(?:\.\d+)?"
_RANK = r"in world size \d+ is assigned as DP rank \d+, PP rank \d+, "

# Source: log templates in the sources of 77 releases from 0.1.7 to 0.33.0; 0.21.0 was not among them, so what 0.22.0
# is the first to print may be of 0.21. INFO and WARNING lines and errors, which everybody sees.
WORDINGS: tuple[Wording, ...] = (
    _of("Loading model weights took", r"Loading model weights took \d", "0.4.0", "0.10.2"),
    _of("Model loading took", _LOADED + r" GB and ", "0.8.0", "0.8.2"),
    _of("Model loading took", _LOADED + r" GiB and ", "0.8.3", "0.27.1"),
    _of("Model loading took", _LOADED + r" GiB memory and ", "0.11.1"),
    _of_v0("# GPU blocks: ", r"# GPU blocks: \d+, # CPU blocks: \d", None, "0.10.2"),
    _of("Graph capturing finished in", r"Graph capturing finished in \d+ secs\.", "0.2.7", "0.6.3.post1"),
    _of("Graph capturing finished in", r"Graph capturing finished in \d+ secs, took", "0.6.4"),
    _of_v0("model weights take", r"\bmodel weights take \d", "0.6.5", "0.10.2"),
    _of_v0("Memory profiling results:", r"Memory profiling results: total_gpu_memory=", "0.6.4", "0.6.4.post1"),
    _of("GPU KV cache size:", r"GPU KV cache size: [\d,]+ tokens\s*$", "0.8.0", "0.27.1"),
    _of("KV cache size:", r"KV cache size: [\d,]+ tokens, Maximum concurrency for", "0.28.0"),
    _of("aximum concurrency for", r"(?<!, )Maximum concurrency for [\d,]+ tokens per request: ", "0.6.3.post1", "0.27.1"),
    _of("Available KV cache memory:", r"Available KV cache memory: -?\d", "0.9.1"),
    _of("init engine (profile", r"create kv cache, warmup model\) took \d+\.\d+ seconds", "0.6.5", "0.19.1"),
    _of("init engine (profile", r"create kv cache, warmup model\) took \d+\.\d+ s\b", "0.20.0"),
    _of("Estimated CUDA graph memory", r"Estimated CUDA graph memory: \d", "0.18.0"),
    _of("CUDA graph pool memory", r"CUDA graph pool memory: -?\d", "0.18.0"),
    _of("CUDA graph memory profiling", r"In v0\.19, CUDA graph memory profiling will be", "0.18.0", "0.19.1"),
    _of("CUDA graph memory profiling", r"CUDA graph memory profiling is enabled \(default since", "0.20.0"),
    _of("CUDA graph memory profiling", r"CUDA graph memory profiling is disabled", "0.20.0"),
    _of("is assigned as DP rank", _RANK + r"TP rank \d+\s*$", "0.8.0", "0.8.5.post1"),
    _of("is assigned as DP rank", _RANK + r"TP rank \d+, EP rank \d+\s*$", "0.9.0", "0.11.2"),
    _of("is assigned as DP rank", _RANK + r"PCP rank \d+, TP rank \d+, EP rank [\w/]+\s*$", "0.12.0", "0.16.0"),
    _of("is assigned as DP rank", _RANK + r"PCP rank \d+, TP rank \d+, EP rank [\w/]+, EPLB", "0.17.0", "0.29.0"),
    _of("is assigned as DP rank", _RANK + r"PCP rank \d+, TP rank \d+, ETP rank ", "0.30.0"),
    _of("attention backend out of", r"Using \w+ attention backend out of potential backends", "0.12.0"),
    _of("on V1 engine.", r"Using [\w ]+ backend on V1 engine\.", "0.8.0", "0.11.0"),
    _of("for consumed memory", r"GiB for consumed memory", "0.27.0"),
    _of("To serve at least one request", r"with the models's max seq len", "0.7.0", "0.20.2"),
    _of("To serve at least one request", r"with the model's max seq len", "0.21.0"),
    _of("on startup is less than", r"Free memory on device \(\d", "0.9.1", "0.13.0"),
    _of("on startup is less than", r"Free memory on device \w+:\d+ \(\d", "0.14.0"),
    _of("Using V2 Model Runner", r"Using V2 Model Runner", "0.12.0"),
    _of("startup plan", r"Applying persisted startup plan|Saved startup plan to", "0.26.0"),
    _of_v0("be stored in KV cache", r"maximum number of tokens that can be stored in KV cache \(\d", "0.4.2", "0.10.2"),
    _of("the estimated maximum model length is", r"the estimated maximum model length is \d", "0.8.4"),
    _of("for the cache blocks.", r"when initializing the engine\. See https://docs\.vllm\.ai/", "0.13.0"),
    _of("for the cache blocks.", r"when initializing the engine \(this flag also controls CPU", "0.22.0"),
    _of("when warming up sampler with", r"occurred when warming up sampler with \d+ dummy requests", "0.8.0"),
    _of("Engine core initialization failed", r"Engine core initialization failed\. See root cause", "0.8.4"),
    _of("Failed core proc(s)", r"Failed core proc\(s\): ", "0.9.0"),
    _of("WorkerProc initialization failed", r"WorkerProc initialization failed due to an exception", "0.8.5"),
    _of("EngineCore encountered an issue", r"EngineCore encountered an issue\. See stack trace", "0.8.5"),
    _of_v0("Engine process failed to start", r"RuntimeError: Engine process failed to start", "0.6.2", "0.10.2"),
    _of_v0("Background loop has errored", r"AsyncEngineDeadError: Background loop has errored already", None, "0.10.2"),
)  # fmt: skip

_CUT = frozenset({"GPU KV cache size:", "aximum concurrency for", "is assigned as DP rank"})
"""Wordings told apart by where they end or begin; people cut lines short, so that vLLM's own prefix must be there."""


def read(lines: Sequence[Line]) -> Evidence:
    """Return the bounds of the version; none where the wordings contradict each other, for then they are of several.

    Where lines come from says more than how they are worded, but a fork moves them: wordings outrank places.
    """
    worded = [*_bounds(lines), *_formats(lines), *_counts(lines)]
    for facts in ([*worded, *find_releases(lines)], worded):
        found = gather(facts)
        since, until = found.value("version_since"), found.value("version_until")
        if not (since and until and since > until):
            return found
    return Evidence()


# Source: `_FORMAT` in vllm/logger.py of 0.1.7 to 0.33.0; the bracket before the file came with 0.8.0.
_FORMAT = re.compile(r"\b[A-Z]{4,8} \d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? (?P<bracket>\[?)[\w./-]+\.py:\d+\]\s?\Z")
_LAST_WITHOUT, _FIRST_WITH = Version("0.7.3"), Version("0.8.0")


def _formats(lines: Sequence[Line]) -> Iterator[Fact]:
    """Yield what vLLM's own prefix tells: every line of a log has it, whatever its message says."""
    seen: set[str] = set()
    for line in lines:
        found = _FORMAT.search(line.text, 0, line.start)
        if found and found["bracket"] not in seen:
            seen.add(found["bracket"])
            is_new = bool(found["bracket"])
            yield note("version_since" if is_new else "version_until", _FIRST_WITH if is_new else _LAST_WITHOUT, line)
        if len(seen) > 1:
            return


def _bounds(lines: Sequence[Line]) -> Iterator[Fact]:
    for place, number in find_hints([line.text for line in lines], [wording.hint for wording in WORDINGS]):
        wording, line = WORDINGS[number], lines[place]
        if (wording.hint in _CUT and not line.start) or not wording.pattern.regex.search(line.text):
            continue
        if wording.since:
            yield note("version_since", Version(wording.since), line)
        if wording.until:
            yield note("version_until", Version(wording.until), line)
        if wording.engine:
            yield note("engine", wording.engine, line)


_FIGURES = ("KV cache size: ", "aximum concurrency for ")
_TOKENS = Late(r"KV cache size: (?P<tokens>[\d,]{3,15}) tokens")
_AT_ONCE = Late(r"aximum concurrency for (?P<length>[\d,]{3,15}) tokens per request: (?P<times>\d{1,6}\.\d\d)x")
_LAST_OF_BLOCKS = Version("0.20.0")
_LONG, _UNLIKE = 4096, 0.25  # tokens: a short request leaves much of its last block empty


def _counts(lines: Sequence[Line]) -> Iterator[Fact]:
    """Yield the last release whose tokens are not its concurrency times the length: of layers in several groups.

    Source: `v1/core/kv_cache_utils.py`, _report_kv_cache_config, of 0.20.0 and 0.20.1.
    """
    places = [lines[place] for place, _ in find_hints([line.text for line in lines], _FIGURES)]
    tokens = next((found for line in places if (found := _TOKENS.regex.search(line.text))), None)
    at_once, line = next(
        ((found, line) for line in places if (found := _AT_ONCE.regex.search(line.text))), (None, None)
    )
    if tokens is None or at_once is None or line is None:
        return
    length, counted = _number(at_once["length"]), _number(tokens["tokens"])
    held = float(at_once["times"]) * length
    if length >= _LONG and held > length / 10 and abs(counted / held - 1) > _UNLIKE:
        yield note("version_until", _LAST_OF_BLOCKS, line)


def _number(printed: str) -> int:
    return int(printed.replace(",", "") or 0)
