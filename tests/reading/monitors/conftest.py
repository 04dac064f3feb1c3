"""A machine's state, printed the way each generation of drivers prints it, and the noise that pastes add."""

import html
import json
import re
from dataclasses import dataclass, field

import pytest

from bot.evidence import Line
from bot.reading.gpu_monitors import read
from bot.reading.monitors.output import Row
from bot.reading.noise.clean import clean


@dataclass
class Card:
    index: int = 0
    name: str = "NVIDIA L40S"
    used: int = 803
    total: int = 46068
    load: int = 17
    fan: str = "N/A"
    mig: str = "Disabled"

    @property
    def bus(self):
        return f"00000000:{(self.index * 16 + 1) % 256:02X}:00.0"


@dataclass
class Device:
    gpu: int = 0
    gi: int = 2
    ci: int = 0
    dev: int = 0
    used: int = 17
    total: int = 20096


@dataclass
class Process:
    gpu: int = 0
    pid: int = 4711
    memory: int | None = 794
    name: str = "python3"
    type: str = "C"
    gi: int | None = None
    ci: int | None = None


@dataclass
class Machine:
    cards: list = field(default_factory=lambda: [Card()])
    processes: list = field(default_factory=list)
    devices: list = field(default_factory=list)


@dataclass(frozen=True)
class Layout:
    driver: str
    cuda: str | None
    name: int  # characters of the name column
    left: int  # widths of the three columns
    middle: int
    has_mig: bool
    mode: str = "On"
    labels: tuple = ("Driver Version", "CUDA Version")
    processes: str = "instances"  # which columns the process table has
    right: int = 22

    @property
    def width(self):
        return self.left + self.middle + self.right + 2


LAYOUTS = {
    "340": Layout("340.29", None, 16, 31, 22, False, "Off", processes="no types"),
    "390": Layout("390.25", None, 16, 31, 22, False, "Off", processes="types"),
    "440": Layout("440.82", "10.2", 16, 31, 22, False, "Off", processes="types"),
    "470": Layout("470.82.01", "11.4", 16, 31, 22, True),
    "535": Layout("535.161.07", "12.2", 26, 41, 22, True),
    "550": Layout("550.90.12", "12.4", 26, 41, 24, True),
    "580": Layout("580.95.05", "13.0", 26, 41, 24, True),
    "591 Windows": Layout("591.86", "13.1", 26, 41, 24, True, "WDDM"),
    "610": Layout("610.57.04", "13.3", 26, 41, 24, True, labels=("KMD Version", "CUDA UMD Version")),
}


def cut(name, width):
    return name if len(name) <= width else name[: width - 3] + "..."


def ruler(*widths, mark="-"):
    return "+" + "+".join(mark * width for width in widths) + "+"


def print_table(machine, era):
    layout = LAYOUTS[era]
    version = f"| NVIDIA-SMI {layout.driver:<14} {layout.labels[0]}: {layout.driver:<12}"
    version += f" {layout.labels[1]}: {layout.cuda}" if layout.cuda else ""
    heading = "| GPU  Name".ljust(layout.left - 12) + "Persistence-M |"
    return [
        "Mon Nov 30 07:58:12 2026       ",
        ruler(layout.width),
        version.ljust(layout.width + 1) + "|",
        ruler(layout.left, layout.middle, layout.right),
        heading + f" Bus-Id {'Disp.A':>{layout.middle - 9}} | Volatile Uncorr. ECC |",
        f"| {'Fan  Temp  Perf  Pwr:Usage/Cap':<{layout.left - 1}}| {'Memory-Usage':>{layout.middle - 2}} | GPU-Util  Compute M. |",
        ruler(layout.left, layout.middle, layout.right, mark="="),
        *(line for card in machine.cards for line in print_card(card, layout)),
        "",
        *(print_devices(machine.devices, layout) if machine.devices else ()),
        ruler(layout.width),
        *print_processes(machine.processes, layout),
        ruler(layout.width),
    ]


