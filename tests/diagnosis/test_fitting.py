"""Whether a deployment can have printed the figures of a log."""

from __future__ import annotations

from typing import Any

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.diagnosis.fitting import Fitting
from bot.sizing.terms import Measured
from bot.units import Bytes


def served(**facts: Any) -> Deployment:
    base = Deployment(
        model="Qwen/Qwen3-8B",
        shape=find_model("Qwen/Qwen3-8B").shape,
        card=find_gpu("A100 80GB").card,
        vllm_version="0.19.0",
    )
    return base.with_(**facts)


def fitting(tells_flags: bool = False, tells_card: bool = True, needed: float | None = None, **gib: float) -> Fitting:
    tokens = {name: int(gib.pop(name)) for name in ("kv_tokens",) if name in gib}
    seen = Measured(**{name: Bytes.gib(amount) for name, amount in gib.items()}, **tokens)
    return Fitting(seen, tells_flags, tells_card, None if needed is None else Bytes.gib(needed))


def far(found: Fitting, deployment: Deployment) -> list[str]:
    return [each.term for each in found.far_off(deployment)]


@pytest.mark.parametrize(
    ("found", "gpus"),
    [
        (fitting(weights=15.27), 1),
        (fitting(weights=7.64), 2),
        (fitting(kv_available=10, kv_tokens=72_816), 1),
        (fitting(kv_available=10, kv_tokens=145_632), 2),
        (fitting(needed=5.63), 1),
        (fitting(needed=1.41), 4),
    ],
)
def test_what_lies_on_a_gpu_tells_over_how_many_it_is_laid(found: Fitting, gpus: int):
    sizes = (1, 2, 4, 8)

    assert [gpus] == [size for size in sizes if found.fit(served(tensor_parallel=size)).is_inside]
    assert [gpus] == [size for size in sizes if not far(found, served(tensor_parallel=size))]


def test_the_size_of_a_cache_tells_nothing_where_flags_are_unknown():
    assert [] == far(fitting(kv_available=3), served())
    assert ["kv_available"] == far(fitting(tells_flags=True, kv_available=3), served())


def test_more_than_a_card_has_is_of_another_one_where_its_name_leaves_several():
    seen = {"weights": 15.27, "kv_available": 70}

    assert [] == far(fitting(**seen), served())
    assert ["room"] == far(fitting(tells_card=False, **seen), served())
    assert not fitting(tells_card=False, **seen).fit(served()).is_inside


def test_what_is_too_much_for_the_only_card_of_its_name_is_no_matter_of_the_card():
    assert ["kv_available"] == far(fitting(tells_flags=True, weights=15.27, kv_available=70), served())


def test_a_figure_beside_its_range_by_less_than_that_is_wide_is_not_far_off():
    """The range of the weights ends at 15.33 GiB and is 0.09 wide."""
    for printed, terms in ((15.4, []), (15.5, ["weights"])):
        assert not fitting(weights=printed).fit(served()).is_inside
        assert terms == far(fitting(weights=printed), served())


def test_weights_that_nobody_printed_take_room_as_well():
    assert ["room"] == far(fitting(tells_card=False, kv_available=70), served())


def test_without_a_card_weights_and_tokens_are_compared():
    found = fitting(tells_flags=True, weights=15.27, kv_available=10, kv_tokens=72_816)

    assert found.fit(served(card=None)).is_inside
    assert ["weights", "tokens_of_memory"] == far(found, served(card=None, tensor_parallel=2))


def test_pipeline_stages_print_figures_of_their_own():
    found = fitting(kv_available=10, kv_tokens=1, needed=9)

    assert found.fit(served(pipeline_parallel=2)).is_inside
    assert [] == far(found, served(pipeline_parallel=2))


def test_tokens_that_fit_are_no_fit_where_a_request_needs_more():
    assert not fitting(kv_available=10, kv_tokens=72_816, needed=9).fit(served()).is_inside


def test_what_cannot_be_sized_fits_nothing_and_is_not_far_off():
    found = fitting(weights=1, needed=5.63)

    assert not found.fit(Deployment()).is_inside
    assert [] == far(found, Deployment())
