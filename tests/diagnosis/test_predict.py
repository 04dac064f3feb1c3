"""What we would have said of a run before it started."""

from __future__ import annotations

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.diagnosis.predict import predict
from bot.sizing.size import size
from bot.sizing.terms import Measured
from bot.units import Bytes
from tests.diagnosis.makers import evidence_of


@pytest.fixture
def served() -> Deployment:
    shape, card = find_model("Qwen/Qwen3-8B").shape, find_gpu("L40S").card
    return Deployment(model="Qwen/Qwen3-8B", shape=shape, card=card, vllm_version="0.19.0", max_model_len=8192)


def test_of_the_log_only_the_total_counts(served: Deployment):
    printed = evidence_of(weights=Bytes.gib(99), kv_available=Bytes.gib(1), total=Bytes.gib(44.4))

    assert size(served, Measured(total=Bytes.gib(44.4))) == predict(printed, served, Measured()).budget


def test_what_was_noted_outranks_what_was_read(served: Deployment):
    found = predict(evidence_of(weights=Bytes.gib(99)), served, Measured(weights=Bytes.gib(15.27)))

    assert Bytes.gib(15.27) == found.logged.weights


@pytest.mark.parametrize(
    ("deployment", "because"),
    [
        ({"shape": None}, "does not tell the model"),
        ({"card": None}, "does not tell the gpu"),
        ({"tensor_parallel": 3}, "must be divisible"),
    ],
)
def test_what_cannot_be_predicted_says_why(served: Deployment, deployment: dict, because: str):
    found = predict(evidence_of(weights=Bytes.gib(15)), served.with_(**deployment), Measured())

    assert found.budget is None
    assert because in found.because


def test_a_log_without_figures_is_no_run(served: Deployment):
    assert "prints none of the figures" in predict(evidence_of("hello"), served, Measured()).because
