from __future__ import annotations

from typing import Any

import pytest

from bot.consult import size
from bot.reply.compose_size import compose_size
from bot.reply.document import Ask, Bullets, Command, Details, Document, Prose, Title


def sized(text: str, **measured: float) -> Document:
    found = size(text, measured=measured)
    return compose_size(found.diagnosis, found.command, misread=found.misread)


def parts(document: Document, kind: type) -> list[Any]:
    return [part for part in document.parts if isinstance(part, kind)]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("L4 Qwen/Qwen2.5-7B-Instruct --max-model-len 8192 vllm 0.11.0", "It fits: "),
        ("L4 Qwen/Qwen2.5-32B-Instruct", "It does not fit: "),
        ("L4 meta-llama/Llama-3.1-8B-Instruct vllm 0.11.0", "It does not fit: the longest context that does is "),
        (
            "H100 openai/gpt-oss-120b vllm 0.33.0",
            "It may not fit: by the estimate the longest context that does is ",
        ),
        ("RTX 5090 google/gemma-3-12b-it vllm 0.17.1", "It starts, but holds requests up to "),
        ("vllm serve Qwen/Qwen2.5-7B-Instruct -tp 5 on 5x L4", "vLLM refuses this deployment"),
        ("how much memory?", "I need to know more to size this"),
    ],
)
def test_the_first_sentence_is_the_verdict(text: str, verdict: str):
    assert sized(text).summary.startswith(verdict)


@pytest.mark.parametrize(
    ("text", "value", "verdict"),
    [
        ("qwen3-14b on L40S --tensor-parallel-size abc", "abc", "it fits"),
        ("llama-3.3-70b on L4 --max-num-seqs lots", "lots", "it does not fit"),
        ("vllm serve Qwen/Qwen3-14B --gpu-memory-utilization much # on L40S", "much", "it fits"),
        ("qwen3-14b on 4xL40S --tensor-parallel-size 3 --max-num-seqs abc", "abc", "vLLM refuses"),
    ],
)
def test_a_value_that_cannot_be_read_comes_first_and_nothing_is_offered(text: str, value: str, verdict: str):
    document = sized(text)

    assert document.summary.startswith("I cannot read ")
    assert f"'{value}' is no" in document.summary
    assert parts(document, Prose)[0].spans[0].text.startswith(f"Without it: {verdict}")
    assert [] == parts(document, Command)


def test_what_fits_comes_with_its_command():
    (first, *_) = parts(sized("L4 Qwen/Qwen2.5-7B-Instruct --max-model-len 8192 vllm 0.11.0"), Command)

    assert "Start it" == first.title
    assert "vllm serve Qwen/Qwen2.5-7B-Instruct" in first.text


def test_a_refusal_says_which_field_is_at_fault():
    (reasons, *_) = parts(sized("vllm serve Qwen/Qwen2.5-7B-Instruct -tp 5 on 5x L4"), Bullets)

    assert "28" in reasons.items[0].spans[0].text
    assert [] == [
        part for part in parts(sized("5x L4 Qwen/Qwen2.5-7B-Instruct -tp 5"), Command) if part.title == "Start it"
    ]


def test_what_is_missing_is_asked_for():
    assert "model" in [part.question.name for part in parts(sized("one L4"), Ask)]


def test_the_numbers_say_what_they_rest_on():
    (details,) = parts(sized("L4 Qwen/Qwen2.5-7B-Instruct --max-model-len 8192"), Details)

    assert "What the numbers rest on" == details.title


def test_two_cards_in_two_lines_are_said():
    said = ["".join(span.text for span in part.spans) for part in parts(sized("qwen3-8b on L4\nor H100"), Prose)]

    assert "Two values for GPU: L4 (line 1), which counts here, and H100 (line 2)." in said


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("4 concurrent users", "All 4 at the same time fit, at 8,192 tokens each."),
        (
            "20 concurrent users",
            "Of 20 at the same time 9 fit at 8,192 tokens each; the others wait. Shorter ones take less.",
        ),
        (
            "--max-num-seqs 6, 8 concurrent users",
            "Of 8 at the same time 6 run, as many as max_num_seqs lets; the others wait.",
        ),
    ],
)
def test_requests_at_the_same_time_are_counted(wanted: str, sentence: str):
    document = sized(f"qwen3-14b on L40S vllm 0.33.0 --max-model-len 8192, {wanted}")

    assert sentence in ["".join(span.text for span in part.spans) for part in parts(document, Prose)]


def test_of_servers_that_share_a_card_the_figures_are_of_one():
    (title,) = parts(sized("2 instances of Qwen/Qwen2.5-7B-Instruct on one L40S"), Title)

    assert title.aside.endswith("shared by 2 servers; all figures are of one")


def test_what_the_budget_leaves_open_is_said_beside_it():
    found = size("qwen3-8b on H100 vllm 0.8.3").diagnosis
    document = compose_size(found)

    assert any("does not list Qwen3ForCausalLM" in part.spans[0].text for part in parts(document, Prose))
