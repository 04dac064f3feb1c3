"""Laws of reading: it never fails, it sees through noise, and every reader takes any lines."""

import html

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.evidence import Evidence
from bot.reading.noise.clean import clean
from bot.reading.read import read, read_lines
from bot.reading.readers import READERS, reader_of

PASTES = (
    "vllm serve acme/model-8b --tensor-parallel-size 2 --max-model-len 32768 --gpu-memory-utilization 0.95",
    (
        "(EngineCore_DP0 pid=7) INFO 05-01 10:00:00 [gpu_worker.py:298] Available KV cache memory: 4.13 GiB\n"
        "(EngineCore_DP0 pid=7) ERROR 05-01 10:00:01 [core.py:9] ValueError: To serve at least one request with the models's max seq len "
        "(131072), (16.00 GiB KV cache is needed, which is larger than the available KV cache memory (4.13 GiB)."
    ),
    'llm = LLM(model="acme/model-8b", max_model_len=4096)\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
    "4x4090, llama 3.1 8b, vllm 0.9.1",
    "services:\n  vllm:\n    command: --model acme/model-8b --tensor-parallel-size 2\n",
)
NOISES = {
    "colours": lambda text: "\n".join(f"\x1b[36m{line}\x1b[0m" for line in text.split("\n")),
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "quote marks": lambda text: "\n".join(f"> {line}" for line in text.split("\n")),
    "a fence": lambda text: f"```\n{text}\n```",
    "entities": lambda text: html.escape(text, quote=True),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "zero-width characters": lambda text: text.replace(" ", "\u200b \u200b"),
    "smart quotes": lambda text: text.replace('"', "\u201c").replace("'", "\u2019"),
    "smart dashes": lambda text: text.replace("--", "\u2014"),
    "a compose prefix": lambda text: "\n".join(f"vllm-1  | {line}" for line in text.split("\n")),
    "a pod prefix": lambda text: "\n".join(f"[pod/vllm-0/server] {line}" for line in text.split("\n")),
    "timestamps": lambda text: "\n".join(f"2026-05-01T10:00:00.123456789Z {line}" for line in text.split("\n")),
    "journald": lambda text: "\n".join(f"May 01 10:00:00 node7 vllm[123]: {line}" for line in text.split("\n")),
    "trailing blanks": lambda text: "\n".join(f"{line}   " for line in text.split("\n")),
}
FRAGMENTS = st.sampled_from(
    [*PASTES, "Free memory on device (", "args:\n", "- --foo\n", '  File "x", line 1, in f\n', "{", "}", "[", "(", "'", '"', "\\\n", "LLM(", "\x1b[",
     "&amp;", "> ", "|", "+---", "GiB", "12.5", "Traceback (most recent call last):\n", "vllm:a{", '"hidden_size": ', "INFO ", "non-default args: {",
     "2 x ", "H100", "llama ", "8b ", "--", "=", ":", "\r", "\t", "NVIDIA", "MiB /", "Xid ", "CMD [", "-----BEGIN PRIVATE KEY-----", "hf_", "@", "://"]
)  # fmt: skip
TORN = st.one_of(st.text(max_size=300), st.lists(st.one_of(FRAGMENTS, st.text(max_size=8)), max_size=40).map("".join))


def _content(evidence: Evidence) -> dict[str, object]:
    return {name: fact.value for name, fact in evidence.facts.items() if name != "command"}


@pytest.mark.parametrize("paste", PASTES)
@pytest.mark.parametrize("noise", NOISES)
def test_noise_around_a_paste_changes_nothing(noise: str, paste: str) -> None:
    noisy = NOISES[noise](paste)

    assert _content(read(paste)) == _content(read(noisy))


@given(TORN)
@settings(max_examples=150, deadline=None)
def test_reading_never_fails(text: str) -> None:
    evidence = read(text)

    assert isinstance(evidence.deployment().unknown, frozenset)


@pytest.mark.parametrize("name", READERS)
@given(text=TORN)
@settings(max_examples=40, deadline=None)
def test_every_reader_takes_any_lines(name: str, text: str) -> None:
    lines = clean(text)

    assert {line.number for line in lines} >= {failure.line for failure in reader_of(name)(lines).failures}


@given(TORN)
@settings(max_examples=60, deadline=None)
def test_facts_quote_a_line_that_is_there(text: str) -> None:
    numbers = set(range(1, len(text) + 2))

    assert numbers >= {fact.line for fact in read(text).facts.values()}


def test_a_long_log_is_read_with_the_numbers_of_its_lines() -> None:
    chatter = ['INFO:     127.0.0.1:1 - "GET /health HTTP/1.1" 200 OK'] * 5_000
    lines = [*chatter, "INFO 05-01 10:00:00 [w.py:1] Available KV cache memory: 4.13 GiB", *chatter]

    assert 5_001 == read_lines(lines).facts["kv_available"].line


def test_the_worst_periodic_line_of_a_long_log_is_found() -> None:
    quiet = [
        "INFO 05-01 10:00:00 [l.py:1] Engine 000: Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 1.0%"
    ] * 3_000
    worst = "INFO 05-01 10:00:00 [l.py:1] Engine 000: Running: 9 reqs, Waiting: 7 reqs, GPU KV cache usage: 99.5%"

    assert 99.5 == read_lines([*quiet, worst, *quiet]).value("kv_usage_pct")


def test_a_line_without_end_is_read_to_a_limit_that_is_told() -> None:
    assert ("Line 1 is longer than 40,000 characters; what follows in it was not read.",) == read(
        "x" * 100_000
    ).unfinished


def test_a_line_of_a_message_that_is_too_long_is_said_to_be_cut():
    assert ("Line 2 is longer than 40,000 characters; what follows in it was not read.",) == read(
        "vllm\n" + "x" * 40_001
    ).unfinished
