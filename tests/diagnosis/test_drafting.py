"""Which model drafts."""

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment, Speculation
from bot.diagnosis.drafting import with_draft

SMALL = "meta-llama/Llama-3.2-1B-Instruct"


def drafted(look_up=None, **said):
    return with_draft(Deployment(speculation=Speculation(**said)), look_up)


@pytest.mark.parametrize("method", ["draft_model", None])
def test_a_draft_model_that_is_known_comes_with_its_shape(method):
    found, sentence = drafted(method=method, model=SMALL)

    assert (find_model(SMALL).shape, None) == (found.speculation.shape, sentence)


def test_a_draft_model_that_nobody_knows_is_asked_for():
    found, sentence = drafted(method="draft_model", model="acme/unheard-of")

    assert found.speculation.shape is None
    assert "'acme/unheard-of'" in sentence


def test_a_draft_model_may_be_looked_up():
    found, _ = drafted(lambda _name: find_model(SMALL).shape, method="draft_model", model="acme/unheard-of")

    assert SMALL == found.speculation.shape.name


@pytest.mark.parametrize(
    "said",
    [
        {"method": "eagle3", "model": "acme/eagle3-of-llama-3.1-8b"},
        {"model": "acme/Llama-3.1-8B-EAGLE3"},
        {"method": "mtp"},
    ],
)
def test_a_head_is_no_model_of_its_own(said):
    found, sentence = drafted(**said)

    assert (None, None) == (found.speculation.shape, sentence)
