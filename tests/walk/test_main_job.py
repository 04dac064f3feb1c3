"""The main job, as the people of a support channel meet it."""

from __future__ import annotations

import re

import pytest

from tests.walk.pastes import (
    DJANGO,
    KV_TOO_SMALL,
    LEAKING,
    NO_BLOCKS,
    STALE,
    THANKS,
    TRAINING,
    WRAPPER,
    smi,
)
from tests.walk.served import Walk, texts, wait_for


def test_a_context_that_does_not_fit_is_told_with_what_each_way_would_give(walk: Walk) -> None:
    said = walk.answer(KV_TOO_SMALL)

    assert "cannot hold one request of 131,072 tokens" in said
    assert re.search(r"weights +−14\.99", said)
    assert re.search(r"KV cache +4\.13", said)
    assert re.search(r"--max-model-len \d+", said)
    assert "fp8" in said
    assert "--tensor-parallel-size" in said


def test_the_context_that_is_offered_fits(walk: Walk) -> None:
    channel = walk.a_channel(mode=None)
    offered = re.search(r"vllm serve \S+ [^→]*?--max-model-len (\d+)", walk.answer(KV_TOO_SMALL))
    assert offered

    walk.maya.slash(channel, "/vllm-size", f"1xL4 llama-3.1-8b-instruct --max-model-len {offered[1]}")

    assert "It fits" in wait_for(lambda: walk.whispers(walk.maya, channel))[0]["text"]


def test_one_message_has_three_answers(walk: Walk) -> None:
    serve = "vllm serve meta-llama/Llama-3.1-8B-Instruct --gpu-memory-utilization"
    other = smi("NVIDIA L40S", 30721, 46068, (4711, "python3 train.py", 30720))

    too_low = walk.answer(f"{NO_BLOCKS}\n{serve} 0.4\n{smi()}")
    crowded = walk.answer(f"INFO vLLM API server version 0.8.5\n{NO_BLOCKS}\n{serve} 0.95\n{other}")
    heavy = walk.answer(f"{NO_BLOCKS}\nvllm serve Qwen/Qwen2.5-14B-Instruct --gpu-memory-utilization 0.9\n{smi()}")

    assert [True, False, False] == ["utilization is too low" in said for said in (too_low, crowded, heavy)]
    assert [False, True, False] == ["4711" in said for said in (too_low, crowded, heavy)]
    assert [False, False, True] == ["weights fill" in said for said in (too_low, crowded, heavy)]


def test_a_stale_engine_is_named_by_its_pid_with_how_to_make_sure(walk: Walk) -> None:
    said = walk.answer(STALE)

    assert "184467" in said
    assert said.index("ps ") < said.index("kill ")


def test_a_wrapper_alone_asks_for_the_lines_above_it(walk: Walk) -> None:
    said = walk.answer(WRAPPER)

    assert re.search("earlier lines|lines above", said)


def test_a_card_that_is_full_by_design_is_told_with_its_own_numbers(walk: Walk) -> None:
    said = walk.answer(LEAKING)

    assert "by design" in said
    assert "H100" in said
    assert "72" in said


@pytest.mark.parametrize("text", [THANKS, DJANGO, TRAINING], ids=["thanks", "django", "training"])
def test_what_is_not_ours_gets_silence_and_a_polite_no_when_we_are_asked(walk: Walk, text: str) -> None:
    channel = walk.a_channel()

    ts = walk.maya.post(channel, text)["ts"]

    walk.settled()
    assert [] == walk.said(channel, ts)
    assert [] == walk.marks(channel, ts)
    asked = walk.maya.post(channel, f"@vllm-triage {text}")["ts"]
    assert "not a vLLM problem I know" in texts(walk.reply(channel, asked)["blocks"])


@pytest.mark.parametrize(
    "text",
    ["x" * 39_000, "│ ├ ─ ┼ ╔ ═ ╗\n" * 900, "\u202e\u0000<!channel> &lt;@U1&gt; ```" * 200, " "],
    ids=["long", "boxes", "hostile", "empty"],
)
def test_odd_pastes_get_an_answer_or_silence_and_never_a_fault(walk: Walk, text: str) -> None:
    channel = walk.a_channel()

    ts = walk.maya.post(channel, text)["ts"]

    walk.settled()
    assert not [each for each in walk.said(channel, ts) if "reference" in each["text"]]
