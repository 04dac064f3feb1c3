"""Who wrote a line, and which words of it they said."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.roles import is_conditional, is_denied, is_said, role_of, roles_of, tell_apart, words_of
from bot.evidence import Line
from tests.diagnosis.makers import lines_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("so I tried that and now this", True),
        ('File "/x.py", line 3, in f', False),
        ("ValueError: no", False),
        ("    raise ValueError(", False),
        ("$ vllm serve m", False),
        ("| 0 NVIDIA L4 | 3MiB |", False),
        ("2026-01-01 10:00:00 something", False),
        ("        processes and you have forgotten the main module:", False),
        ("        - and then it dies", True),
        ("of the messages or completion.', 'param': None, 'code': 400}", False),
        ("it says {'code': 400} and dies", True),
    ],
)
def test_a_line_s_form_tells_who_wrote_it(text: str, expected: bool):
    assert expected is is_said(Line(number=1, text=text))


def test_a_record_of_vllm_is_no_prose():
    assert not is_said(Line(number=1, text="so it goes", level="INFO"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vllm serve org/model --enable-lora --port 8000", "command"),
        ('- "--speculative-config.method=eagle"', "command"),
        ("curl localhost:8000/v1/models -H 'a: tell me why it is so slow here'", "command"),
        ("Loading safetensors checkpoint shards:  61% Completed | 59/96 [04:27<02:55,  4.76s/it]", "record"),
        ("(raylet) node_manager.cc:3007: 2 workers were killed", "record"),
        ("- [x] I searched for this error before", "heading"),
        ("[Feature]: stop when the server hangs", "wished"),
        ("the server hangs", "said"),
        ("ptxas fatal   : Value 'sm_121' is not defined for option 'gpu-name'", "machine"),
        ("nvcc fatal   : Unsupported gpu architecture 'compute_120'", "machine"),
        ("/usr/bin/ld: cannot find -lcuda: No such file or directory", "machine"),
        ("/bin/sh: 1: /usr/local/cuda/bin/nvcc: not found", "machine"),
        ("bash: line 3: vllm: command not found", "machine"),
        ("  Value error, The checkpoint has a type that nobody knows.", "machine"),
    ],
)
def test_every_line_has_a_role(text: str, expected: str):
    assert expected == role_of(Line(number=1, text=text))


@pytest.mark.parametrize("heading", ["### Expected behavior", "**Expected behavior**", "Alternatives", "预期行为"])
def test_what_answers_a_form_s_question_for_wishes_is_a_wish(heading: str):
    lines = lines_of(f"it hangs\n{heading}\nno crash\n### Steps to reproduce\nrun it")

    assert ["said", "heading", "wished", "heading", "said"] == list(roles_of(lines))


def test_an_answer_on_the_line_of_its_question_is_said_or_wished():
    assert ["said", "wished"] == list(roles_of(lines_of("Environment: two cards\nExpected behavior: no crash")))


def test_what_follows_a_log_is_no_wish_any_more():
    lines = lines_of("Expected behavior\nINFO 01-02 10:00:00 [x.py:1] ready\nit hangs")

    assert ["heading", "record", "said"] == list(roles_of(lines))


@pytest.mark.parametrize(
    "text",
    [
        "it stops at [loader.py:12] Shutting down the executor",
        "I run `vllm serve org/m --enable-lora` here",
        "with --enable-lora --max-lora-rank 32 it is so",
    ],
)
def test_what_is_copied_into_a_sentence_is_not_said(text: str):
    words = words_of(text)

    assert len(text) == len(words)
    assert not {"Shutting", "lora"} & set(words.replace("-", " ").split())


def test_a_single_flag_is_named():
    assert "with --enable-lora it dies" == words_of("with --enable-lora it dies")


@pytest.mark.parametrize(
    ("text", "texts", "said"),
    [
        ("It hangs. Why? Help", ("It hangs.", "Why?", "Help"), (0, 1, 2)),
        ("it hangs when it\nstarts on two cards", ("it hangs when it starts on two cards",), (0,)),
        ("it hangs:\nstarts, ends", ("it hangs:", "starts, ends"), (0, 1)),
        ("it hangs\n    raise ValueError(", ("it hangs", "    raise ValueError("), (0,)),
    ],
)
def test_people_s_words_are_told_by_the_sentence(text: str, texts: tuple[str, ...], said: tuple[int, ...]):
    told = tell_apart(lines_of(text))

    assert (texts, said) == (told.texts, told.said)


@pytest.mark.parametrize(("before", "whole"), [("x" * 77 + "han", "x" * 77 + "hangs"), ("x" * 79, "x" * 79 + " gs")])
def test_a_line_that_was_cut_is_joined_as_it_was(before: str, whole: str):
    assert (whole,) == tell_apart(lines_of(f"{before}\ngs"), cut=(0,)).texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("If you are running out of memory, wait", True),
        ("[x.py:1] Ready. If it is out of memory, wait", True),
        ("To avoid running out of memory, wait", True),
        ("It ran out of memory", False),
        ("If it is so, wait. It ran out of memory", False),
    ],
)
def test_advice_states_nothing(text: str, expected: bool):
    assert expected is is_conditional(text, text.index("out of memory"))


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("there are no OOM logs", "OOM", True),
        ("it does not hang", "hang", True),
        ("es gibt keinen crash", "crash", True),
        ("there is no memory", "memory", False),
        ("I was thinking about OOM, but half of the RAM is free", "OOM", True),
        ("at first we suspected an OOM, however the card is empty", "OOM", True),
        ("we ruled out OOM", "OOM", True),
        ("OOM is ruled out, the RAM is large", "OOM", True),
        ("it is not related to OOM", "OOM", True),
        ("ich dachte an OOM, aber es ist Platz", "OOM", True),
        ("我怀疑是OOM，但内存还有很多", "OOM", True),
        ("I suspected an OOM and it was one", "OOM", False),
        ("I thought of a larger card, it goes OOM but why", "OOM", False),
        ("I guess OOM is the reason", "OOM", False),
        ("it goes OOM but only at night", "OOM", False),
        ("it hangs, no idea why it crashes", "crashes", False),
    ],
)
def test_a_symptom_may_be_denied(text: str, word: str, expected: bool):
    assert expected is is_denied(text, text.index(word), word)


def test_swapped_letters_are_put_right_in_what_people_say_and_nowhere_else():
    told = tell_apart(lines_of("the servre hnags\nERROR 01-02 10:00:00 [core.py:1] the servre hnags"))

    assert ("the server hangs", "ERROR 01-02 10:00:00 [core.py:1] the servre hnags") == told.texts
