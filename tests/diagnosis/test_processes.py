"""Who holds the card's memory."""

from __future__ import annotations

import pytest

from bot.deployment import Deployment
from bot.diagnosis.processes import (
    Holder,
    display_processes,
    memory_of,
    name_holder,
    other_processes,
    own_processes,
    stale_processes,
)
from bot.diagnosis.situation import Situation
from bot.evidence import Evidence, ProcessReading
from bot.units import Bytes
from tests.diagnosis.conftest import FULL_IDLE, NO_CACHE
from tests.diagnosis.makers import a_hit, a_process

ENGINE = a_process("VLLM::EngineCore", 60_000, pid=11)
NOTEBOOK = a_process("/opt/conda/bin/python", 9_000, pid=12)
DESKTOP = a_process("/usr/lib/xorg/Xorg", 400, pid=13, type="G")


def shared(*processes: ProcessReading, failed: bool) -> Situation:
    hit = a_hit(NO_CACHE if failed else FULL_IDLE)
    return Situation(Evidence(processes=processes), Deployment(), (hit,))


@pytest.mark.parametrize(
    ("name", "holder"),
    [
        ("VLLM::Worker_TP1", Holder.VLLM),
        ("/usr/bin/python3 -m vllm.entrypoints.openai.api_server", Holder.VLLM),
        ("ray::RayWorkerWrapper", Holder.VLLM),
        ("python3.11", Holder.PYTHON),
        ("/usr/bin/gnome-shell", Holder.DISPLAY),
        ("ollama_llama_server", Holder.OTHER),
    ],
)
def test_a_process_is_known_by_its_name(name: str, holder: Holder):
    assert holder is name_holder(a_process(name))


def test_after_a_failed_start_nothing_is_ours():
    situation = shared(ENGINE, NOTEBOOK, failed=True)

    assert () == own_processes(situation)
    assert (ENGINE,) == stale_processes(situation)
    assert (ENGINE, NOTEBOOK) == other_processes(situation)


def test_while_it_serves_the_engine_is_ours():
    situation = shared(ENGINE, NOTEBOOK, failed=False)

    assert (ENGINE,) == own_processes(situation)
    assert (NOTEBOOK,) == other_processes(situation)
    assert () == stale_processes(situation)


def test_graphics_processes_belong_to_the_desktop():
    assert (DESKTOP,) == display_processes(shared(DESKTOP, NOTEBOOK, failed=True))


def test_the_gpu_where_most_is_held_counts():
    there = a_process("python", 5_000, gpu=1)

    assert Bytes.mib(9_000) == memory_of([NOTEBOOK, there])


def test_memory_that_was_not_printed_is_unknown():
    assert memory_of([a_process("python", None)]) is None
