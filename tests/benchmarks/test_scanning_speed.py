"""How fast wordings are found: against grep, by size of the text, by number of problems.

Run with `pytest tests/benchmarks/test_scanning_speed.py`; the table shows times, the assertions hold ratios.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.catalog.problem import Problem, Wording
from bot.diagnosis.wordings.patterns import required_literals
from bot.diagnosis.wordings.search import Scanner
from bot.evidence import Line

HEALTHY = (
    "INFO 11-02 09:3{0}:14 [loggers.py:118] Engine 000: Avg prompt throughput: {0}03.2 tokens/s, Avg generation throughput: "
    "{0}91.0 tokens/s, Running: {0} reqs, Waiting: 0 reqs, GPU KV cache usage: {0}.4%, Prefix cache hit rate: {0}1.0%"
)
FAILURE = (
    "ERROR 11-02 09:31:14 [core.py:708] ValueError: message number {} tells that 16.00 GiB are needed for the cache"
)


def a_log(size: int) -> list[Line]:
    """Lines of a log of about `size` bytes; one in 500 is an error."""
    count = size // len(HEALTHY)
    return [
        Line(number=number, text=FAILURE.format(number % 50) if number % 500 == 0 else HEALTHY.format(number % 10))
        for number in range(1, count + 1)
    ]


def problems(count: int) -> list[Problem]:
    return [
        Problem(
            id=f"p-{number}",
            title="t",
            summary="s",
            wordings=(
                Wording(
                    id="figure", pattern=rf"message number {number} tells that (?P<kv_needed>[\d.]+) GiB are needed"
                ),
                Wording(id="branch", pattern=rf"(?:failed|refused) to allocate block {number} of \d+ in pool"),
                Wording(id="literal", pattern=f"worker number {number} left without a word"),
            ),
        )
        for number in range(count)
    ]


def warmed(count: int) -> Scanner:
    scanner = Scanner(problems(count))
    scanner.warm()
    return scanner


@pytest.fixture(scope="module")
def scanner() -> Scanner:
    return warmed(100)


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """The best of several rounds, in seconds that this thread worked, however busy the machine is with other things."""
    return min(_once(work) for _ in range(rounds))


def _once(work: Callable[[], object], clock: Callable[[], float] = time.thread_time) -> float:
    start = clock()
    work()
    return clock() - start


def _worked_for_us() -> float:
    """Seconds that programs worked which we started and waited for."""
    spent = getrusage(RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def test_a_paste_of_one_megabyte(benchmark: BenchmarkFixture, scanner: Scanner):
    lines = a_log(1_000_000)

    assert benchmark(scanner.scan, lines)


def test_a_paste_of_one_megabyte_without_hyperscan(benchmark: BenchmarkFixture, scanner: Scanner):
    lines = a_log(1_000_000)

    assert benchmark(scanner.scan, lines, "python")


def test_ten_times_the_text_takes_about_ten_times_as_long(scanner: Scanner):
    small, large = a_log(300_000), a_log(3_000_000)

    ratio = seconds(lambda: scanner.scan(large)) / seconds(lambda: scanner.scan(small))

    assert 20 > ratio


def test_twice_the_problems_cost_little_more():
    lines = a_log(1_000_000)
    some, twice = warmed(100), warmed(200)

    rounds = [(_once(lambda: some.scan(lines)), _once(lambda: twice.scan(lines))) for _ in range(7)]

    assert 1.4 > min(of_twice for _, of_twice in rounds) / min(of_some for of_some, _ in rounds)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "message number " * 20_000,
        "message number 1 tells that " + "9" * 200_000,
        " " * 200_000 + "x",
        "ValueError: " * 20_000,
    ],
    ids=["brackets", "beginnings", "digits", "blanks", "exceptions"],
)
@pytest.mark.parametrize("engine", ["hyperscan", "python"])
def test_hostile_text_stays_cheap(scanner: Scanner, text: str, engine: str):
    lines = [
        Line(number=number, text=text[start : start + 20_000])
        for number, start in enumerate(range(0, len(text), 20_000), 1)
    ]

    assert 2 > seconds(lambda: scanner.scan(lines, engine), rounds=2)


def _searchers() -> list[tuple[str, Sequence[str]]]:
    found = [("rg", ("rg", "-F", "-c", "-i")), ("grep", ("grep", "-F", "-c", "-i"))]
    return [(name, command) for name, command in found if shutil.which(name)]


@pytest.mark.parametrize(("name", "command"), _searchers())
def test_a_log_of_ten_megabytes_against_a_search_for_fixed_strings(
    tmp_path: Path, scanner: Scanner, name: str, command: Sequence[str], record_property: Callable[[str, object], None]
):
    lines = a_log(10_000_000)
    log, wanted = tmp_path / "log.txt", tmp_path / "strings.txt"
    log.write_text("\n".join(line.text for line in lines))
    patterns = [wording.pattern for problem in problems(100) for wording in problem.wordings]
    wanted.write_text("\n".join(literal for pattern in patterns for literal in required_literals(pattern)))

    search = [*command, "-f", str(wanted), str(log)]
    theirs = min(
        _once(lambda: subprocess.run(search, check=False, capture_output=True), _worked_for_us) for _ in range(3)
    )
    ours = seconds(lambda: scanner.scan(lines), 3)

    record_property(f"times_{name}", round(ours / theirs, 2))
    assert 6 > ours / theirs
