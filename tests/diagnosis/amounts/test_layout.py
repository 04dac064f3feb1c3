"""Named amounts of other layouts."""

from __future__ import annotations

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.diagnosis.amounts.layout import expert_replicas, fewest_gpus_for_usual_requests, fewest_stages, shorter_context
from bot.diagnosis.amounts.sizings import resize, size_case
from bot.diagnosis.amounts.table import AMOUNTS
from bot.diagnosis.situation import Situation
from bot.evidence import Evidence
from tests.diagnosis.makers import a_gpu, a_process, a_situation

ENGINE = "VLLM::EngineCore"


def a_case(model: str, gpu: str, **facts: object) -> Situation:
    card, shape = find_gpu(gpu).card, find_model(model).shape
    return size_case(a_situation(Deployment(shape=shape, card=card, vllm_version="0.19.0", **facts)))


def a_card(*names: str, memory: int = 4000) -> Situation:
    processes = tuple(a_process(name, memory, pid=pid) for pid, name in enumerate(names, 1))
    evidence = Evidence(gpus=(a_gpu(20_000, 24_576),), processes=processes)
    return a_situation(Deployment(card=find_gpu("L4").card), evidence=evidence)


def test_stages_are_counted_until_one_request_fits():
    assert 2 == fewest_stages(a_case("Qwen/Qwen3-14B", "L4", max_model_len=8192))


def test_where_it_fits_no_further_stage_is_needed():
    assert fewest_stages(a_case("Qwen/Qwen3-8B", "L4", max_model_len=8192)) is None


def test_experts_are_dealt_out_where_ranks_would_copy_the_cache():
    assert 8 == expert_replicas(a_case("deepseek-ai/DeepSeek-V3", "H200", gpu_count=8))


@pytest.mark.parametrize(
    ("model", "gpus"), [("Qwen/Qwen3-30B-A3B", 8), ("Qwen/Qwen3-14B", 8), ("deepseek-ai/DeepSeek-V3", 3)]
)
def test_elsewhere_they_are_not(model: str, gpus: int):
    assert expert_replicas(a_case(model, "H200", gpu_count=gpus)) is None


def test_replicas_leave_the_gpus_of_other_stages_alone():
    assert 4 == expert_replicas(a_case("deepseek-ai/DeepSeek-V3", "H200", gpu_count=8, pipeline_parallel=2))


def test_usual_requests_need_fewer_gpus_than_the_longest():
    case = a_case("meta-llama/Llama-3.3-70B-Instruct", "L4")

    assert (8, 16) == (fewest_gpus_for_usual_requests(case), AMOUNTS["fewest_gpus"].of(case))


@pytest.mark.parametrize(("length", "said"), [(4096, 4096), (40_960, None)])
def test_a_context_is_shorter_only_than_what_was_asked_for(length: int, said: int | None):
    case = a_case("Qwen/Qwen3-14B", "L40S")

    assert said == shorter_context(resize(case, case.deployment.with_(max_model_len=length)))
    assert shorter_context(case) is None
