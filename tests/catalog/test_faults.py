"""How a fault in a file is said."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from bot.catalog.faults import say_fault
from bot.catalog.problem import Cause


def said(**content: object) -> str:
    with pytest.raises(ValidationError) as caught:
        Cause.model_validate({"id": "a", "title": "A", "because": "B", **content})
    return say_fault(Cause, caught.value.errors(include_url=False)[0])


def test_an_unknown_key_is_told_with_the_known_ones():
    assert "is no key here; known keys are id, title, when, because, fixes, rank" == said(colour="red")


def test_a_form_is_told():
    assert said(id="Not An Id").startswith("'Not An Id' does not have the form")


def test_what_has_no_sentence_of_its_own_is_told_with_what_was_found():
    assert said(rank=900).endswith("found 900")
