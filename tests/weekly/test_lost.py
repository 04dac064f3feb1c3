from __future__ import annotations

from datetime import timedelta

from bot.weekly.lost import lost
from tests.weekly.makers import MONDAY, a_week, an_incident, plain

GIB = 2**30


def test_a_deployment_that_was_pasted_twice_counts_once() -> None:
    twice = [an_incident(model="m", gpu="L4", context_lost=amount * GIB) for amount in (10, 12)]

    assert "12 GiB by over-long contexts of 1 deployment" in plain(lost(a_week(*twice)))


def test_idle_gpus_of_different_deployments_add_up() -> None:
    idle = [an_incident(model=model, gpu="L4", idle_memory=24 * GIB) for model in ("a", "b")]

    assert "48 GiB by idle GPUs of 2 deployments" in plain(lost(a_week(*idle)))


def test_gpu_hours_count_what_a_person_resolved() -> None:
    solved = {"state": "resolved", "resolved_at": MONDAY + timedelta(hours=3), "gpu_count": 4}

    told = plain(lost(a_week(an_incident(resolver="U1", **solved), an_incident(**solved))))

    assert "12 GPU-hours until 1 case were resolved" in told


def test_every_figure_tells_its_rule() -> None:
    assert "each deployment once" in plain(lost(a_week(an_incident(idle_memory=GIB))))


def test_what_cannot_be_computed_is_not_told() -> None:
    assert [] == lost(a_week(an_incident()))
