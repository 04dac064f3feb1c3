import pytest

from bot.sizing.allocator import counted

MIB = 1 << 20


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (0, 0),
        (1, 512),
        (11 * MIB, 12 * MIB),
        (11 * MIB - 1, 11 * MIB - 1),
        (12 * MIB - 5, 12 * MIB),
        (12 * MIB, 12 * MIB),
    ],
)
def test_a_rest_of_up_to_1_mib_is_not_cut_off(size, expected):
    assert counted(size, (0, 19, 0)) == expected


def test_from_0_22_the_sum_is_exact():
    assert counted(11 * MIB + 7, (0, 22, 0)) == 11 * MIB + 7
