"""Named amounts about who else is on the card."""

from __future__ import annotations

from bot.deployment import Deployment, read_version
from bot.diagnosis.amounts.processes import (
    card_is_full_by_design,
    display_process_memory,
    free_memory,
    idle_gpus,
    instances_on_card,
    other_process_memory,
    other_process_names,
    others_are_charged,
    own_process_memory,
    stale_process_memory,
    stale_process_pids,
    total_used_memory,
    unseen_memory,
    visible_gpus,
)
from bot.diagnosis.situation import Situation
from bot.evidence import Evidence
from bot.units import Bytes
from tests.diagnosis.conftest import FULL_IDLE, NO_CACHE
from tests.diagnosis.makers import a_gpu, a_hit, a_process, a_situation, evidence_of

FAILED = a_hit(NO_CACHE)
ENGINE = a_process("VLLM::EngineCore", 17_000, pid=11)


def seen(*, failed: bool = True, deployment: Deployment | None = None, **readings: object) -> Situation:
    evidence = Evidence(**readings)
    return Situation(evidence, deployment or Deployment(), (FAILED if failed else a_hit(FULL_IDLE),))


def test_what_others_hold_is_what_their_processes_hold():
    assert Bytes.mib(17_000) == other_process_memory(seen(processes=(ENGINE,)))


def test_our_own_engine_is_no_other_process():
    assert Bytes(0) == other_process_memory(seen(failed=False, processes=(ENGINE,)))


def test_a_person_who_says_that_the_card_is_theirs_is_believed():
    assert Bytes(0) == other_process_memory(a_situation(dedicated_gpu=True))


def test_memory_used_before_our_start_is_not_ours():
    missing = a_situation(None, FAILED, free=Bytes.gib(30), total=Bytes.gib(80))

    assert Bytes.gib(50) == other_process_memory(missing)


def test_a_cuda_context_is_no_other_process():
    assert other_process_memory(a_situation(None, FAILED, free=Bytes.gib(78), total=Bytes.gib(80))) is None


def test_without_a_failed_start_used_memory_tells_nothing():
    assert other_process_memory(a_situation(free=Bytes.gib(30), total=Bytes.gib(80))) is None


def test_who_is_listed_beside_the_process_that_ran_out_is_another():
    listed = a_situation(oom_listed=Bytes.gib(21), oom_process=Bytes.gib(57))

    assert Bytes.gib(21) == other_process_memory(listed)


def test_who_is_listed_alone_may_be_the_process_that_ran_out():
    assert other_process_memory(a_situation(oom_listed=Bytes.gib(57))) is None


def test_what_no_process_shows_is_unseen():
    evidence = evidence_of(free=Bytes.gib(30), total=Bytes.gib(80))._replace(
        processes=(a_process("python", 10 * 1024),)
    )

    assert Bytes.gib(40) == unseen_memory(Situation(evidence, Deployment(), (FAILED,)))


def test_names_and_pids_are_those_printed():
    situation = seen(processes=(ENGINE,))

    assert (("VLLM::EngineCore",), (11,)) == (other_process_names(situation), stale_process_pids(situation))


def test_who_pays_for_others_follows_the_version():
    charged = {
        version: others_are_charged(a_situation(Deployment(vllm_version=read_version(version))))
        for version in ("0.8.5", "0.11.0")
    }

    assert {"0.8.5": True, "0.11.0": False} == charged
    assert others_are_charged(a_situation()) is None


def test_free_memory_is_logged_or_the_rest_of_the_fullest_card():
    assert Bytes.gib(3) == free_memory(a_situation(free=Bytes.gib(3)))
    assert Bytes.mib(22_034) == free_memory(seen(gpus=(a_gpu(1_000),)))
    assert free_memory(a_situation()) is None


def test_what_a_failed_start_has_left_is_not_idle():
    pair = (a_gpu(3), a_gpu(3, index=1))
    layouts = [Deployment(tensor_parallel=size) for size in (1, 2, 4)]

    assert [1, 0, 0] == [idle_gpus(seen(gpus=pair, deployment=told)) for told in layouts]
    assert 2 == idle_gpus(seen(gpus=pair, deployment=layouts[1], failed=False))


def test_gpus_are_counted():
    situation = seen(gpus=(a_gpu(20_000), a_gpu(3, index=1)))

    assert (2, 1, Bytes.mib(20_000)) == (visible_gpus(situation), idle_gpus(situation), total_used_memory(situation))


def test_engines_of_one_card_are_counted():
    assert 2 == instances_on_card(seen(processes=(ENGINE, a_process("VLLM::EngineCore", pid=12))))


def test_a_card_that_holds_its_allowance_is_full_by_design():
    deployment = Deployment(gpu_memory_utilization=0.9)
    full, half = (seen(failed=False, deployment=deployment, gpus=(a_gpu(used),)) for used in (20_900, 9_000))

    assert (True, False) == (card_is_full_by_design(full), card_is_full_by_design(half))


def test_a_desktop_and_a_left_over_engine_hold_what_is_printed():
    desktop = a_process("/usr/lib/xorg/Xorg", 400, pid=3, type="G")

    assert Bytes.mib(400) == display_process_memory(seen(processes=(desktop,)))
    assert Bytes(0) == display_process_memory(seen(processes=(ENGINE,)))
    assert display_process_memory(seen()) is None
    assert (Bytes.mib(17_000), Bytes(0)) == tuple(
        stale_process_memory(seen(processes=(process,))) for process in (ENGINE, desktop)
    )
    assert Bytes.mib(17_000) == own_process_memory(seen(failed=False, processes=(ENGINE,)))


def test_used_memory_without_processes_is_the_fullest_card_s():
    assert Bytes.mib(9_000) == other_process_memory(seen(gpus=(a_gpu(9_000), a_gpu(3, index=1))))


def test_a_card_of_unknown_share_is_full_when_most_of_it_is_used():
    assert card_is_full_by_design(seen(failed=False, gpus=(a_gpu(22_000),))) is True
    assert card_is_full_by_design(seen(failed=False, gpus=(a_gpu(12_000),))) is False
    assert card_is_full_by_design(seen(failed=False)) is None


def test_what_a_person_tells_of_used_memory_counts():
    assert Bytes.gib(72) == total_used_memory(a_situation(used=Bytes.gib(72)))


def test_free_memory_that_a_tool_printed_goes_before_a_difference():
    printed = a_gpu(1_000).model_copy(update={"memory_free_mib": 21_500})

    assert Bytes.mib(21_500) == free_memory(seen(gpus=(printed,)))
