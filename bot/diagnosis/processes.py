"""Who holds the GPU's memory: vLLM itself, another program, the desktop, or an instance that should be gone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from bot.diagnosis.situation import Situation
from bot.evidence import GpuReading, ProcessReading
from bot.reading.late import Late
from bot.units import Bytes

CONTEXT = Bytes.gib(2.5)
"""What our own process may hold before the free-memory check: a CUDA context takes 0.3–2.3 GiB, by card and driver."""

DISPLAY_NAMES = Late(
    r"""
    \b(?:Xorg|Xwayland|X|gnome-shell|gnome-[\w-]+|kwin\w*|plasmashell|mutter|sddm|gdm|lightdm|dwm\.exe|explorer\.exe
      |firefox|chrome|chromium|msedge\w*|code|cinnamon|xfwm4|compiz|steam\w*|wayland|hyprland|sway
      |ShellExperienceHost|SearchHost|TextInputHost|nautilus|discord|slack)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_VLLM_NAMES = Late(r"\bVLLM::|\bvllm\b|ray::\w*(?:vllm|Worker)|RayWorkerVllm|RayWorkerWrapper", re.IGNORECASE)
_PYTHON_NAMES = Late(r"\bpython[\d.]*\b|multiprocessing\.(?:spawn|fork)", re.IGNORECASE)


class Holder(StrEnum):
    """What a process on the GPU is, by its name."""

    VLLM = "vllm"
    PYTHON = "python"  # may be vLLM, may be anything
    DISPLAY = "display"
    OTHER = "other"


def name_holder(process: ProcessReading) -> Holder:
    """Return what a process is; graphics processes of type G belong to the display."""
    name = process.name or ""
    if _VLLM_NAMES.search(name):
        return Holder.VLLM
    if process.type == "G" or DISPLAY_NAMES.search(name):
        return Holder.DISPLAY
    return Holder.PYTHON if _PYTHON_NAMES.search(name) else Holder.OTHER


def start_failed(situation: Situation) -> bool:
    """Return whether our own start-up failed, so that nothing of ours can still hold memory."""
    return any(
        hit.problem.stage in {"load", "startup", "install"} and hit.problem.role in {"cause", "consequence"}
        for hit in situation.hits
        if hit.wording.kind == "message"
    )


def own_processes(situation: Situation) -> tuple[ProcessReading, ...]:
    """Return the processes that are this deployment's: none after a failed start, vLLM's own while it serves."""
    if start_failed(situation):
        return ()
    named = _of(situation, Holder.VLLM)
    return named or _of(situation, Holder.PYTHON)


def other_processes(situation: Situation) -> tuple[ProcessReading, ...]:
    """Return everything on the GPUs that is not this deployment's."""
    own = own_processes(situation)
    return tuple(process for process in situation.evidence.processes if process not in own)


def stale_processes(situation: Situation) -> tuple[ProcessReading, ...]:
    """Return vLLM's processes that outlived their server: any of them after a failed start."""
    return _of(situation, Holder.VLLM) if start_failed(situation) else ()


def display_processes(situation: Situation) -> tuple[ProcessReading, ...]:
    """Return the desktop's processes."""
    return _of(situation, Holder.DISPLAY)


def _of(situation: Situation, holder: Holder) -> tuple[ProcessReading, ...]:
    return tuple(process for process in situation.evidence.processes if name_holder(process) is holder)


def memory_of(processes: Iterable[ProcessReading]) -> Bytes | None:
    """Return the most that these processes hold on one GPU; None when no figure was printed."""
    sums: dict[int | None, int] = {}
    for process in processes:
        if process.memory_mib is not None:
            sums[process.gpu] = sums.get(process.gpu, 0) + process.memory_mib
    return Bytes.mib(max(sums.values())) if sums else None


def fullest(situation: Situation) -> GpuReading | None:
    """Return the GPU with the most used memory."""
    gpus = [gpu for gpu in situation.evidence.gpus if gpu.memory_used_mib is not None]
    return max(gpus, key=lambda gpu: gpu.memory_used_mib or 0, default=None)
