"""Versions and variables as vLLM's collect_env, pip and conda print them; GPU rows belong to the monitors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.evidence import Evidence, Line, gather
from bot.facts import Fact, Origin
from bot.reading.argument_values import read_version
from bot.reading.figures import note
from bot.units import Bytes

_VERSION = re.compile(
    r"""\s*(?:[-*]\s+)?(?:\[(?:pip3|conda)\]\s+)?\**
    (?:vllm(?:[ ]version)?|vLLM[ ]Version|vLLM[ ]version|VLLM[ ]version)\**
    (?:\s*:\**\s*|\s*==\s*|\s+)v?(?P<version>\d+\.\d+[\w.+-]*)""",
    re.VERBOSE,
)
_WHEEL = re.compile(r"\bvllm-v?(\d+\.\d+\.\d+[\w.+]*)-(?:cp|py)\d")
_NAME = re.compile(r"\s*Name:\s*vllm\s*\Z")
_PLAIN_VERSION = re.compile(r"\s*Version:\s*v?(\d+\.\d+[\w.+-]*)")
_HOST_MEMORY = re.compile(r"\s*(?:Mem:\s+(?P<free>\d+(?:\.\d+)?[GT]i?)\s|MemTotal:\s+(?P<kib>\d{4,12}) kB)")


def read(lines: Sequence[Line]) -> Evidence:
    """Return the installed vLLM and the host's memory."""
    facts = list(_read_all(lines))
    return gather(facts, kinds=frozenset({"environment"})) if facts else Evidence()


def _read_all(lines: Sequence[Line]) -> Iterator[Fact]:
    for before, line in zip(("", *(line.text for line in lines)), lines, strict=False):
        text = line.text
        raw = None
        if "vllm" in text.lower() and len(text) < 400 and (found := _VERSION.match(text)):
            raw = found["version"]
        elif ("vllm-" in text and (found := _WHEEL.search(text))) or (
            _NAME.match(before) and (found := _PLAIN_VERSION.match(text))
        ):
            raw = found[1]
        if raw and (version := read_version(raw.rstrip(".,"))):
            yield note("vllm_version", version, line, Origin.PASTED)
        elif "Mem" in text and (found := _HOST_MEMORY.match(text)):
            yield note("host_memory", _host_memory(found), line)


def _host_memory(found: re.Match[str]) -> Bytes:
    if found["kib"]:
        return Bytes(int(found["kib"]) * 1024)
    return Bytes.parse(found["free"].rstrip("i") + "iB")
