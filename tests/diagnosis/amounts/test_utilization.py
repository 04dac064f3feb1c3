"""Named amounts of gpu_memory_utilization."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.catalog.gpus import find_gpu
from bot.deployment import Deployment
from bot.diagnosis.amounts.sizings import size_case
from bot.diagnosis.amounts.table import AMOUNTS
from bot.diagnosis.amounts.utilization import even_share
from bot.diagnosis.diagnose import look_into
from bot.diagnosis.situation import Situation
from bot.evidence import Evidence
from bot.sizing.terms import Measured
from bot.units import Bytes
from tests.diagnosis.makers import a_gpu, a_process, a_situation, evidence_of


@pytest.fixture
def sized(served: Deployment) -> Situation:
    measured = evidence_of(weights=Bytes.gib(14.99), kv_available=Bytes.gib(4.13), total=Bytes.gib(22.03))
    return look_into(measured, served, ())


def of(name: str, situation: Situation) -> object:
    return AMOUNTS[name].of(situation)


def test_no_safe_utilization_holds_what_is_far_too_long(sized: Situation):
    assert of("utilization_needed", sized) is None


@pytest.mark.parametrize(("free", "fits"), [(19.77, 0.89), (22.0, 0.99), (0.01, None)])
def test_the_utilization_that_free_memory_allows(free: float, fits: float | None):
    assert fits == of("utilization_that_fits", a_situation(free=Bytes.gib(free), total=Bytes.gib(22.05)))


def test_a_utilization_is_raised_only_as_far_as_is_safe():
    steps = {share: of("utilization_step_up", a_situation(gpu_memory_utilization=share)) for share in (0.4, 0.9, 0.95)}

    assert {0.4: 0.9, 0.9: 0.95, 0.95: None} == steps


@pytest.mark.parametrize(("outside", "share"), [(0.0, 0.88), (4.0, 0.81), (20.0, 0.75)])
def test_a_margin_is_what_lives_beside_the_allowance(sized: Situation, outside: float, share: float):
    assert sized.budget
    graphs = sized.budget.terms[0]._replace(inside=False, high=Bytes.gib(outside))
    situation = replace(sized, budget=sized.budget._replace(terms=(graphs,)))

    assert share == of("utilization_with_margin", situation)


def test_a_share_of_next_to_nothing_has_no_margin():
    assert None is of("utilization_with_margin", a_situation(gpu_memory_utilization=0.02, total=Bytes.gib(22)))


def test_the_room_at_most_is_that_of_the_highest_safe_share(sized: Situation):
    assert str(Bytes.gib(4.13 + 22.03 * 0.05)) == str(of("kv_room_at_most", sized))


ENGINE = "VLLM::EngineCore"


def a_card(*names: str, memory: int = 4000) -> Situation:
    processes = tuple(a_process(name, memory, pid=pid) for pid, name in enumerate(names, 1))
    evidence = Evidence(gpus=(a_gpu(20_000, 24_576),), processes=processes)
    return a_situation(Deployment(card=find_gpu("L4").card), evidence=evidence)


def test_engines_share_a_card_evenly():
    assert (0.47, 0.31) == (even_share(a_card(ENGINE, ENGINE)), even_share(a_card(ENGINE, ENGINE, ENGINE)))


def test_what_other_programs_hold_is_not_shared():
    assert 0.47 > (even_share(a_card(ENGINE, ENGINE, "python train.py")) or 1) > 0.3


def test_one_engine_shares_with_nobody():
    assert even_share(a_card(ENGINE)) is None


def test_servers_that_somebody_counts_share_a_card_as_those_that_are_seen_do(sized: Situation):
    told = replace(sized, evidence=evidence_of(instances=2), measured=Measured())

    assert 0.23 == even_share(a_situation(instances=4))
    assert 0.35 < (even_share(told) or 0) < 0.47  # what each takes beside its share is left out


def test_on_a_shared_card_no_step_up_goes_beyond_the_share(sized: Situation):
    told = replace(
        sized, evidence=evidence_of(instances=2), deployment=sized.deployment.with_(gpu_memory_utilization=0.3)
    )

    assert of("even_share", told) == of("utilization_step_up", size_case(told))
