"""Asking, telling and closing."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.talk import listen
from tests.diagnosis.makers import NEEDED, lines_of


@pytest.mark.parametrize(
    "text",
    [
        "thanks, works now",
        "nvm, the variable was empty",
        "with the new image it runs perfectly",
        "confirmed fixed on my side",
        "> CUDA out of memory\nthat was before the restart, you can close it",
        "for the record, this was the reason: too long a context",
        "wiki page changed: why is my GPU full?",
        "heads-up: restarting the big one, that's me",
        "the new release fixes the memory leak",
        "if anybody sees it again: fixed by another driver",
        "reminder: it loads slowly from nfs, use the local disk",
        "talk: why it uses all your memory",
        "interview question: why does it say so with a small model",
        "I wrote a short post on slow loading",
        "closing the ticket on the garbage output",
        "happy to share some first numbers of our slow box",
    ],
)
def test_some_matters_are_over(text: str):
    assert listen(lines_of(text)).is_over


@pytest.mark.parametrize(
    "text",
    [
        NEEDED,
        "works with tp 1, but with 4 it dies",
        "the new engine fails to start but the old one works perfectly",
        "V0 works perfectly while V1 fails",
        "the pod starts again and ends in a restart loop",
        "vLLM takes a fixed amount of memory, why?",
        "how to solve this problem?",
        "please help out if somebody solved this one",
        "has anyone got this fixed?",
        "I wrote a script that starts it and it dies",
        "rollback works. what changed",
        "the host name could not be resolved by the pod",
        "heads-up from the team: is this normal?",
        "a restart fixes the stall for an hour, why?",
        "it hangs with two cards, NCCL_P2P_DISABLE=1 fixes the hang",
    ],
)
def test_others_are_not(text: str):
    assert not listen(lines_of(text)).is_over


@pytest.mark.parametrize(
    "text",
    [
        "is it a leak?",
        "it never starts, help",
        "启动报错",
        "le serveur plante",
        "it hangs",
        "gets slower and slower",
        "зависает",
        "the memory keeps growing",
        "it hnags",
        "显存一直涨",
        "память растёт",
        "la mémoire augmente sans cesse",
        "--swap-space 16 uses all the memory and then it dies",
    ],
)
def test_help_is_wanted(text: str):
    assert listen(lines_of(text)).wants_help


@pytest.mark.parametrize("text", ["coffee at ten", "the new cards are in", ""])
def test_no_help_is_wanted(text: str):
    assert not listen(lines_of(text)).wants_help


def test_a_word_of_content_closes_no_trouble():
    assert listen(lines_of("small prompts work as expected")).is_over
    assert not listen(lines_of("small prompts work as expected, long ones crash it")).is_over


@pytest.mark.parametrize("text", ["runs well, no crashes", "no issues so far", "runs without errors"])
def test_denied_trouble_is_none(text: str):
    assert not listen(lines_of(text)).wants_help


@pytest.mark.parametrize(
    "text",
    [
        '[Feature]: a better text for "No available memory for the cache blocks"',
        "[RFC] raise it earlier",
        "This PR rewords the message",
        "What's new in 0.13: the text names a length",
        "vLLM v0.12.0 release notes",
        "commit 4f2a9c1b7d8e\n    [Core] raise it as a subclass",
        'It would be nice if "EngineCore failed to start" told the cause',
        'I renamed "Engine core initialization failed" to something readable',
    ],
)
def test_some_texts_tell_what_a_program_does_or_should(text: str):
    assert listen(lines_of(text)).is_document


@pytest.mark.parametrize(
    "text",
    [
        "It would be great if somebody could help: it crashes",
        "I'd like to run a 70B but get OOM",
        "Docs: they say to lower the share, but it still fails",
        NEEDED,
    ],
)
def test_whoever_is_in_trouble_wishes_for_help(text: str):
    assert not listen(lines_of(text)).is_document


def test_what_is_quoted_is_not_the_trouble_of_who_quotes_it():
    assert not listen(lines_of('the text "EngineCore failed to start, why" is misleading')).wants_help
    assert listen(lines_of('"it failed to start and I do not know why"')).wants_help


def test_notes_on_a_release_are_not_what_was_read_in_them():
    assert listen(lines_of("release notes of the week")).is_telling
    assert listen(lines_of("RCA: the disk was full")).is_telling
    assert listen(lines_of("Incident report of Tuesday")).is_telling
    assert not listen(lines_of("since the release notes came out it dies")).is_telling


@pytest.mark.parametrize(
    "text",
    [
        "TL;DR: set the share, and no cache block is missed",
        "In this post you learn what a full cache says and why it dies",
        "The five most common start-up errors",
        "vLLM troubleshooting guide\nNo available memory: raise the share",
        "Known issues of this image\nit dies on old cards",
    ],
)
def test_a_lesson_is_for_whoever_reads_it(text: str):
    assert listen(lines_of(text)).is_lesson


@pytest.mark.parametrize(
    "text",
    [
        "I followed the steps in this guide and it dies",
        "none of the common errors, still stuck",
        "see the troubleshooting guide? it crashes",
        "all requests return errors",
        "known issues with fp8?",
    ],
)
def test_trouble_beside_a_lesson_is_none(text: str):
    assert not listen(lines_of(text)).is_lesson
