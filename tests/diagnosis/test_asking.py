"""The words of the questions."""

from __future__ import annotations

import pytest

from bot.consult import ask
from bot.deployment import Deployment
from bot.diagnosis.asking import WANTED
from bot.diagnosis.diagnose import look_into
from bot.diagnosis.questions import ask_for
from bot.fact_values import fact_value
from bot.facts import FACTS
from tests.diagnosis.makers import evidence_of

CHOICES = [(name, choice) for name, wanted in WANTED.items() for choice in (*wanted.choices, *wanted.worlds)]
TOO_LONG = (
    "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 40960\nNVIDIA L4, vLLM 0.11.0\n"
    "ValueError: To serve at least one request with the models's max seq len (40960), (5.00 GiB KV cache is needed, "
    "which is larger than the available KV cache memory (4.13 GiB)."
)


@pytest.mark.parametrize(("name", "choice"), CHOICES)
def test_every_answer_to_choose_is_a_value_of_its_fact(name: str, choice: str):
    assert fact_value(name, choice) is not None


def test_every_question_asks_for_a_fact():
    assert set(WANTED) <= set(FACTS)


def test_the_longest_request_is_chosen_up_to_what_is_served():
    (asked,) = [question for question in ask(TOO_LONG).questions if question.name == "longest_request"]

    assert ("8K", "16K", "32K", "40,960") == asked.choices


def test_what_is_no_length_is_chosen_from_all_its_answers(served: Deployment):
    situation = look_into(evidence_of(), served, ())

    assert situation.budget
    assert WANTED["dedicated_gpu"].choices == ask_for(["dedicated_gpu"], situation)[0].choices
