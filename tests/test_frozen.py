from __future__ import annotations

from functools import cached_property

import pytest
from pydantic import ValidationError

from bot.frozen import Frozen


class Pair(Frozen):
    first: int
    second: int = 2

    @cached_property
    def both(self) -> int:
        return self.first + self.second


def test_a_value_never_changes():
    with pytest.raises(ValidationError, match="frozen"):
        Pair(first=1).first = 3  # pyright: ignore[reportAttributeAccessIssue]


def test_equal_values_are_one_in_a_set():
    assert {Pair(first=1)} == {Pair(first=1), Pair(first=1, second=2)}


def test_a_field_that_nobody_knows_is_refused():
    with pytest.raises(ValidationError, match="third"):
        Pair.model_validate({"first": 1, "third": 3})


def test_a_copy_works_out_anew_what_follows_from_its_fields():
    pair = Pair(first=1)
    assert 3 == pair.both

    assert 7 == pair.model_copy(update={"first": 5}).both


def test_what_was_worked_out_of_a_value_makes_it_no_other():
    pair = Pair(first=1)
    assert 3 == pair.both

    assert Pair(first=1) == pair
    assert {"first": 1, "second": 2} == pair.model_dump()
