"""How long reading takes, and that it grows no faster than the text."""

import time

import pytest

from bot.reading.read import read

DAY = (
    "(APIServer pid=1) INFO 05-01 10:00:00 [loggers.py:1] Engine 000: Avg prompt throughput: 300.6 tokens/s, Running: 60 reqs, Waiting: 4 reqs, "
    "GPU KV cache usage: 59.2%, Prefix cache hit rate: 1.0%\n"
    + '(APIServer pid=1) INFO:     127.0.0.1:4567 - "POST /v1/chat/completions HTTP/1.1" 200 OK\n' * 8
    + '(Worker_TP0 pid=2) ERROR 05-01 10:00:00 [core.py:1]   File "vllm/v1/engine/core.py", line 1, in run\n'
)
HOSTILE = {
    "one line": "x" * 10_000_000,
    "brackets": "[" * 1_000_000,
    "carriage returns": "\r" * 1_000_000,
    "deep keys": "".join(" " * depth + "a:\n" for depth in range(1_400)),
    "anchors": "\n".join(f"a{row}: &a{row} [*a{row - 1}, *a{row - 1}]" for row in range(20_000)),
    "flags": "vllm serve " + "--a b " * 150_000,
    "openers": "Free memory on device (\n" * 40_000,
    "entities": "&amp;" * 200_000,
    "escapes": "\x1b[" * 400_000,
    "addresses": "a@" * 400_000,
    "names": "llama-3" * 140_000,
    "a name of digits": ("qwen3:" + "5" * 38 + "0b ") * 20_000,
    "open calls": "LLM(aa=(\n" * 40_000,
    "open values": "args: Namespace(" + "aa=(" * 100_000,
    "frames": '  File "x", line 1, in f\n' * 40_000,
}


def _text(size: int) -> str:
    return DAY * (size // len(DAY) + 1)


def _seconds(text: str) -> float:
    """What reading costs this thread, however busy the machine is with other things."""
    start = time.thread_time()
    read(text)
    return time.thread_time() - start


def test_a_megabyte_of_log(benchmark) -> None:
    text = _text(1_000_000)
    read(text)

    assert 99 > benchmark(read, text).value("kv_usage_pct")


def test_eight_times_the_text_costs_no_more_than_sixteen_times() -> None:
    read(_text(200_000))
    small, large = (min(_seconds(_text(size)) for _ in range(3)) for size in (500_000, 4_000_000))

    assert large < 16 * small


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_is_slow(name: str) -> None:
    assert 5 > min(_seconds(HOSTILE[name]) for _ in range(2))
