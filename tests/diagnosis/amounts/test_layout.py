"""Named amounts of other layouts."""

from __future__ import annotations

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.diagnosis.amounts.layout import even_share, expert_replicas, fewest_stages
from bot.diagnosis.amounts.sizings import size_case
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


def test_engines_share_a_card_evenly():
    assert (0.47, 0.31) == (even_share(a_card(ENGINE, ENGINE)), even_share(a_card(ENGINE, ENGINE, ENGINE)))


def test_what_other_programs_hold_is_not_shared():
    assert 0.47 > (even_share(a_card(ENGINE, ENGINE, "python train.py")) or 1) > 0.3


def test_one_engine_shares_with_nobody():
    assert even_share(a_card(ENGINE)) is None
