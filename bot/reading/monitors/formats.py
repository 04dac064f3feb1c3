"""The table of formats, and where in a long log any of them may stand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.evidence import Line

if TYPE_CHECKING:
    from bot.reading.monitors.output import Output, Row

NEAR = 60
"""Lines around a mark that are read: eight GPUs without any memory fill 40 lines of a table."""


SHORT = 16_000
"""Characters of a paste that is read whole."""


class Format(NamedTuple):
    """A format: words one of which every output of it holds, and what reads it."""

    marks: tuple[str, ...]
    name: str  # of the file that reads it, imported when its marks are first seen
    is_long: bool = False  # its outputs have long stretches without a mark

    def find(self, rows: Sequence[Row]) -> tuple[Output, ...]:
        """Return every output of this format."""
        module: Any = import_module(f"bot.reading.monitors.{self.name}")
        return module.find(rows)


FORMATS: tuple[Format, ...] = (
    Format(("MiB", "M1B", "MlB", "MIB", "NVIDIA-SMI", "Bus-Id", "N/A", ":00.0", "CUDA Version", "NVITOP"), "table"),
    Format(
        ("MiB", "GPU-", "--query-", "NVIDIA", "Tesla", "index,", "uuid,", "pid,", "driver_version", "utilization.gpu"),
        "query",
    ),
    Format(("GPU 0:", "GPU 1:", "(UUID:", "driver version", "MIG "), "listing"),
    Format(("FB Memory Usage", "NVSMI LOG", "Product Name", "Attached GPUs"), "report", is_long=True),
    Format(("nvidia_smi_log", "<gpu ", "fb_memory_usage", "<product_name"), "xml", is_long=True),
    Format(("gtemp", "mclk", "# gpu", "#gpu", "Idx", "ccpm"), "samples"),
    Format(("GPU0", "GPU1", "MIG "), "topology"),
    Format(("[0] ", "[1] ", "] NVIDIA"), "gpustat"),
    Format(("VRAM%", "GPU[", "VRAM Total", "CU OCCUPANCY", "VRAM USED", '"card', "device,"), "rocm"),
    Format(
        ("AMD-SMI", "AMD Instinct", "AMD Radeon", "VRAM_", "_VRAM", "MARKET_NAME", "PROCESS_INFO", "GFX%", "BDF: "),
        "amd",
    ),
    Format(("NVML", "NVIDIA-SMI has failed", "No devices were found", "device handle"), "errors"),
)
_LONG_MARKS = tuple(mark for each in FORMATS if each.is_long for mark in each.marks)
_LOGGED_MARKS = ("NVIDIA-SMI", "MiB |", "MiB, ")
_BARE_MARKS = (
    "MiB", "N/A", "NVIDIA", "GPU 0:", "GPU0", "GPU-", "(UUID:", "MIG ", "driver version", "gtemp", "# gpu", "[0] ",
    "VRAM", "AMD", "NVML", "device handle", "No devices", "--query-",
)  # fmt: skip
"""One of these stands in every output, noise aside: few, because each costs a pass over the log."""


def near_marks(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines near any output: of a short paste all, of a log the neighbourhoods of marks.

    Lines that vLLM itself logged are asked for few marks: an output is rarely logged through it.
    """
    starts = [0, *accumulate(len(line.text) + 1 for line in lines)]
    if starts[-1] <= SHORT:
        return lines
    text = "\n".join(line.text for line in lines)
    places = {place for mark in _LOGGED_MARKS for place in _places(text, mark, starts)}
    bare = [place for place, line in enumerate(lines) if not line.start]
    bare_text = "\n".join(lines[place].text for place in bare)
    if any(mark in bare_text for mark in _LONG_MARKS):
        return lines
    bare_starts = [0, *accumulate(len(lines[place].text) + 1 for place in bare)]
    places |= {bare[place] for mark in _BARE_MARKS for place in _places(bare_text, mark, bare_starts)}
    return [line for first, last in _spans(sorted(places)) for line in lines[first:last]]


def _places(text: str, mark: str, starts: Sequence[int]) -> Iterator[int]:
    """Yield the places of the lines that hold a mark."""
    found = text.find(mark)
    while found >= 0:
        place = bisect_right(starts, found) - 1
        yield place
        found = text.find(mark, starts[place + 1])


def _spans(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield where the neighbourhoods of places begin and end; those that touch are one."""
    first: int | None = None
    last = 0
    for place in places:
        if first is not None and place - NEAR > last:
            yield first, last
            first = None
        first = max(0, place - NEAR) if first is None else first
        last = place + NEAR + 1
    if first is not None:
        yield first, last
