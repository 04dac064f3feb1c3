"""What a log tells of its surroundings without a figure: compile cache, sampler, link between GPUs, WSL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bot.evidence import Evidence, Fact, Line, gather
from bot.reading.figures import note
from bot.reading.hints import find_hints
from bot.reading.late import Late


class Sign(NamedTuple):
    """A text that tells one fact, and what else must stand on its line."""

    hint: str
    name: str
    value: Any
    pattern: Late = Late("")


_TOP_P = Late(r"top-p")
_LONG = Late(r"torch\.compile (?:took|takes) (?:[2-9]\d|\d{3,5})\.\d+ s in total")  # 20 s and more
_SHORT = Late(r"torch\.compile (?:took|takes) [01]\.\d+ s in total")  # a graph that only was loaded
_TOPOLOGY = r"^\s*GPU\d{1,3}\s(?:\s*(?:X|SYS|NODE|PHB|PXB|PIX)\b)*"

# Of one fact the earlier sign counts: a single graph compiled means that the cache was cold.
# Source: log templates of vLLM 0.4 to 0.33; `nvidia-smi topo -m`; paths and kernel names under WSL.
SIGNS: tuple[Sign, ...] = (
    Sign("Compiling a graph for", "compile_cache", "cold", Late(r"takes? \d")),
    Sign("Cache the graph of", "compile_cache", "cold"),
    Sign("Cache the graph for", "compile_cache", "cold"),
    Sign("torch.compile t", "compile_cache", "cold", _LONG),
    Sign("Directly load the compiled graph", "compile_cache", "warm"),
    Sign("Directly load AOT compilation", "compile_cache", "warm"),
    Sign("torch.compile t", "compile_cache", "warm", _SHORT),
    Sign("Using FlashInfer for top-p & top-k sampling", "flashinfer_sampler", value=True),
    Sign("FlashInfer is not available. Falling back", "flashinfer_sampler", value=False, pattern=_TOP_P),
    Sign("FlashInfer is available, but it is not enabled", "flashinfer_sampler", value=False, pattern=_TOP_P),
    Sign("FlashInfer version >= 0.2.3 required", "flashinfer_sampler", value=False),
    Sign("FlashInfer top-p/top-k sampling not supported", "flashinfer_sampler", value=False),
    Sign("FlashInfer top-p & top-k sampling sampler is disabled", "flashinfer_sampler", value=False),
    Sign("this process group spans across nodes", "gpu_link", "network"),
    Sign("your platform lacks GPU P2P capability", "gpu_link", "pcie"),
    Sign("not supported on more than two PCIe-only GPUs", "gpu_link", "pcie"),
    Sign("GPU", "gpu_link", "nvlink", Late(_TOPOLOGY + r"\s*NV\d")),
    Sign("GPU", "gpu_link", "pcie", Late(_TOPOLOGY + r"\s*(?:SYS|NODE|PHB|PXB|PIX)\b")),
    Sign("as WSL is detected", "is_wsl", value=True),
    Sign("microsoft-standard-WSL", "is_wsl", value=True),
    Sign("/mnt/c/", "is_wsl", value=True),
    Sign("WSL", "is_wsl", value=True, pattern=Late(r"\bWSL ?2?\b(?! ?is not)")),
)


def read(lines: Sequence[Line]) -> Evidence:
    """Return what stands in the lines about the surroundings of a start, one value a fact."""
    found = find_hints([line.text for line in lines], [sign.hint for sign in SIGNS])
    told: dict[str, tuple[int, Fact]] = {}
    for place, number in found:
        sign, line = SIGNS[number], lines[place]
        rank = told[sign.name][0] if sign.name in told else len(SIGNS)
        if number < rank and sign.pattern.regex.search(line.text):
            told[sign.name] = number, note(sign.name, sign.value, line)
    return gather(fact for _, fact in told.values())
