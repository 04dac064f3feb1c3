"""How fast wordings are found: against ripgrep, by size of the text, by number of problems.

Run with `pytest tests/benchmarks`; figures are printed at the end, and what is held are ratios of processor time within
one run, with room to spare.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bot.catalog.load import load_knowledge
from bot.catalog.problem import Problem, Wording
from bot.diagnosis.wordings.patterns import PASTE_SEPARATOR, likely_literals
from bot.diagnosis.wordings.scan_hyperscan import compile_database
from bot.diagnosis.wordings.search import Scanner
from bot.reading.noise.clean import clean

pytestmark = pytest.mark.alone

SEARCHER = next((name for name in ("rg", "grep") if shutil.which(name)), "grep")


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


@pytest.fixture(scope="module")
def messages() -> Sequence[str]:
    """Every part of every message that the knowledge base knows."""
    known = load_knowledge().problems.values()
    wordings = [wording for problem in known for wording in problem.wordings if wording.kind == "message"]
    return tuple(dict.fromkeys(part for wording in wordings for part in wording.pattern.split(PASTE_SEPARATOR)))


def test_fifty_megabytes_against_a_search_for_the_same_strings(
    tmp_path: Path,
    messages: Sequence[str],
    a_log: Callable[[int], Path],
    seconds: Callable[..., float],
    cost_of: Callable[..., tuple[float, float]],
    show: Callable[[str, str], None],
):
    log, wanted = a_log(50_000_000), tmp_path / "strings.txt"
    wanted.write_text("\n".join(sorted({literal for part in messages for literal in likely_literals(part)})))
    database = compile_database(messages)
    theirs, _ = cost_of([SEARCHER, "-aFci", *(["-j1"] if SEARCHER == "rg" else []), "-f", str(wanted), str(log)])

    ours = seconds(lambda: database.patterns_of(log.read_bytes().lower()), 1)

    show(f"all messages in 50 MB, against {SEARCHER} -F for the same strings", f"{ours / theirs:.2f} x")
    assert database.patterns_of(log.read_bytes().lower())


def test_twice_the_problems_cost_little_more(
    a_log: Callable[[int], Path], seconds: Callable[..., float], show: Callable[[str, str], None]
):
    lines = clean(a_log(1_000_000).read_text())
    some, twice = warmed(100), warmed(200)

    ratio = seconds(lambda: twice.scan(lines)) / seconds(lambda: some.scan(lines))

    show("twice the problems, 1 MB", f"{100 * ratio - 100:+.0f} %")
    assert 2 > ratio


@pytest.mark.parametrize(
    "text",
    [
        "[" * 800_000,
        "message number " * 60_000,
        "message number 1 tells that " + "9" * 800_000,
        " " * 800_000 + "x",
        "ValueError: " * 60_000,
    ],
    ids=["brackets", "beginnings", "digits", "blanks", "exceptions"],
)
@pytest.mark.parametrize("engine", ["hyperscan", "python"])
def test_a_scan_of_hostile_text_grows_no_faster_than_the_text(
    scanner: Scanner, text: str, engine: str, seconds: Callable[..., float]
):
    lines = clean("\n".join(text[start : start + 20_000] for start in range(0, len(text), 20_000)))
    part = lines[: len(lines) // 4]

    assert seconds(lambda: scanner.scan(lines, engine), 3) < 12 * seconds(lambda: scanner.scan(part, engine), 3) + 0.05
