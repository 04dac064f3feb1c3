from __future__ import annotations

import pytest
from pydantic import ValidationError

from bot.frozen import Frozen


class Pair(Frozen):
    first: int
    second: int = 2


def test_a_value_never_changes():
    with pytest.raises(ValidationError, match="frozen"):
        Pair(first=1).first = 3  # pyright: ignore[reportAttributeAccessIssue]


def test_equal_values_are_one_in_a_set():
    assert {Pair(first=1)} == {Pair(first=1), Pair(first=1, second=2)}


def test_a_field_that_nobody_knows_is_refused():
    with pytest.raises(ValidationError, match="third"):
        Pair.model_validate({"first": 1, "third": 3})
