"""PyTorch's out-of-memory message in every wording, and all the amounts it holds."""

from __future__ import annotations

from collections.abc import Sequence

from bot.evidence import Evidence, Line
from bot.reading.figures import AMOUNT, Template, read_figures

_of = Template.of

# Source: c10/cuda/CUDACachingAllocator.cpp, PyTorch 1.13 to 2.10; HIP and XPU share it. "capacty" is 2.1's own spelling.
TEMPLATES: tuple[Template, ...] = (
    _of("ried to allocate", rf"[Tt]ried to allocate (?P<oom_tried>{AMOUNT})"),
    _of("of which", rf"total capaci?ty of (?P<total>{AMOUNT}) of which (?P<oom_free>{AMOUNT}) is free"),
    _of("total capacity;", rf"(?P<total>{AMOUNT}) total capacity;"),
    _of("already allocated", rf"(?P<oom_allocated>{AMOUNT}) already allocated"),
    _of("reserved in total by PyTorch", rf"already allocated; (?P<oom_free>{AMOUNT}) free;"),
    _of("this process has", rf"this process has (?P<oom_process>{AMOUNT}) memory in use"),
    _of("is allocated by PyTorch", rf"allocated memory (?P<oom_allocated>{AMOUNT}) is allocated by PyTorch"),
    _of("reserved in total by PyTorch", rf"(?P<oom_held>{AMOUNT}) reserved in total by PyTorch"),
    _of("memory in use", rf"Process \d+ has (?P<oom_listed>{AMOUNT}) memory in use"),
    _of("private pools", rf"with (?P<oom_graphs>{AMOUNT}) allocated in private pools"),
    _of("allowed;", rf"(?P<oom_allowed>{AMOUNT}) allowed;"),
    _of(
        "reserved by PyTorch but unallocated", rf"and (?P<oom_reserved>{AMOUNT}) is reserved by PyTorch but unallocated"
    ),
)


def read(lines: Sequence[Line]) -> Evidence:
    """Return the amounts of each out-of-memory message; of several messages the last counts."""
    messages = [
        line for line in lines if "allocate" in line.text or "capacit" in line.text or "memory in use" in line.text
    ]
    return read_figures(messages, TEMPLATES, "torch-oom")
