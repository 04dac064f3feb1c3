"""Questions that change the answer."""

from __future__ import annotations

import pytest

from bot.catalog.problem import Problem
from bot.consult import ask as diagnosed
from bot.consult import size as sized
from bot.deployment import Deployment
from bot.diagnosis.asking import WANTED
from bot.diagnosis.causes import judge_causes
from bot.diagnosis.diagnose import look_into
from bot.diagnosis.questions import MOST, ask, ask_for_the_error
from bot.diagnosis.situation import Situation
from bot.evidence import Evidence, Failure
from bot.fact_values import fact_value
from bot.facts import FACTS
from bot.units import Bytes
from tests.diagnosis.conftest import ENGINE_FAILED, NO_CACHE, TOO_SMALL
from tests.diagnosis.makers import a_situation, evidence_of


def asked(problem: Problem, situation: Situation) -> list[str]:
    return [question.name for question in ask(problem, judge_causes(problem, situation), situation)]


def test_a_fact_that_decides_is_asked_for():
    problem = TOO_SMALL.model_copy(update={"questions": ()})

    assert "dedicated_gpu" in asked(problem, a_situation(estimated_max_len=9, max_model_len=8, gpu="L4", model="m"))


def test_a_fact_that_is_known_is_not_asked_for():
    assert "dedicated_gpu" not in asked(TOO_SMALL, a_situation(dedicated_gpu=True))


def test_a_fact_that_changes_nothing_is_not_asked_for():
    indifferent = NO_CACHE.model_copy(update={"questions": ("wanted_concurrency",)})

    assert [] == asked(indifferent, a_situation())


def test_no_more_than_two_are_asked():
    problem = TOO_SMALL.model_copy(update={"questions": ("longest_request", "vllm_version", "gpu_memory_utilization")})

    assert MOST >= len(asked(problem, a_situation()))


def test_sizing_s_missing_facts_are_asked_for(served: Deployment):
    bare = look_into(evidence_of(), Deployment(vllm_version=served.vllm_version), ())

    assert ["model", "gpu"] == asked(TOO_SMALL.model_copy(update={"causes": ()}), bare)


def test_the_longest_request_matters_where_the_context_does(served: Deployment):
    evidence = evidence_of(
        kv_available=Bytes.gib(4.13), max_model_len=131_072, total=Bytes.gib(22.03), dedicated_gpu=True
    )

    assert ["longest_request"] == asked(TOO_SMALL, look_into(evidence, served, ()))


def test_a_consequence_alone_asks_for_the_lines_before_it():
    assert ["log"] == asked(ENGINE_FAILED, a_situation())


@pytest.mark.parametrize("name", sorted(WANTED))
def test_every_question_s_plausible_answers_are_values_of_its_fact(name: str):
    assert name in FACTS
    assert all(fact_value(name, world) is not None for world in WANTED[name].worlds)
    assert WANTED[name].how_to_find_out


def test_what_a_paste_shows_is_not_asked_for():
    one_card = "vllm serve Qwen/Qwen2.5-32B-Instruct on a single A100 40GB, vllm 0.10.2\nValueError: No available memory for the cache blocks."

    assert "tensor_parallel" not in [question.name for question in diagnosed(one_card).questions]


def test_a_process_to_end_needs_no_model():
    stale = (
        "ValueError: Free memory on device (3.38/79.15 GiB) on startup is less than desired GPU memory utilization "
        "(0.9, 71.24 GiB).\npid, process_name, used_gpu_memory [MiB]\n70417, VLLM::EngineCore, 77610 MiB\n"
    )

    assert [] == [question.name for question in diagnosed(stale).questions]


def test_a_problem_that_earlier_lines_tell_apart_asks_for_them_first():
    problem = NO_CACHE.model_copy(update={"questions": ("log",), "causes": ()})

    assert "log" == asked(problem, a_situation())[0]


