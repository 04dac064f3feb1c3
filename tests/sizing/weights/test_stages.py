"""Layers dealt out to pipeline stages."""

import pytest

from bot.sizing.weights.stages import stage_sizes


@pytest.mark.parametrize(
    ("layers", "stages", "sizes"),
    [(48, 2, (24, 24)), (61, 4, (15, 15, 16, 15)), (62, 4, (15, 16, 16, 15)), (63, 4, (16, 16, 16, 15)), (5, 1, (5,))],
)
def test_a_remainder_goes_to_the_stages_before_the_last(layers, stages, sizes):
    assert sizes == stage_sizes(layers, stages, (0, 19, 0))


def test_the_last_stage_took_the_remainder_up_to_0_7():
    assert (15, 15, 15, 17) == stage_sizes(62, 4, (0, 7, 3))


def test_a_stated_partition_wins():
    assert (16, 32) == stage_sizes(48, 2, (0, 15, 0), "16,32")


@pytest.mark.parametrize("partition", ["16,16", "16", "a,b", ""])
def test_a_partition_that_does_not_add_up_is_ignored(partition):
    assert (24, 24) == stage_sizes(48, 2, (0, 15, 0), partition)