def print_card(card, layout):
    name = f"{card.index:>3}  {cut(card.name, layout.name)}"
    state = f"{card.fan:>3}   41C    P0    71W / 400W"
    memory = f"{card.used:>6}MiB / {card.total:>6}MiB"
    yield f"| {name:<{layout.left - 8}} {layout.mode:>4}  | {card.bus + ' Off':>{layout.middle - 2}} |                    0 |"
    yield f"| {state:<{layout.left - 1}}| {memory:>{layout.middle - 2}} | {card.load:>6}%      Default |"
    if layout.has_mig:
        yield f"|{'':{layout.left}}|{'':{layout.middle}}| {card.mig:>20} |"
    yield ruler(layout.left, layout.middle, layout.right)


def print_devices(devices, layout):
    widths = (18, layout.middle + 10 if layout.left > 31 else 22, 11, 23)
    yield ruler(layout.width)
    yield "| MIG devices:".ljust(layout.width + 1) + "|"
    yield ruler(*widths)
    yield f"| GPU  GI  CI  MIG | {'Memory-Usage':>{widths[1] - 2}} |        Vol|         Shared        |"
    yield f"|      ID  ID  Dev | {'BAR1-Usage':>{widths[1] - 2}} | SM     Unc| CE  ENC  DEC  OFA  JPG|"
    yield ruler(*widths, mark="=")
    for one in devices:
        memory = f"{one.used}MiB / {one.total:>5}MiB"
        yield f"| {one.gpu:>2}  {one.gi:>3}  {one.ci:>2}  {one.dev:>2}  | {memory:>{widths[1] - 2}} | 60      0 |  3   0    3    0    3 |"
        yield f"|                  | {'0MiB / 12369MiB':>{widths[1] - 2}} |           |                       |"
        yield ruler(*widths)
    yield ""


def print_processes(processes, layout):
    columns = {
        "instances": "GPU   GI   CI        PID   Type   Process name",
        "types": "GPU       PID   Type   Process name",
    }
    heading = "| Compute processes:" if layout.processes == "no types" else "| Processes:"
    yield heading.ljust(layout.width + 1) + "|"
    yield ("|  " + columns.get(layout.processes, "GPU       PID  Process name")).ljust(
        layout.width - 10
    ) + "GPU Memory |"
    yield "|" + "=" * layout.width + "|"
    if not processes:
        yield "|  No running processes found".ljust(layout.width + 1) + "|"
    for one in processes:
        yield print_process(one, layout)


def print_process(one, layout):
    gi, ci = ("N/A" if value is None else value for value in (one.gi, one.ci))
    instances = f"   {gi:>3}  {ci:>3}" if layout.processes == "instances" else ""
    kind = "" if layout.processes == "no types" else f"   {one.type:>4} "
    row = f"|  {one.gpu:>3}{instances} {one.pid:>10}{kind}  {one.name}"
    memory = "N/A    " if one.memory is None else f"{one.memory}MiB"
    return row.ljust(layout.width - 11) + f" {memory:>10} |"


FRAME = re.compile(r"[+|][-=+|]+")


def behind(prefix):
    return lambda lines: [prefix.format(n=n, s=n % 60) + line for n, line in enumerate(lines, 1)]


def wrapped_at(width):
    return lambda lines: [line[at : at + width] for line in lines for at in range(0, max(1, len(line)), width)]