def test_of_two_cards_that_a_person_named_it_asks_which():
    said = diagnosed(
        "vllm 0.11.0 with qwen3-32b on L4\nValueError: No available memory for the cache blocks.\nthe H100"
    )
    other = diagnosed("vllm 0.11.0 with qwen3-32b on L4\nValueError: No available memory for the cache blocks.\non L4")

    assert ("gpu", ("L4", "H100")) == (said.questions[0].name, said.questions[0].choices)
    assert "Two values for GPU: L4 (line 1), which counts here, and H100 (line 3)." in [
        each.text for each in said.contradictions
    ]
    assert "gpu" not in {question.name for question in other.questions}


def test_where_trouble_is_told_and_no_error_shown_the_error_is_asked_for():
    assert ["log"] == [question.name for question in ask_for_the_error(Evidence())]


def test_where_an_error_is_shown_it_is_not_asked_for():
    failure = Failure(kind="RuntimeError", message="something new", line=1)

    assert () == ask_for_the_error(Evidence(failures=(failure,)))


def test_where_no_fix_can_be_given_what_it_needs_is_asked_first():
    diagnosis = diagnosed("our vllm complains that the KV cache is too small for max_model_len, what to do?")

    assert ["model", "gpu"] == [question.name for question in diagnosis.questions]


TO_END_IN_THE_SAMPLER = """vllm serve Qwen/Qwen2.5-7B-Instruct
(EngineCore pid=9) INFO 06-21 08:10:20 [gpu_worker.py:298] Available KV cache memory: {} GiB
(EngineCore pid=9) RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests.
"""


@pytest.mark.parametrize(
    ("printed", "cards"), [("3.5", ("L4", "L40S", "A100-80GB", "H100", "RTX 4090")), ("108.26", ("H200", "B200"))]
)
def test_a_card_that_no_command_can_do_without_is_asked_for(printed: str, cards: tuple[str, ...]):
    diagnosis = diagnosed(TO_END_IN_THE_SAMPLER.format(printed))

    assert [("gpu", cards)] == [(question.name, question.choices) for question in diagnosis.questions]
    assert () == diagnosis.remarks


def test_who_else_is_on_the_card_is_not_asked_where_its_memory_is_told():
    diagnosis = diagnosed(
        "vllm serve Qwen/Qwen2.5-7B-Instruct --gpu-memory-utilization 0.5\n"
        "ValueError: Free memory on device (7.92/23.64 GiB) on startup is less than desired GPU memory utilization "
        "(0.5, 11.82 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes."
    )

    assert "dedicated_gpu" not in [question.name for question in diagnosis.questions]


@pytest.mark.parametrize(
    ("words", "name", "choice"),
    [
        ("qwen2.5-7b on one Jetson Orin", "gpu", "Jetson Orin NX 16GB"),
        ("Qwen3-8B-Instrct on one L4", "model", "Qwen/Qwen3-8B"),
        ("Qwen3.6-27B-NVFP4 on one H100", "model", "nvidia/Qwen3.6-27B-NVFP4"),
    ],
)
def test_a_question_offers_the_names_that_were_close(words: str, name: str, choice: str):
    question = next(question for question in sized(words).diagnosis.questions if question.name == name)

    assert choice in question.choices


CAPTURING = """{prefix}Model loading took 15.27 GiB memory and 3 seconds
Capturing CUDA graph shapes: 10%
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.32 GiB. GPU 0 has a total capacity of 22.05 GiB of which 1.1 GiB is free.

Qwen3-8B on an A10G"""


@pytest.mark.parametrize(
    ("prefix", "choices"),
    [
        ("", ("0.11.1", "0.19.0", "0.33.0")),
        ("INFO 11-05 09:12:44 [gpu_model_runner.py:4] ", ("0.11.1", "0.19.0", "0.33.0")),
        ("INFO 11-05 09:12:44 [gpu_model_runner.py:3338] ", ()),
    ],
)
def test_of_versions_those_are_offered_that_print_so_and_none_where_it_is_one(prefix: str, choices: tuple[str, ...]):
    questions = diagnosed(CAPTURING.format(prefix=prefix)).questions

    assert choices == next((question.choices for question in questions if question.name == "vllm_version"), ())
