"""The largest number that still has room."""

from hypothesis import given
from hypothesis import strategies as st

from bot.sizing.largest import largest


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 80), st.integers(1, 1000), st.integers(1, 1000))
def test_the_largest_is_the_last_that_has_room(low, high, last, spare, short):
    expected = max((number for number in range(low, high + 1) if number <= last), default=0)

    assert expected == largest(low, high, lambda number: (last - number) * (spare if number <= last else short))


def tries_of(high, room):
    tried = []

    def watched(number):
        tried.append(number)
        return room(number)

    found = largest(1, high, watched)
    assert room(found) >= 0 > room(found + 1)
    return len(tried)


@given(st.integers(1, 1_000_000), st.floats(0.001, 1000), st.floats(0.1, 10), st.integers(1, 10**6))
def test_finding_the_largest_takes_two_tries_more_than_halving_at_most(last, slope, bend, leap):
    """Both ends, and 20 halvings; the room may bend, and leap where it ends."""

    def room(number):
        return slope * (last - number) ** bend if number <= last else -leap - (number - last) ** bend

    assert 2 + 20 + 2 >= tries_of(1 << 20, room)


@given(st.integers(1, 1_000_000), st.sampled_from([1, 16, 64]), st.integers(1, 1000))
def test_where_room_falls_in_equal_steps_the_largest_takes_few_tries(last, block, block_bytes):
    """A request takes whole blocks, and each token of the batch its activations."""

    def taken(number):
        return 100 * number + block_bytes * -(-number // block)

    assert 12 >= tries_of(1 << 20, lambda number: taken(last) - taken(number))
