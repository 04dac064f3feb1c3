"""What the reader of a budget is warned of."""

import pytest

from bot.deployment import Deployment, Speculation
from bot.model_shape import Layer, LayerKind, LayerRun
from bot.sizing.size import size


def warned(**facts):
    return " ".join(size(Deployment(**({"vllm_version": "0.19.0"} | facts))).warnings)


def test_nothing_is_wrong_with_a_plain_model(llama_8b, h100):
    assert "" == warned(shape=llama_8b, card=h100)


def test_states_of_unknown_size_are_said_to_be_left_out(llama_8b, h100):
    runs = (LayerRun(layer=Layer(kind=LayerKind.MAMBA2), count=8), LayerRun(layer=Layer(kind=LayerKind.FULL), count=8))

    assert "cannot be sized: their state, heads, head_dim" in warned(
        shape=llama_8b.model_copy(update={"runs": runs}), card=h100
    )


def test_a_draft_that_is_not_counted_is_said(llama_8b, h100):
    told = Speculation(method="draft_model", model="acme/small", tokens=2)

    assert "acme/small" in warned(shape=llama_8b, card=h100, speculation=told)


@pytest.mark.parametrize(("version", "is_said"), [("0.12.0", False), ("0.13.0", True)])
def test_a_release_that_counts_more_than_it_keeps_is_told_off(speech, l4, version, is_said):
    assert is_said is ("keeps 1,500" in warned(shape=speech, card=l4, vllm_version=version))


@pytest.mark.parametrize(("lora", "said"), [(True, ""), (None, "max_loras 4 changes nothing without --enable-lora")])
def test_slots_without_lora_are_said_to_be_none(llama_8b, h100, lora, said):
    assert said == warned(shape=llama_8b, card=h100, lora=lora, max_loras=4).partition(":")[0]
