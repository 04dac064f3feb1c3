"""How long a paste takes until its diagnosis, and that it grows no faster than the text.

Run with `pytest tests/benchmarks`; figures are printed at the end, and what is held are ratios of processor time within
one run, with room to spare.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import consult
from bot.diagnosis.wordings.scanners import scanner_of

pytestmark = pytest.mark.alone

RANDOM = random.Random(1).randbytes(1_000_000).decode("latin-1")
HOSTILE: dict[str, str] = {
    "dashes in one line": "-" * 60_000,
    "one line": "x" * 10_000_000,
    "brackets": "[" * 1_000_000,
    "carriage returns": "\r" * 1_000_000,
    "deep keys": "".join(" " * depth + "a:\n" for depth in range(1_400)),
    "anchors": "\n".join(f"a{row}: &a{row} [*a{row - 1}, *a{row - 1}]" for row in range(20_000)),
    "flags": "vllm serve " + "--a b " * 150_000,
    "openers": "Free memory on device (\n" * 40_000,
    "entities": "&amp;" * 200_000,
    "an entity bomb": '<?xml version="1.0"?><!DOCTYPE nvidia_smi_log [<!ENTITY a0 "x">'
    + "".join(f'<!ENTITY a{row} "&a{row - 1};&a{row - 1};">\n' for row in range(1, 20_000))
    + "]><nvidia_smi_log><gpu id='0'>&a19999;</gpu></nvidia_smi_log>",
    "escapes": "\x1b[" * 400_000,
    "addresses": "a@" * 400_000,
    "names": "llama-3" * 140_000,
    "a name of digits": ("qwen3:" + "5" * 38 + "0b ") * 20_000,
    "open calls": "LLM(aa=(\n" * 40_000,
    "open values": "args: Namespace(" + "aa=(" * 100_000,
    "frames": '  File "x", line 1, in f\n' * 40_000,
    "random bytes": RANDOM,
}

COMMANDS: dict[str, Callable[[int], str]] = {
    "one command": lambda _: "vllm serve acme/m-8b\n",
    "commands of many models": lambda number: f"CUDA_VISIBLE_DEVICES=0 vllm serve acme/m-{number}b -tp 2\n",
    "commands over several lines": lambda number: f"vllm serve acme/m-8b \\\n  -tp 2 \\\n  --max-model-len {number}\n",
    "commands with variables": lambda _: "export PORT=80; vllm serve acme/m-8b --port $PORT\n",
    "sentences with commands": lambda _: "we run vllm serve acme/m-7b -tp 2 on an L4\n",
    "commands between rows of a table": lambda number: (
        "|  0%  10000MiB / 81920MiB |\n" if number % 30 == 0 else "vllm serve acme/m-8b -tp 2\n"
    ),
    "containers": lambda _: "docker run --gpus all vllm/vllm-openai:v0.9.1 --model acme/m-8b -tp 2\n",
    "services": lambda _: "services:\n  vllm:\n    image: vllm/vllm-openai:v0.9.1\n    command: --model acme/m-8b\n",
    "images": lambda _: 'FROM vllm/vllm-openai:v0.9.1\nENTRYPOINT ["vllm", "serve", "acme/m-8b"]\n',
}
MOST = 30
"""Times a log of the same length; where every command is read, one of the shortest costs some 80."""


@pytest.fixture(scope="module", autouse=True)
def knowledge() -> None:
    """Be as a process that has answered before."""
    scanner_of(consult.knowledge()).warm()
    consult.ask("vllm serve acme/model-8b\nValueError: No available memory for the cache blocks")


def beginnings(size: int) -> str:
    """Return the beginning of every message that the knowledge base knows, over and over."""
    wordings = [wording for problem in consult.knowledge().problems.values() for wording in problem.wordings]
    texts = [wording.pattern[: len(wording.pattern) // 2] for wording in wordings if wording.kind == "message"]
    whole = "\n".join(texts) + "\n"
    return (whole * (size // len(whole) + 1))[:size]


@pytest.mark.parametrize("size", [1_000, 100_000, 1_000_000])
def test_a_paste_until_its_diagnosis(
    a_log: Callable[[int], Path], size: int, seconds: Callable[..., float], show: Callable[[str, str], None]
) -> None:
    text = a_log(size).read_text()
    consult.ask(text)

    show(f"a paste of {size:>9,} bytes until its diagnosis", f"{1000 * seconds(lambda: consult.ask(text)):.1f} ms")
    assert consult.ask(text).evidence.lines


def test_sixteen_times_the_text_costs_no_more_than_forty_times(
    a_log: Callable[[int], Path], seconds: Callable[..., float]
) -> None:
    small, large = (a_log(size).read_text() for size in (500_000, 8_000_000))

    assert 40 * seconds(lambda: consult.ask(small), 3) > seconds(lambda: consult.ask(large), 3)


def test_a_file_is_read_in_bounded_memory(
    a_log: Callable[[int], Path], cost_of: Callable[..., tuple[float, float]], show: Callable[[str, str], None]
) -> None:
    sizes = [1_000, 1_000_000, 50_000_000, 100_000_000]
    costs = {size: cost_of([sys.executable, "-m", "bot.cli.main", "ask", str(a_log(size))], 3) for size in sizes}

    for size, (taken, peak) in costs.items():
        show(f"ask FILE of {size:>11,} bytes, from a cold start", f"{taken:.2f} s, {peak:.0f} MiB")
    assert costs[100_000_000][1] < costs[1_000_000][1] + 32
    assert costs[100_000_000][0] - costs[1_000][0] < 3 * (costs[50_000_000][0] - costs[1_000][0])


@pytest.mark.parametrize("name", [*HOSTILE, "beginnings"])
def test_hostile_text_costs_no_more_than_it_is_long(
    name: str, seconds: Callable[..., float], show: Callable[[str, str], None]
) -> None:
    text = HOSTILE.get(name) or beginnings(1_000_000)
    part = text[: len(text) // 4]
    taken = seconds(lambda: consult.ask(text), 2)

    show(f"hostile: {name}, {len(text):,} characters", f"{1000 * taken:.0f} ms")
    assert taken < 12 * seconds(lambda: consult.ask(part), 2) + 0.1


def test_flags_that_nobody_knows_cost_little_beside_those_that_are_known(
    seconds: Callable[..., float], show: Callable[[str, str], None]
) -> None:
    known, unknown = (
        "vllm serve acme/model-8b " + " ".join(f"{flag.format(n)} {n}" for n in range(10_000))
        for flag in ("--max-num-batched-tokens", "--max-num-batch-{:07}")
    )
    taken = seconds(lambda: consult.ask(unknown), 2)

    show("10,000 flags that nobody knows", f"{1000 * taken:.0f} ms")
    assert taken < 5 * seconds(lambda: consult.ask(known), 2)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_megabyte_of_commands_costs_little_more_than_a_log(
    name: str, a_log: Callable[[int], Path], seconds: Callable[..., float], show: Callable[[str, str], None]
) -> None:
    parts, log = (COMMANDS[name](number) for number in range(50_000)), a_log(1_000_000).read_text()
    text = "".join(parts)[:1_000_000]
    ratio = seconds(lambda: consult.ask(text), 2) / seconds(lambda: consult.ask(log), 3)

    show(f"a megabyte of {name}", f"{ratio:.1f} x a log")
    assert ratio < MOST
