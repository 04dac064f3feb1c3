"""What the command line costs from a cold shell, in processor time; nothing is held, for machines differ.

Run with `pytest tests/benchmarks`; figures are printed at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.alone

COMMANDS = {
    "nothing but the interpreter": ("-c", "pass"),
    "help": ("-m", "bot.cli.main", "--help"),
    "size": ("-m", "bot.cli.main", "size", "8xH100 llama-3.3-70b --max-model-len 32k"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command(name: str, cost_of: Callable[..., tuple[float, float]], show: Callable[[str, str], None]):
    costs = [cost_of([sys.executable, *COMMANDS[name]]) for _ in range(3)]

    show(f"from a cold shell: {name}", f"{min(costs)[0]:.2f} s, {min(costs)[1]:.0f} MiB")
    assert min(costs)[1] > 1


def test_an_answer(
    a_log: Callable[[int], Path], cost_of: Callable[..., tuple[float, float]], show: Callable[[str, str], None]
):
    taken, peak = min(cost_of([sys.executable, "-m", "bot.cli.main", "ask", str(a_log(1_000))]) for _ in range(3))

    show("from a cold shell: ask", f"{taken:.2f} s, {peak:.0f} MiB")
    assert taken > 0
