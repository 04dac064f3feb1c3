"""What monitoring tools show of the GPUs: every output in a paste, brought to one state of the machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bot.evidence import Evidence, GpuReading, Line, MigReading, ProcessReading, gather
from bot.facts import Fact, Origin
from bot.reading.monitors.formats import FORMATS, near_marks
from bot.units import Bytes

if TYPE_CHECKING:
    from bot.reading.monitors.output import Listed, Output


def read(lines: Sequence[Line]) -> Evidence:
    """Return the GPUs, MIG devices, processes and driver that tools printed; of two outputs the last counts."""
    near = near_marks(lines)
    text = "\n".join(line.text for line in near)
    wanted = [each for each in FORMATS if any(mark in text for mark in each.marks)]
    if not wanted:
        return Evidence()
    from bot.reading.monitors.rows import read_rows  # noqa: PLC0415  # for what a tool printed only

    rows = read_rows(near)
    outputs = sorted((output for each in wanted for output in each.find(rows)), key=lambda output: output.line)
    return _combine(outputs, {line.number: line.text for line in near}) if outputs else Evidence()


def _combine(outputs: Sequence[Output], quotes: dict[int, str]) -> Evidence:
    gpus = _last_gpus(outputs)
    mig_devices: tuple[MigReading, ...] = next(
        (o.mig_devices for o in reversed(outputs) if o.mig_devices is not None), ()
    )
    listed = next((o.processes for o in reversed(outputs) if o.processes is not None), ())
    return gather(
        _facts(gpus, quotes),
        gpus=gpus,
        mig_devices=mig_devices,
        processes=tuple(_place(process, gpus) for process in listed),
        driver=next((o.driver for o in reversed(outputs) if o.driver), None),
        cuda=next((o.cuda for o in reversed(outputs) if o.cuda), None),
        kinds=frozenset(output.kind for output in outputs),
        failures=tuple(failure for output in outputs for failure in output.failures),
        unfinished=tuple(sentence for output in outputs for sentence in output.unfinished),
    )


def _last_gpus(outputs: Sequence[Output]) -> tuple[GpuReading, ...]:
    """Return the GPUs last listed; what another tool said of the same cards before fills what they leave open."""
    said = [output for output in outputs if output.gpus is not None]
    if not said:
        return ()
    last = said[-1]
    known = {gpu.index: gpu for gpu in last.gpus or ()}
    for output in reversed(said[:-1]):
        if output.kind == last.kind:
            continue
        for gpu in output.gpus or ():
            if gpu.index in known and _may_be_one(known[gpu.index], gpu):
                known[gpu.index] = _fill(known[gpu.index], gpu)
    return tuple(known.values())


def _may_be_one(one: GpuReading, other: GpuReading) -> bool:
    if one.uuid and other.uuid:
        return one.uuid == other.uuid
    return not (one.name and other.name) or _same_name(one.name, other.name)


def _same_name(one: str, other: str) -> bool:
    short, long = sorted(
        (one.removeprefix("NVIDIA ").rstrip(". "), other.removeprefix("NVIDIA ").rstrip(". ")), key=len
    )
    return long.startswith(short)


def _fill(gpu: GpuReading, other: GpuReading) -> GpuReading:
    missing = {name: getattr(other, name) for name in GpuReading.model_fields if getattr(gpu, name) is None}
    if gpu.name and other.name and gpu.name.endswith("...") and not other.name.endswith("..."):
        missing["name"] = other.name
    return gpu.model_copy(update=missing)


def _place(listed: Listed, gpus: Iterable[GpuReading]) -> ProcessReading:
    """Return a process with the index of its card, where a GPU of the paste has its UUID or bus id."""
    for gpu in gpus:
        is_same = (listed.uuid and listed.uuid == gpu.uuid) or (listed.bus_id and _same_bus(listed.bus_id, gpu.bus_id))
        if is_same:
            return listed.reading.model_copy(update={"gpu": gpu.index})
    return listed.reading


def _same_bus(one: str, other: str | None) -> bool:
    return other is not None and one.lower().lstrip("0") == other.lower().lstrip("0")


def _facts(gpus: tuple[GpuReading, ...], quotes: dict[int, str]) -> Iterable[Fact]:
    """Yield card, count and memory where the readings leave no doubt: one kind of card, numbered from 0, no slices."""
    if not gpus:
        return
    first = gpus[0]
    names = {gpu.name for gpu in gpus}
    totals = {gpu.memory_total_mib for gpu in gpus}
    is_sliced = any(gpu.mig_mode == "Enabled" for gpu in gpus)
    if len(names) == 1 and first.name:
        yield _fact("gpu", first.name, first, quotes)
    if not is_sliced and [gpu.index for gpu in gpus] == list(range(len(gpus))):
        yield _fact("gpu_count", len(gpus), gpus[-1], quotes)
    if not is_sliced and len(totals) == 1 and first.memory_total_mib:
        yield _fact("gpu_memory", Bytes.mib(first.memory_total_mib), first, quotes)


def _fact(name: str, value: object, gpu: GpuReading, quotes: dict[int, str]) -> Fact:
    quote = quotes.get(gpu.line) if gpu.line is not None else None
    return Fact(name=name, value=value, origin=Origin.MEASURED, line=gpu.line, quote=quote.strip() if quote else None)
