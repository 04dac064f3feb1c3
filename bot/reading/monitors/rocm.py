"""`rocm-smi`: the short table, the lines per card of its --show options, and its CSV and JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from bot.evidence import GpuReading, ProcessReading
from bot.reading.monitors.amounts import VERSION, leading_number, leading_whole
from bot.reading.monitors.output import Listed, Output, Row

_ROW = re.compile(r"\s*(?P<index>\d{1,3})\s+(?:(?P<node>\d{1,3})\s+)?(?P<rest>(?:\[|0x|N/A|\d+\.\d+\s?°?[cC]).*)\Z")
_HEADING = re.compile(r"\bVRAM%")
_NAME = re.compile(r"\s*(?P<name>(?:AMD|Radeon|Instinct|MI\d{2,3}|0x)\S*(?: \S+)*)\s*\Z")
_FACT = re.compile(
    r"\s*(?:GPU\[(?P<index>\d{1,3})\]|(?:\")?card(?P<card>\d{1,3})(?:\")?)\s*:\s*(?P<name>[A-Za-z][^:]{0,60}?)\s*:(?P<value>.*)\Z"
)
_JSON_CARD = re.compile(r"\"card(\d{1,3})\"\s*:\s*\{([^{}]*)\}")
_JSON_FACT = re.compile(r"\"([^\"]+)\"\s*:\s*\"([^\"]*)\"")
_CSV = re.compile(r"\s*device,(?P<columns>.*(?:VRAM|Card|GPU).*)\Z")
_CSV_ROW = re.compile(r"\s*card(\d{1,3}),(.*)\Z")
_DRIVER = re.compile(rf"\s*(?:\"?system\"?\s*:\s*)?Driver version\s*:\s*({VERSION})")
_TEMPERATURE = re.compile(r"(\d{1,3})(?:\.\d)?\s?°?[cC]\b")
_POWER = re.compile(r"(\d{1,4}(?:\.\d+)?)\s?W\b")
_LOAD = re.compile(r"(\d{1,3})%\s*\Z")
_PROCESS = re.compile(
    r"\s*(?P<pid>\d{2,10})\s+(?P<name>\S+)\s+(?P<gpus>\d{1,3}|\[.*?\])\s+(?P<memory>\d+)\s+\d+\s+\S+\s*\Z"
)


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return what rocm-smi printed, as one output: its options print one after another about the same cards."""
    gpus: dict[int, dict[str, Any]] = {}
    state = _State(gpus)
    for row in rows:
        state.take(row)
    if not gpus and not state.processes:
        return ()
    line = min([gpu["line"] for gpu in gpus.values()] + [p.line or 0 for p in state.processes])
    readings = tuple(GpuReading.model_validate(gpu) for _, gpu in sorted(gpus.items()))
    processes = tuple(Listed(process) for process in state.processes)
    return (Output("rocm-smi", line, readings or None, processes=processes or None, driver=state.driver),)


class _State:
    """What is known while the lines go by."""

    def __init__(self, gpus: dict[int, dict[str, Any]]) -> None:
        self.gpus = gpus
        self.processes: list[ProcessReading] = []
        self.driver: str | None = None
        self.is_table = False
        self.last: int | None = None
        self.columns: tuple[str, ...] = ()

    def gpu(self, index: int, line: int) -> dict[str, Any]:
        return self.gpus.setdefault(index, {"index": index, "line": line})

    def take(self, row: Row) -> None:
        if _HEADING.search(row.text):
            self.is_table = True
            return
        takers: tuple[Callable[[Row], bool], ...] = (
            self._take_row,
            self._take_name,
            self._take_fact,
            self._take_csv,
            self._take_json,
            self._take_process,
        )
        any(take(row) for take in takers)
        driver = _DRIVER.match(row.text)
        self.driver = driver[1] if driver else self.driver

    def _take_row(self, row: Row) -> bool:
        found = _ROW.match(row.text) if self.is_table else None
        if not found:
            return False
        temperature, power, load = (each.search(found["rest"]) for each in (_TEMPERATURE, _POWER, _LOAD))
        self.last = int(found["index"])
        self.gpu(self.last, row.number).update(
            temperature_c=int(temperature[1]) if temperature else None,
            power_w=leading_number(power[1]) if power else None,
            utilization_pct=int(load[1]) if load else None,
        )
        return True

    def _take_name(self, row: Row) -> bool:
        found = _NAME.match(row.text) if self.is_table and self.last is not None else None
        if found and self.last is not None:
            self.gpus[self.last].setdefault("name", found["name"])
        return found is not None

    def _take_fact(self, row: Row) -> bool:
        found = _FACT.match(row.text)
        if found:
            self._tell(int(found["index"] or found["card"]), found["name"], found["value"].strip(), row.number)
        return found is not None

    def _take_csv(self, row: Row) -> bool:
        heading = _CSV.match(row.text)
        if heading:
            self.columns = tuple(name.strip() for name in heading["columns"].split(","))
        found = _CSV_ROW.match(row.text) if self.columns else None
        if found:
            for name, value in zip(self.columns, found[2].split(","), strict=False):
                self._tell(int(found[1]), name, value.strip(), row.number)
        return found is not None

    def _take_json(self, row: Row) -> bool:
        cards = _JSON_CARD.findall(row.text) if '"card' in row.text else []
        for index, body in cards:
            for name, value in _JSON_FACT.findall(body):
                self._tell(int(index), name, value, row.number)
        return bool(cards)

    def _take_process(self, row: Row) -> bool:
        found = _PROCESS.match(row.text)
        if found:
            memory = round(int(found["memory"][:18]) / 2**20)
            self.processes.append(
                ProcessReading(pid=int(found["pid"]), name=found["name"], memory_mib=memory, line=row.number)
            )
        return found is not None

    def _tell(self, index: int, name: str, value: str, line: int) -> None:
        known = _FACTS.get(name.lower())
        gpu = self.gpu(index, line)
        if known:
            gpu[known[0]] = known[1](value)


def _mib_of_bytes(value: str) -> int | None:
    return round(int(value[:18]) / 2**20) if value.isdigit() else None


def _text(value: str) -> str | None:
    return value or None


_FACTS: dict[str, tuple[str, Callable[[str], object]]] = {
    "vram total memory (b)": ("memory_total_mib", _mib_of_bytes),
    "vram total used memory (b)": ("memory_used_mib", _mib_of_bytes),
    "card series": ("name", _text),
    "gpu use (%)": ("utilization_pct", leading_whole),
    "temperature (sensor junction) (c)": ("temperature_c", lambda value: leading_whole(value.split(".")[0])),
    "average graphics package power (w)": ("power_w", leading_number),
    "current socket graphics package power (w)": ("power_w", leading_number),
}
