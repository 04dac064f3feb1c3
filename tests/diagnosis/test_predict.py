"""What we would have said of a run before it started."""

from __future__ import annotations

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.diagnosis.predict import predict
from bot.reading.read import read
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


def terms(found) -> set[str]:
    return {each.term for each in found.residuals}


def test_what_was_noted_outranks_what_was_read(served: Deployment):
    found = predict(evidence_of(weights=Bytes.gib(99)), served, Measured(weights=Bytes.gib(15.27)))

    assert [Bytes.gib(15.27)] == [each.logged for each in found.residuals]


@pytest.mark.parametrize(
    ("deployment", "because"),
    [
        ({"shape": None, "model": None}, "no model"),
        ({"shape": None, "model": "acme/unheard-of"}, "a model that we do not know"),
    ],
)
def test_what_cannot_be_predicted_says_why(served: Deployment, deployment: dict, because: str):
    found = predict(evidence_of(weights=Bytes.gib(15)), served.with_(**deployment), Measured())

    assert ((), because) == (found.residuals, found.because)


def test_without_a_card_what_no_card_changes_is_compared(served: Deployment):
    seen = Measured(weights=Bytes.gib(15.27), kv_available=Bytes.gib(20), kv_tokens=145_632)
    found = predict(evidence_of("hello"), served.with_(card=None), seen)

    assert {"weights", "tokens_of_memory"} == terms(found)
    assert "no GPU" in found.because


def test_what_unseen_flags_may_change_is_not_compared(served: Deployment):
    seen = Measured(weights=Bytes.gib(15.27), activation=Bytes.gib(1.4), kv_available=Bytes.gib(20))

    assert {"weights"} == terms(predict(evidence_of("hello"), served, seen))


def test_a_launch_command_shows_every_flag(served: Deployment):
    seen = Measured(activation=Bytes.gib(1.4), kv_available=Bytes.gib(20))

    assert {"activations", "kv_available"} == terms(predict(evidence_of("hello"), served.with_(launcher="serve"), seen))


def test_a_run_that_we_would_have_refused_is_compared_and_named(served: Deployment):
    found = predict(evidence_of("hello"), served.with_(max_model_len=100_000), Measured(weights=Bytes.gib(15.27)))

    assert {"weights"} == terms(found)
    assert "40,960" in found.detail


def test_a_log_without_figures_is_no_run(served: Deployment):
    assert "no figure that we predict" == predict(evidence_of("hello"), served, Measured()).because


def test_memory_and_blocks_without_tokens_are_the_old_engines(served: Deployment):
    seen = Measured(weights=Bytes.gib(15.27), kv_available=Bytes.gib(20), gpu_blocks=9102)
    found = predict(evidence_of("hello"), served.with_(vllm_version=None), seen)

    assert found.budget is not None
    assert "V0" == found.budget.deployment.engine


def test_a_card_that_nobody_knows_is_named(served: Deployment):
    found = predict(evidence_of("hello"), served.with_(card=None, gpu="FOO9000"), Measured(weights=Bytes.gib(15.27)))

    assert ("a GPU that we do not know, so only what no card changes is compared", "FOO9000") == (
        found.because,
        found.detail,
    )


CUT = "INFO 05-01 10:00:00 [utils.py:1] non-default args: {'model': 'acme/m-7b', 'max_num_seqs': 8, 'kv_cac"


def test_what_a_list_that_breaks_off_may_hide_is_not_compared(served: Deployment):
    seen = Measured(weights=Bytes.gib(15.27), kv_available=Bytes.gib(20), kv_tokens=145_632)
    found = predict(read(CUT), served, seen)

    assert {"weights"} == terms(found)
    assert found.because.startswith("no whole list of flags")


def test_where_flags_decide_every_figure_nothing_is_compared(served: Deployment):
    found = predict(evidence_of("hello"), served, Measured(kv_available=Bytes.gib(20)))

    assert ((), "no list of flags, and they decide all its figures") == (found.residuals, found.because)


def test_a_list_that_breaks_off_hides_nothing_where_the_command_is_shown(served: Deployment):
    seen = Measured(kv_available=Bytes.gib(20), kv_tokens=145_632)
    found = predict(read(CUT), served.with_(launcher="serve"), seen)

    assert {"kv_available", "kv_tokens", "tokens_of_memory"} == terms(found)
