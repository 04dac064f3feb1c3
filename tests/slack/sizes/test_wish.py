"""What comes of a wish."""

from __future__ import annotations

import pytest

from bot.catalog.models import find_model
from bot.slack.sizes.wish import Wish, outcome


@pytest.mark.parametrize(
    ("text", "expected"),
    [("acme/parrot-1b on L4", True), ("qwen3-8b on L4", False), ("parrot on L4", False), ("/data/parrot on L4", False)],
)
def test_a_model_with_a_name_of_the_hub_that_nobody_knows_here_may_be_there(
    monkeypatch: pytest.MonkeyPatch, text: str, expected: bool
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")

    assert expected is outcome(Wish(text=text)).may_be_on_the_hub


def test_nobody_is_asked_where_the_environment_forbids_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    assert not outcome(Wish(text="acme/parrot-1b on L4")).may_be_on_the_hub


def test_what_was_looked_up_is_sized() -> None:
    shape = find_model("Qwen/Qwen3-8B").shape

    assert not outcome(Wish(text="acme/parrot-1b on L4"), lambda _: shape).is_open


def test_models_are_compared_without_one_in_the_text() -> None:
    rows = outcome(Wish(text="on L40S --sweep model=qwen3-8b,qwen3-32b")).rows

    assert [True, False] == [row.fits for row in rows]
