"""Records of a query CSV: cells under their columns, as GPUs or as processes; of a loop the newest sample."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from bot.evidence import GpuReading, ProcessReading
from bot.reading.monitors.amounts import MIB, bus_id, leading_number, leading_whole, mib, whole
from bot.reading.monitors.cells import BUS_CELL, PLACEHOLDER, UUID_CELL, VERSION_CELL
from bot.reading.monitors.output import Listed

Record = tuple[int, Mapping[str, str]]

_HAS_UNIT = re.compile(rf"\d\s?{MIB}\Z")
_MEMORY_COLUMNS = ("memory.used", "memory.total", "memory.free", "memory.reserved", "used_memory")


def read_gpus(records: Sequence[Record]) -> tuple[tuple[GpuReading, ...], str | None]:
    """Return the GPUs of the newest sample, and the driver when all rows name the same."""
    has_units = _have_units(records)
    gpus: dict[int, GpuReading] = {}
    drivers: set[str] = set()
    for line, cells in _newest(records, ("index", "uuid", "bus_id")):
        gpu = _read_gpu(cells, len(gpus), line, has_units=has_units)
        gpus[gpu.index] = gpu
        version = VERSION_CELL.match(cells.get("driver_version", ""))
        drivers |= {version[0]} if version else set()
    return tuple(gpus.values()), drivers.pop() if len(drivers) == 1 else None


def read_processes(records: Sequence[Record]) -> tuple[Listed, ...]:
    """Return the processes of the newest sample, each once."""
    has_units = _have_units(records)
    kept: dict[object, Listed] = {}
    for line, cells in _of_last_second(records):
        listed = _read_process(cells, line, has_units=has_units)
        if listed.reading.pid:  # 0 is no process, but what a broken row left of a serial number
            kept[listed.uuid, listed.bus_id, listed.reading.pid] = listed
    return tuple(kept.values())


def _newest(records: Sequence[Record], keys: Iterable[str]) -> list[Record]:
    """Return each card's last record; cards that nothing names are told apart by sample."""
    key = next((name for name in keys if any(cells.get(name) for _, cells in records)), None)
    if key is None:
        return _of_last_second(records)
    return list({cells.get(key, ""): (line, cells) for line, cells in records}.values())


def _of_last_second(records: Sequence[Record]) -> list[Record]:
    if not records or "timestamp" not in records[-1][1]:
        return list(records)
    last = records[-1][1]["timestamp"][:19]
    return [record for record in records if record[1].get("timestamp", "")[:19] == last]


def _have_units(records: Sequence[Record]) -> bool:
    return any(_HAS_UNIT.search(cells.get(name, "")) for _, cells in records for name in _MEMORY_COLUMNS)


def _amount(text: str | None, *, has_units: bool) -> int | None:
    """Return a memory cell in MiB; where the others have units, one without was cut."""
    if text is None:
        return None
    return mib(text) if has_units else whole(text)


def _read_gpu(cells: Mapping[str, str], position: int, line: int, *, has_units: bool) -> GpuReading:
    index, name = leading_whole(cells.get("index")), cells.get("name")
    bus, uuid, mode = cells.get("bus_id", ""), cells.get("uuid", ""), cells.get("mig.mode.current")
    used, total, free, reserved = (_amount(cells.get(name), has_units=has_units) for name in _MEMORY_COLUMNS[:4])
    return GpuReading(
        index=position if index is None else index,
        name=None if name is None or PLACEHOLDER.match(name) else name,
        uuid=uuid if UUID_CELL.match(uuid) else None,
        bus_id=bus_id(bus) if BUS_CELL.match(bus) else None,
        memory_used_mib=used,
        memory_total_mib=total,
        memory_free_mib=free,
        memory_reserved_mib=reserved,
        utilization_pct=leading_whole(cells.get("utilization.gpu")),
        temperature_c=leading_whole(cells.get("temperature.gpu")),
        power_w=leading_number(cells.get("power.draw")),
        mig_mode=mode if mode in {"Enabled", "Disabled"} else None,
        line=line,
    )


def _read_process(cells: Mapping[str, str], line: int, *, has_units: bool) -> Listed:
    pid, uuid, bus = cells.get("pid", ""), cells.get("uuid", ""), cells.get("bus_id", "")
    reading = ProcessReading(
        pid=int(pid) if pid.isascii() and pid.isdigit() and len(pid) <= 10 else None,
        name=cells.get("process_name") or None,
        memory_mib=_amount(cells.get("used_memory"), has_units=has_units),
        line=line,
    )
    return Listed(reading, uuid if UUID_CELL.match(uuid) else None, bus_id(bus) if BUS_CELL.match(bus) else None)
