"""What chats, terminals and log collectors do to a paste leaves its answer as it was."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.catalog.load import Knowledge, load_knowledge
from bot.catalog.problem import Sample
from bot.proof import decide


def on_each_line(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: "\n".join(change(line) for line in text.split("\n"))


NOISE: dict[str, Callable[[str], str]] = {
    "quoted": on_each_line(lambda line: f"> {line}"),
    "escaped and quoted": on_each_line(lambda line: f"&gt; {line}"),
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "colours": on_each_line(lambda line: f"\x1b[31m{line}\x1b[0m"),
    "a fence": lambda text: f"```\n{text.rstrip()}\n```",
    "a container's name": on_each_line(lambda line: f"vllm-1  | {line}"),
    "a collector's time": on_each_line(lambda line: f"2026-03-02T10:11:12.123456789Z {line}"),
    "a rank": on_each_line(lambda line: f"[rank0]: {line}"),
    "hard spaces": lambda text: text.replace(" ", "\N{NO-BREAK SPACE}"),
    "zero-width spaces": lambda text: text.replace(" ", " \N{ZERO WIDTH SPACE}"),
    "entities": lambda text: text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;"),
    "smart punctuation": lambda text: text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}").replace("--", "\N{EM DASH}"),
    "tabs": lambda text: text.replace("    ", "\t"),
    "words around it": lambda text: f"hi all,\n{text.rstrip()}\n\nany idea?",
}


def wrapped_at_80(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(line[start : start + 80] for line in lines for start in range(0, max(1, len(line)), 80))


def answer(sample: Sample, text: str, knowledge: Knowledge) -> tuple[str | None, str | None]:
    found = decide(text, dict(sample.facts), knowledge)
    return (found.problem.id if found.problem else None), (found.cause.cause.id if found.cause else None)


@pytest.fixture(scope="module")
def clean(knowledge: Knowledge) -> dict[str, tuple[str | None, str | None]]:
    first = {name: problem.samples[0] for name, problem in knowledge.problems.items()}
    return {name: answer(sample, sample.text, knowledge) for name, sample in first.items()}


@pytest.mark.parametrize("noise", NOISE)
def test_noise_leaves_the_answer_as_it_was(noise: str, knowledge: Knowledge, clean: dict[str, object]):
    first = {name: problem.samples[0] for name, problem in knowledge.problems.items()}
    noisy = {name: answer(sample, NOISE[noise](sample.text), knowledge) for name, sample in first.items()}

    assert {} == {name: found for name, found in noisy.items() if found != clean[name]}


KNOWLEDGE = load_knowledge()
SAMPLES = [(name, sample) for name, problem in KNOWLEDGE.problems.items() for sample in problem.samples]


@given(st.sampled_from(SAMPLES), st.lists(st.sampled_from(sorted(NOISE)), min_size=1, max_size=2, unique=True))
@settings(max_examples=120, deadline=None)
def test_any_sample_is_known_under_any_two_kinds_of_noise(named: tuple[str, Sample], noises: list[str]):
    name, sample = named
    text = sample.text
    for noise in noises:
        text = NOISE[noise](text)

    assert name == answer(sample, text, KNOWLEDGE)[0]


def test_every_sample_is_known_when_it_was_wrapped():
    answers = [(name, answer(sample, wrapped_at_80(sample.text), KNOWLEDGE)[0]) for name, sample in SAMPLES]

    assert [] == [(name, found) for name, found in answers if name != found]
