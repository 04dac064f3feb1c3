"""A table or report of GPUs, MIG devices and processes while its rows go by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from bot.evidence import GpuReading, MigReading, ProcessReading
from bot.reading.monitors.output import Listed, Output

Section = Literal["gpus", "mig", "processes", "out"]


@dataclass
class Draft:
    """A table as far as it was read; `out` is a section of text that is none of the table's."""

    line: int
    kind: str = "nvidia-smi"
    section: Section = "gpus"
    gpus: list[dict[str, Any]] = field(default_factory=list)
    mig_devices: list[MigReading] = field(default_factory=list)
    processes: list[ProcessReading] = field(default_factory=list)
    driver: str | None = None
    cuda: str | None = None
    has_processes: bool = False
    is_side_by_side: bool = False
    open_end: str | None = None  # what the row before ended with, when it may go on in the next line

    @property
    def is_begun(self) -> bool:
        """Whether anything but a version line was read."""
        return bool(self.gpus or self.processes or self.has_processes)

    def finish(self) -> Output | None:
        """Return what was read, or nothing when there was nothing."""
        if self.is_side_by_side:
            sentence = "Two tables stand side by side on the same lines; paste them one after the other."
            return Output(self.kind, self.line, (), (), (), unfinished=(sentence,))
        if not (self.is_begun or self.mig_devices or self.driver or self.cuda):
            return None
        gpus = tuple(GpuReading.model_validate(_without_marks(gpu)) for gpu in self.gpus)
        has_processes = self.has_processes or bool(self.processes or gpus)
        return Output(
            self.kind,
            self.line,
            gpus or None,
            tuple(self.mig_devices) if gpus or self.mig_devices else None,
            tuple(Listed(process) for process in self.processes) if has_processes else None,
            self.driver,
            self.cuda,
        )


def _without_marks(gpu: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in gpu.items() if name not in {"has_figures", "is_open"}}


@dataclass
class LongDraft:
    """A report (`nvidia-smi -q`, as text or XML) as far as it was read, in the names and values of its readings."""

    line: int
    gpus: list[dict[str, Any]] = field(default_factory=list)
    mig_devices: list[dict[str, Any]] = field(default_factory=list)
    processes: list[dict[str, Any]] = field(default_factory=list)
    driver: str | None = None
    cuda: str | None = None

    def finish(self, kind: str) -> Output:
        """Return what was read."""
        return Output(
            kind,
            self.line,
            tuple(GpuReading.model_validate(gpu) for gpu in self.gpus) or None,
            tuple(MigReading.model_validate(device) for device in self.mig_devices),
            tuple(Listed(ProcessReading.model_validate(process)) for process in self.processes),
            self.driver,
            self.cuda,
        )
