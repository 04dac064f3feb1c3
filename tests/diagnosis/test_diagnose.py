"""The whole verdict."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.catalog.load import Knowledge
from bot.consult import ask
from bot.deployment import Deployment
from bot.diagnosis.diagnose import diagnose
from bot.diagnosis.verdict import Diagnosis
from bot.evidence import Evidence
from bot.units import Bytes
from tests.diagnosis.conftest import FLAGS, PROBLEMS
from tests.diagnosis.makers import NEEDED, a_process, evidence_of, lines_of

WHOLE = Knowledge({problem.id: problem for problem in PROBLEMS}, FLAGS)


@pytest.fixture
def verdict(served: Deployment, knowledge: Knowledge) -> Diagnosis:
    return diagnose(evidence_of(NEEDED, weights=Bytes.gib(14.99), total=Bytes.gib(22.03)), served, knowledge)


def test_problem_cause_budget_and_fix_hang_together(verdict: Diagnosis):
    assert verdict.problem is not None
    assert verdict.cause is not None
    assert ("exact", "cache-too-small", "context-too-long") == (
        verdict.match,
        verdict.problem.id,
        verdict.cause.cause.id,
    )
    assert "high" == verdict.confidence
    assert ["shorter", "more-gpus"] == [item.fix.id for item in verdict.prescriptions]


def test_what_the_message_says_becomes_fact(verdict: Diagnosis):
    assert Bytes.gib(4.13) == verdict.evidence.value("kv_available")
    assert verdict.budget is not None
    assert Bytes.gib(4.13) == verdict.budget.kv_available


def test_a_cause_outranks_what_follows_from_it(served: Deployment, knowledge: Knowledge):
    text = f"{NEEDED}\nRuntimeError: Engine core initialization failed. See root cause above."

    found = diagnose(evidence_of(text), served, knowledge)

    assert ("cache-too-small", ("engine-failed",)) == (found.problem and found.problem.id, found.also)


def test_a_neighbour_s_memory_is_in_the_budget(served: Deployment, knowledge: Knowledge):
    text = "ValueError: No available memory for the cache blocks"
    evidence = Evidence(lines=lines_of(text), processes=(a_process("python train.py", 12_000),))

    found = diagnose(evidence, served.with_(vllm_version="0.8.5"), knowledge)

    assert found.budget is not None
    assert [Bytes.mib(12_000)] == [term.amount for term in found.budget.terms if term.name == "other_processes"]


def test_an_unknown_model_is_a_question(knowledge: Knowledge):
    found = diagnose(evidence_of(NEEDED), Deployment(model="nobody/knows", gpu="L4"), knowledge)

    assert found.budget is None
    assert found.questions


def test_the_same_paste_gives_the_same_verdict(served: Deployment, knowledge: Knowledge):
    first, second = (diagnose(evidence_of(NEEDED), served, knowledge) for _ in range(2))

    assert first == second


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_no_text_is_too_strange(text: str):
    ask = partial(diagnose, knowledge=WHOLE)

    assert ask(evidence_of(text), Deployment()).match in {"exact", "alike", "none"}


@pytest.mark.parametrize(
    "facts", [{"tensor_parallel": 3}, {"max_model_len": 0}, {"gpu_memory_utilization": -1.0}, {"max_num_seqs": 10**12}]
)
def test_no_deployment_is_too_strange(served: Deployment, knowledge: Knowledge, facts: dict[str, float]):
    assert "exact" == diagnose(evidence_of(NEEDED), served.with_(**facts), knowledge).match


def test_what_a_command_needs_and_nobody_asks_for_is_said():
    said = ask("ValueError: No available memory for the cache blocks.\n--gpu-memory-utilization 0.5 on L4")

    assert "model" not in {question.name for question in said.questions}
    assert ("A fix with its command and figures needs the model, which I do not know.",) == said.remarks


def test_where_there_is_a_command_nothing_is_wanting():
    said = ask("ValueError: No available memory for the cache blocks.\nvllm serve Qwen/Qwen3-8B on L4, vllm 0.11.0")

    assert () == said.remarks


def test_where_a_problem_is_only_alike_the_error_is_asked_for():
    found = ask("It is stuck. Our vllm loads a model on one card.")

    assert ("alike", "hang-at-startup", ["log"]) == (
        found.match,
        found.problem and found.problem.id,
        [question.name for question in found.questions],
    )


def test_where_vllm_would_refuse_every_change_it_is_said_why():
    told = ask(
        "vllm serve openai/gpt-oss-20b --kv-cache-dtype fp8   # vllm 0.22.0 on one T4\n"
        "Model loading took 13.4909 GiB and 15.871932 seconds\n"
        "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`."
    )

    assert [] == [item.command for item in told.prescriptions if item.command]
    assert ["FP8 KV cache is not supported on Tesla T4" in text for text in told.remarks] == [True]


def test_requests_and_a_cache_in_the_log_leave_one_place_for_an_oom():
    told = ask(
        "INFO 09-10 07:02:00 [kv_cache_utils.py:864] GPU KV cache size: 75,824 tokens\n"
        "RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests."
    )

    assert told.problem is not None
    assert ("oom-sampler-warmup", ()) == (told.problem.id, told.also_seen)
