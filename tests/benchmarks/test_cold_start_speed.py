"""What the command line costs from a cold shell, in processor time, beside what the libraries under it cost.

Machines differ, and so only the ratio is held. Run with `pytest tests/benchmarks`; figures are printed at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.alone

LIBRARIES = """
import os
os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
import click, pydantic
pydantic.create_model("Any", name=(str, ...))
"""
"""A program that reads its arguments with click and checks one value with pydantic, and says nothing of vLLM."""

COMMANDS = {
    "nothing but the interpreter": ("-c", "pass"),
    "help": ("-m", "bot.cli.main", "--help"),
    "size": ("-m", "bot.cli.main", "size", "8xH100 llama-3.3-70b --max-model-len 32k"),
}


MOST_FOR_A_SIZING = 2.1
MOST_FOR_A_FIX = 2.45


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command(name: str, cost_of: Callable[..., tuple[float, float]], show: Callable[[str, str], None]):
    costs = [cost_of([sys.executable, *COMMANDS[name]]) for _ in range(3)]

    show(f"from a cold shell: {name}", f"{min(costs)[0]:.2f} s, {min(costs)[1]:.0f} MiB")
    assert min(costs)[1] > 1


@pytest.mark.parametrize(
    ("arguments", "most"),
    [(("size", "qwen3-14b on L40S"), MOST_FOR_A_SIZING), (("size", "qwen3-32b on L4"), MOST_FOR_A_FIX)],
)
def test_a_sizing_costs_little_more_than_its_libraries(
    arguments: tuple[str, ...],
    most: float,
    cost_of: Callable[..., tuple[float, float]],
    show: Callable[[str, str], None],
):
    costs = [
        (cost_of([sys.executable, "-m", "bot.cli.main", *arguments])[0], cost_of([sys.executable, "-c", LIBRARIES])[0])
        for _ in range(8)
    ]
    ours, theirs = (min(cost) for cost in zip(*costs, strict=True))

    show(f"from a cold shell: {' '.join(arguments)}, beside its libraries", f"{ours / theirs:.2f} times")
    assert ours < most * theirs


def test_an_answer(
    a_log: Callable[[int], Path], cost_of: Callable[..., tuple[float, float]], show: Callable[[str, str], None]
):
    taken, peak = min(cost_of([sys.executable, "-m", "bot.cli.main", "ask", str(a_log(1_000))]) for _ in range(3))

    show("from a cold shell: ask", f"{taken:.2f} s, {peak:.0f} MiB")
    assert taken > 0
