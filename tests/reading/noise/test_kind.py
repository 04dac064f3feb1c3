"""One kind of secret."""

from __future__ import annotations

import pytest

from bot.reading.late import Late
from bot.reading.noise.kind import Kind, bare, begun, behind
from bot.reading.noise.secrets import SECRETS


def test_what_begins_with_a_sign_goes_with_it_unless_it_is_the_end_of_a_word() -> None:
    assert "<token> myk-123" == begun("a key", ("k-",), r"\d+").hide("k-123 myk-123")


def test_what_stands_behind_a_sign_goes_and_the_sign_stays() -> None:
    assert "pin: <secret>." == behind("a pin", ("pin",), r":[ ]", r"\d+").hide("pin: 1234.")


def test_what_stands_before_a_sign_goes_with_it() -> None:
    kind = Kind("a mark", ("@",), Late("@x"), "<mark>", before=Late(r"\w{2}(?!\w)"))

    assert "ab <mark> abc@x" == kind.hide("ab cd@x abc@x")


def test_what_one_of_a_kind_took_is_nothing_before_the_next() -> None:
    kind = Kind("a mark", ("@",), Late("@xy"), "<mark>", before=Late(r"\w{2}(?!\w)"))

    assert "<mark>@xy" == kind.hide("cd@xy@xy")


def test_digits_and_what_is_hidden_already_are_no_signs() -> None:
    assert "r_ <> \n<>" == bare("r8_ <token> 1\n<secret>\n<secret>")


@pytest.mark.parametrize("kind", SECRETS, ids=lambda kind: kind.what)
def test_a_kind_is_looked_for_where_one_of_its_signs_stands(kind: Kind) -> None:
    assert [] == [sign for sign in kind.signs if kind.trace is None and not kind.may_occur(bare(sign), frozenset(sign))]
