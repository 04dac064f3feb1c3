import pytest

from bot.sizing.weights.allocator import counted, has_expandable_segments, rests_of

MIB = 1 << 20


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (0, 0),
        (1, 512),
        (11 * MIB, 12 * MIB),
        (11 * MIB - 512, 11 * MIB - 512),
        (12 * MIB - 5, 12 * MIB),
        (12 * MIB, 12 * MIB),
        (24 * MIB + 512, 24 * MIB + 512),
    ],
)
def test_a_rests_of_up_to_1_mib_is_not_cut_off(size: int, expected: int):
    assert expected == counted((size,), (0, 20, 2))


def test_from_0_21_the_sum_is_exact():
    assert counted((11 * MIB + 7,), (0, 21, 0)) == 11 * MIB + 7


@pytest.mark.parametrize(
    ("mib", "rest"), [(31.5, 0.5), (24.5, 1.5), (259.0, 1.0), (32.0, 0.0), (18.5, 0.0), (19.0, 1.0), (9.5, 0.0)]
)
def test_from_0_21_blocks_of_20_mib_are_never_cut(mib: float, rest: float):
    assert round(rest * MIB) == rests_of((round(mib * MIB),), (0, 21))


def test_before_0_21_nothing_is_left_beside_the_weights():
    assert 0 == rests_of((63 << 19,), (0, 20, 2))


def test_expandable_segments_leave_no_rest():
    assert (63 << 19, 0) == (
        counted((63 << 19,), (0, 19), is_expandable=True),
        rests_of((63 << 19,), (0, 24), is_expandable=True),
    )


def test_the_environment_tells_of_expandable_segments():
    assert has_expandable_segments((("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"),))
