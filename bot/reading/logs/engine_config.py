"""The lines in which vLLM prints its own configuration: the best single lines of a log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from bot.deployment import Speculation
from bot.evidence import Evidence, Line, gather
from bot.facts import Fact
from bot.reading.commands.arguments import read_argument
from bot.reading.figures import note
from bot.reading.pairs import read_pairs

_CONFIG = re.compile(r"LLM engine(?: \(v[\w.+-]{1,60}\))?(?: with config)?:?\s")
_ARGUMENTS = re.compile(r"non-default args:\s*\{?|args:\s*Namespace\(|^\s*(?:Namespace|EngineArgs|AsyncEngineArgs)\(")
_WHOLE_LIST = re.compile(r"non-default args:\s*\{.*\}\s*\Z|\bargs:\s*Namespace\(.*\)\s*\Z")
_LIST_BEGINS = re.compile(r"non-default args:\s*\{|\bargs:\s*Namespace\(")
ARGUMENT_LIST = "argument-list"
"""The kind of a log that lists what was set: what is not in the list is as by default."""

CUT_LIST = "cut-argument-list"
"""The kind of a log whose list breaks off: what it does not show may have been set all the same."""

_GRAPH_MODE = re.compile(r"['\"]?cudagraph_mode['\"]?\s*[:=]\s*<?(?:CUDAGraphMode\.)?['\"]?([A-Z][A-Z_]{2,40})")
_GRAPH_SIZE = re.compile(r"['\"]?max_cudagraph_capture_size['\"]?\s*[:=]\s*(\d{1,6})")
_SPECULATION = re.compile(r"SpeculativeConfig\(([^()]{1,800})\)?")


def read(lines: Sequence[Line]) -> Evidence:
    """Return the settings of engine configuration and argument lines."""
    facts = [fact for line in lines for fact in _read_line(line)]
    kinds = {ARGUMENT_LIST} if any(_tells_all(line.text) for line in lines) else set[str]()
    kinds |= {CUT_LIST} if any(breaks_off(line.text) for line in lines) else set()
    return gather(facts, kinds=frozenset(kinds | ({"vllm-log"} if facts else set())))


def _tells_all(text: str) -> bool:
    """Say whether a line lists every argument that was set, even where none was; one that was cut off may not."""
    return "args:" in text and bool(_WHOLE_LIST.search(text))


def breaks_off(text: str) -> bool:
    """Return whether a line begins a list of arguments and does not end it."""
    return "args:" in text and bool(_LIST_BEGINS.search(text)) and not _WHOLE_LIST.search(text)


def _read_line(line: Line) -> Iterator[Fact]:
    text = line.text
    if "LLM engine" in text and (found := _CONFIG.search(text)):
        yield from _read_config(text, found.end(), line)
    elif ("args" in text or "Namespace(" in text) and (found := _ARGUMENTS.search(text)):
        yield from _read_arguments(text, found.end(), line)


def _read_config(text: str, start: int, line: Line) -> Iterator[Fact]:
    seen: set[str] = set()
    for name, raw in read_pairs(text, start):
        if name not in seen and name not in {"speculative_config", "compilation_config"}:
            seen.add(name)
            yield from _notes(read_argument(name, raw), line)
    yield from _notes(_read_inner(text[start:]), line)


def _read_inner(text: str) -> dict[str, Any]:
    """Return what nested configurations say that the top level does not."""
    inner: dict[str, Any] = {}
    if found := _GRAPH_MODE.search(text):
        inner["cudagraph_mode"] = found[1]
    if found := _GRAPH_SIZE.search(text):
        inner["max_cudagraph_capture_size"] = int(found[1])
    if found := _SPECULATION.search(text):
        inner |= _read_speculation(dict(read_pairs(found[1] + ")")))
    return inner


def _read_speculation(pairs: dict[str, str]) -> dict[str, Any]:
    method, model = (pairs.get(name, "None").strip("'\"") for name in ("method", "model"))
    tokens = pairs.get("num_spec_tokens", pairs.get("num_speculative_tokens", ""))
    if method == model == "None":
        return {}
    return {
        "speculation": Speculation(
            method=None if method == "None" else method,
            model=None if model == "None" else model,
            tokens=int(tokens) if tokens.isdigit() and len(tokens) < 4 else None,
        )
    }


def _read_arguments(text: str, start: int, line: Line) -> Iterator[Fact]:
    pairs = dict(read_pairs(text, start))
    if "model_tag" in pairs and pairs["model_tag"] != "None":
        pairs.pop("model", None)  # an old server prints its default model beside the one that is served
    for name, raw in pairs.items():
        yield from _notes(read_argument(name, raw), line)


def _notes(facts: dict[str, Any], line: Line) -> Iterator[Fact]:
    for name, value in facts.items():
        yield note(name, value, line)
