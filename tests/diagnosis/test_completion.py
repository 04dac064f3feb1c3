"""A deployment and what else the evidence tells of it."""

from __future__ import annotations

import pytest

from bot.deployment import Deployment
from bot.diagnosis.completion import visible_devices, with_evidence
from tests.diagnosis.makers import evidence_of


def test_a_captured_fact_completes_the_deployment():
    assert 5 == with_evidence(Deployment(), evidence_of(max_model_len=5)).max_model_len


def test_a_stated_field_stays():
    assert 7 == with_evidence(Deployment(max_model_len=7), evidence_of(max_model_len=5)).max_model_len


@pytest.mark.parametrize(
    ("devices", "count"), [("0", 1), ("0,1,3", 3), ("GPU-1a,GPU-2b", 2), ("", None), ("-1", None), ("all", None)]
)
def test_named_devices_are_the_gpus_there_are(devices: str, count: int | None):
    deployment = Deployment(environment=(("CUDA_VISIBLE_DEVICES", devices),))

    assert count == visible_devices(deployment)
    assert count == with_evidence(deployment, evidence_of()).gpu_count


def test_a_stated_count_goes_before_the_devices():
    deployment = Deployment(gpu_count=4, environment=(("CUDA_VISIBLE_DEVICES", "0"),))

    assert 4 == with_evidence(deployment, evidence_of()).gpu_count
