"""What the benchmarks measured, as one table under the test run."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

FIGURES = pytest.StashKey[dict[str, str]]()


# A process counts as its own what its parent held when it was started: it is measured from a small one.
_MEASURE = """
import os, sys
silence = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=silence)
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""


class Cost(NamedTuple):
    """What a program took: seconds of processor time, and the most memory that it held."""

    seconds: float
    peak_mib: float


def pytest_configure(config: pytest.Config) -> None:
    config.stash[FIGURES] = {}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.stash[FIGURES]:
        terminalreporter.section("figures")
    for what, figure in sorted(config.stash[FIGURES].items()):
        terminalreporter.write_line(f"{what:<64} {figure:>20}")


@pytest.fixture
def show(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Print a figure at the end of the run."""
    return request.config.stash[FIGURES].__setitem__


@pytest.fixture(scope="session")
def seconds() -> Callable[..., float]:
    """Measure the least processor time of several rounds: what else runs on the machine does not count."""

    def measure(work: Callable[[], object], rounds: int = 5) -> float:
        taken: list[float] = []
        for _ in range(rounds):
            start = time.process_time()
            work()
            taken.append(time.process_time() - start)
        return min(taken)

    return measure


@pytest.fixture(scope="session")
def cost_of() -> Callable[..., Cost]:
    """Run a program without looking at what it prints, and return what it took: the least time and the most memory."""

    def run_once(command: Sequence[str]) -> Cost:
        told = subprocess.run([sys.executable, "-Sc", _MEASURE, *command], capture_output=True, text=True, check=True)
        status, taken, peak_kib = told.stdout.split()
        assert int(status) in {0, 1, 3}  # 3: sized, and does not fit
        return Cost(float(taken), int(peak_kib) / 1024)

    def run(command: Sequence[str], rounds: int = 1) -> Cost:
        costs = [run_once(command) for _ in range(rounds)]
        return Cost(min(cost.seconds for cost in costs), max(cost.peak_mib for cost in costs))

    return run


@pytest.fixture(scope="session")
def a_log(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """Write a log of so many bytes: access lines, periodic lines, a warning and an error now and then."""
    folder = tmp_path_factory.mktemp("logs")

    def write(size: int) -> Path:
        path = folder / f"{size}.log"
        if not path.exists():
            part = text_of_a_log(min(size, 5_000_000))
            with path.open("w") as file:
                file.writelines(part for _ in range(max(1, size // 5_000_000)))
        return path

    return write


def text_of_a_log(size: int) -> str:
    """Return the text of a log; no two of its lines are alike."""
    lines: list[str] = []
    length = 0
    while length < size:
        lines.append(_line(len(lines)))
        length += len(lines[-1]) + 1
    return "\n".join(lines) + "\n"


def _line(number: int) -> str:
    clock = f"{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}"
    if number % 997 == 996:
        return f"ERROR 05-01 {clock} [core.py:708] ValueError: Free memory on device ({number % 70}.5/79.10 GiB) on startup is less than desired GPU memory utilization (0.9, 71.19 GiB)."
    if number % 501 == 500:
        return f"(EngineCore_0 pid={number}) WARNING 05-01 {clock} [scheduler.py:{number % 900}] Sequence group {number} is preempted by PreemptionMode.RECOMPUTE mode"
    if number % 10 == 0:
        return (
            f"(APIServer pid=1) INFO 05-01 {clock} [loggers.py:118] Engine 000: Avg prompt throughput: {number % 977}.2 tokens/s, "
            f"Avg generation throughput: {number % 733}.0 tokens/s, Running: {number % 190} reqs, Waiting: {number % 7} reqs, "
            f"GPU KV cache usage: {number * 37 % 1000 / 10}%, Prefix cache hit rate: {number % 89}.1%"
        )
    return f'(APIServer pid=1) INFO:     127.0.{number % 251}.{number % 17}:{40_000 + number % 20_000} - "POST /v1/chat/completions HTTP/1.1" 200 OK'
