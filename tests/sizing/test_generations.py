"""Generations of cards."""

import pytest

from bot.deployment import Gpu
from bot.sizing.generations import HOPPER, generation_of, likely_generation


@pytest.mark.parametrize(
    ("card", "generation"),
    [
        (Gpu(name="H200", compute_capability=9.0), 9),
        (Gpu(name="B300", compute_capability=10.3), 10),
        (Gpu(name="MI300X", vendor="amd", compute_capability=9.4), None),
        (Gpu(name="a card"), None),
        (None, None),
    ],
)
def test_a_generation_is_the_whole_part_of_nvidias_compute_capability(card, generation):
    assert generation == generation_of(card)


@pytest.mark.parametrize(("gib", "generation"), [(80, HOPPER), (69, None), (None, None)])
def test_a_card_known_by_its_memory_alone_is_a_hopper_from_70_gib_on(gib, generation):
    assert generation == likely_generation(None, gib and gib << 30)


def test_memory_says_nothing_beside_a_known_card():
    assert 8 == likely_generation(Gpu(name="A100", compute_capability=8.0), 80 << 30)
