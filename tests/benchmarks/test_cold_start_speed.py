"""What the command line costs from a cold shell.

Run with `pytest tests/benchmarks --benchmark-only`; without it each runs once, as a test that it works.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

COMMANDS = {
    "nothing but the interpreter": ("-c", "pass"),
    "help": ("-m", "bot.cli.main", "--help"),
    "size": ("-m", "bot.cli.main", "size", "8xH100 llama-3.3-70b --max-model-len 32k"),
}


@pytest.mark.benchmark(group="from a cold shell")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command(benchmark, name: str):
    def run() -> int:
        return subprocess.run([sys.executable, *COMMANDS[name]], capture_output=True, check=False).returncode

    assert 0 == benchmark.pedantic(run, rounds=5, warmup_rounds=1)
