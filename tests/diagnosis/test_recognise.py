"""Sure, alike, or silent."""

from __future__ import annotations

import pytest

from bot.diagnosis.recognise import Recognised, recognise
from bot.diagnosis.wordings import Scanner
from bot.evidence import Evidence, Failure
from tests.diagnosis.conftest import PROBLEMS
from tests.diagnosis.makers import NEEDED, lines_of

SCANNER = Scanner(PROBLEMS)


def heard(text: str, *failures: Failure, kinds: frozenset[str] = frozenset()) -> Recognised:
    evidence = Evidence(lines=lines_of(text), failures=failures, kinds=kinds)
    return recognise(SCANNER.scan(evidence.lines), evidence, PROBLEMS)


def said(found: Recognised) -> tuple[str, str | None, bool]:
    return found.match, found.matches[0].problem.id if found.matches else None, found.is_for_us


def test_a_message_in_a_log_is_sure():
    assert ("exact", "cache-too-small", True) == said(heard(NEEDED))


def test_a_message_that_a_person_asks_about_is_sure():
    assert ("exact", "no-cache", True) == said(heard("why does it say No available memory for the cache blocks?"))


@pytest.mark.parametrize(
    "text",
    [
        "my brain: No available memory for the cache blocks. weekend!",
        f"{NEEDED}\nsolved, it was the context",
        "loss.backward()\nNo available memory for the cache blocks",
        "thanks, works now",
        "",
        "┌──┐\n│  │\n└──┘",
    ],
    ids=["joke", "solved", "training", "thanks", "empty", "boxes"],
)
def test_chatter_and_other_programs_get_silence(text: str):
    assert ("none", None, False) == said(heard(text))


def test_a_consequence_alone_is_sure():
    assert ("exact", "engine-failed", True) == said(
        heard("RuntimeError: Engine core initialization failed. See root cause above.")
    )


def test_a_description_counts_when_help_is_wanted():
    assert ("exact", "full-idle", True) == said(heard("vllm: no traffic and the card is full, a leak?"))
    assert ("alike", "full-idle", True) == said(heard("no traffic and my gpu is full, a leak?"))
    assert ("none", None, False) == said(heard("no traffic and the bar is full"))


def test_noise_is_explained_to_who_asks_only():
    noise = "UserWarning: 1 leaked shared_memory objects to clean up at shutdown"

    assert ("none", None, False) == said(heard(noise))
    assert ("exact", "left-over", True) == said(heard(f"{noise}\nis this bad?"))


def test_a_damaged_message_is_alike():
    assert ("alike", "no-cache", True) == said(heard("Va1ueError: No avai1able rnemory for the cache b1ocks"))


def test_an_unknown_error_of_vllm_concerns_us():
    failure = Failure(kind="RuntimeError", message="something new", line=1)

    assert ("none", None, True) == said(heard("(EngineCore pid=1) RuntimeError: something new", failure))
