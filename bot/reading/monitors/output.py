"""One output of one tool: what it says of GPUs, MIG devices, processes and the driver."""

from __future__ import annotations

from typing import NamedTuple

from bot.evidence import Failure, GpuReading, MigReading, ProcessReading


class Row(NamedTuple):
    """A line of the paste after table noise was taken off; several rows may share a line."""

    number: int
    text: str


class Listed(NamedTuple):
    """A process with what names its GPU: the index in the reading, or a card's UUID or bus id to be looked up."""

    reading: ProcessReading
    uuid: str | None = None
    bus_id: str | None = None


class Output(NamedTuple):
    """What one run of a tool printed; None means that the tool says nothing of it, empty that it found none."""

    kind: str
    line: int
    gpus: tuple[GpuReading, ...] | None = None
    mig_devices: tuple[MigReading, ...] | None = None
    processes: tuple[Listed, ...] | None = None
    driver: str | None = None
    cuda: str | None = None
    failures: tuple[Failure, ...] = ()
    unfinished: tuple[str, ...] = ()
