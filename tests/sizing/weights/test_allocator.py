import pytest

from bot.sizing.weights.allocator import counted, has_expandable_segments

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
def test_a_rest_of_up_to_1_mib_is_not_cut_off(size: int, expected: int):
    assert expected == counted(size, (0, 20, 2))


@pytest.mark.parametrize(
    ("mib", "expected"), [(31.5, 32), (24.5, 26), (259.0, 260), (32.0, 32), (18.5, 18.5), (19, 20)]
)
def test_from_0_21_blocks_of_20_mib_are_never_cut(mib: float, expected: float):
    assert expected == counted(round(mib * MIB), (0, 21)) / MIB


def test_expandable_segments_leave_no_rest():
    assert counted(63 << 19, (0, 24), is_expandable=True) == 63 << 19


def test_the_environment_tells_of_expandable_segments():
    assert has_expandable_segments((("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"),))