NOISE = {
    "nothing": list,
    "collapsed blanks": lambda lines: [re.sub(" +", " ", line) for line in lines],
    "lost indent": lambda lines: [line.lstrip("| ") for line in lines],
    "lost right bar": lambda lines: [line.rstrip("| ") for line in lines],
    "lost frame": lambda lines: [line.replace("|", " ") for line in lines if not FRAME.fullmatch(line)],
    "lost frame and blanks": lambda lines: [
        " ".join(line.replace("|", " ").split()) for line in lines if not FRAME.fullmatch(line)
    ],
    "one line": lambda lines: [" ".join(" ".join(lines).split())],
    "wrapped at 80": wrapped_at(80),
    "wrapped at 72": wrapped_at(72),
    "wrapped at 60": wrapped_at(60),
    "a JSON string": lambda lines: [json.dumps({"out": "\n".join(lines)})],
    "JSON lines": lambda lines: [json.dumps(line + "\n") + "," for line in lines],
    "box drawing": lambda lines: [line.replace("|", "│").replace("-", "─") for line in lines],
    "bars as letters": lambda lines: [line if FRAME.fullmatch(line) else line.replace("|", "l") for line in lines],
    "tabs": lambda lines: [line.replace("        ", "\t") for line in lines],
    "no-break spaces": lambda lines: [line.replace(" ", "\u00a0") for line in lines],
    "entities": lambda lines: ["&gt; " + html.escape(line) for line in lines],
    "CRLF": lambda lines: [line + "\r" for line in lines],
    "blank lines between": lambda lines: [part for line in lines for part in (line, "")],
    "inline code": lambda lines: [f"`{line}`" for line in lines],
    "OCR": lambda lines: [re.sub(r"(\d)0(\d*)MiB", r"\1O\2MlB", line).replace(" Off ", " 0ff ") for line in lines],
    "a diff": behind("+"),
    "quote marks": behind("> "),
    "comment signs": behind("# "),
    "line numbers": behind("{n:>4}  "),
    "line numbers and bars": behind("{n:>4} | "),
    "compose": behind("vllm-1  | "),
    "CRI": behind("2026-11-30T08:12:01.1000{n:05}Z stdout F "),
    "journald": behind("Nov 30 08:12:01 host gpu[43]: "),
    "vLLM's logger": behind("(EngineCore pid=21) INFO 11-30 07:58:{s:02} [smi.py:31] "),
    "another logger": behind("2026-11-30 07:58:{s:02}.123 | INFO     | app:check:{n} - "),
    "a host": behind("node-03: "),
}


def state_of(evidence):
    return {
        "driver": evidence.driver,
        "cuda": evidence.cuda,
        "gpus": [(gpu.index, gpu.name, gpu.memory_used_mib, gpu.memory_total_mib) for gpu in evidence.gpus],
        "processes": [(p.gpu, p.gi, p.ci, p.pid, p.memory_mib) for p in evidence.processes],
        "devices": [(d.gpu, d.gi, d.ci, d.dev, d.memory_used_mib, d.memory_total_mib) for d in evidence.mig_devices],
    }


def state_shown(machine, era):
    layout = LAYOUTS[era]
    has_instances = layout.processes == "instances"
    return {
        "driver": layout.driver,
        "cuda": layout.cuda,
        "gpus": [(card.index, cut(card.name, layout.name), card.used, card.total) for card in machine.cards],
        "processes": [
            (p.gpu, p.gi if has_instances else None, p.ci if has_instances else None, p.pid, p.memory)
            for p in machine.processes
        ],
        "devices": [(d.gpu, d.gi, d.ci, d.dev, d.used, d.total) for d in machine.devices],
    }


class Monitors:
    """What the tests of this room share."""

    Card, Device, Process, Machine, LAYOUTS, NOISE = Card, Device, Process, Machine, LAYOUTS, NOISE
    print_table = staticmethod(print_table)
    state_of = staticmethod(state_of)
    state_shown = staticmethod(state_shown)

    @staticmethod
    def read(text):
        return read(clean(text))

    @staticmethod
    def rows(text):
        return tuple(Row(line.number, line.text) for line in clean(text))

    @staticmethod
    def lines(text):
        return tuple(Line(number=number, text=line) for number, line in enumerate(text.split("\n"), 1))


@pytest.fixture(scope="session")
def monitors():
    return Monitors
