"""Numbers that no vLLM takes."""

import pytest

from bot.deployment import Deployment, Speculation
from bot.facts import FACTS
from bot.sizing.checks.numbers import refuse

_ON = {"lora": True}  # without which vLLM does not look at the number of slots
_COUNTS = sorted(
    name
    for name, kind in FACTS.items()
    if kind.type == "int" and name in Deployment.model_fields and not name.endswith(("_mode", "_level"))
)


def refused(**facts):
    return [refusal.name for refusal in refuse(Deployment(**facts))]


@pytest.mark.parametrize("value", [0, -2, 10**18])
@pytest.mark.parametrize("name", _COUNTS)
def test_every_count_has_a_least_and_a_most(name, value):
    assert [name] == refused(**_ON, **{name: value})


@pytest.mark.parametrize("name", _COUNTS)
def test_one_of_each_is_taken(name):
    assert [] == refused(**_ON, **{name: 1})


def test_a_rank_is_one_of_those_that_have_kernels():
    assert [[], ["max_lora_rank"]] == [refused(**_ON, max_lora_rank=rank) for rank in (64, 48)]


@pytest.mark.parametrize(
    "facts",
    [
        {"max_loras": 0},
        {"max_cudagraph_capture_size": 0, "enforce_eager": True},
        {"max_cudagraph_capture_size": -1, "cudagraph_mode": "NONE"},
    ],
)
def test_what_vllm_does_not_look_at_is_not_refused(facts):
    assert [] == refused(**facts)


def test_drafts_of_no_token_and_limits_below_none_are_refused():
    facts = {"speculation": Speculation(method="mtp", tokens=0), "multimodal_limits": {"image": -1, "video": 0}}

    assert ["speculation", "multimodal_limits"] == refused(**facts)
