"""Changes that come faster than they are seen to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from bot.slack.listeners.newest import Newest
from tests.journal.makers import MONDAY


def come(newest: Newest[str], second: int, what: str, act: Callable[[str], None]) -> None:
    newest.see_to("a view", MONDAY + timedelta(seconds=second), what, act)


@pytest.mark.parametrize(
    ("arriving", "seen"), [("bcd", ["a", "d"]), ("dcb", ["a", "d"]), ("cdb", ["a", "d"]), ("", ["a"])]
)
def test_of_what_comes_while_one_is_seen_to_only_the_newest_is_seen_to_next(arriving: str, seen: list[str]) -> None:
    newest, acted = Newest[str](), list[str]()

    def act(what: str) -> None:
        acted.append(what)
        for each in arriving if what == "a" else "":
            come(newest, ord(each), each, acted.append)  # nobody waits: it returns while "a" is seen to

    come(newest, ord("a"), "a", act)

    assert seen == acted


def test_what_is_older_than_what_is_seen_to_is_let_go() -> None:
    newest, acted = Newest[str](), list[str]()

    def act(what: str) -> None:
        acted.append(what)
        come(newest, 1, "older", acted.append)

    come(newest, 2, "newer", act)

    assert ["newer"] == acted


def test_two_views_are_seen_to_beside_each_other_and_what_comes_later_anew() -> None:
    newest, acted = Newest[str](), list[str]()

    def act(what: str) -> None:
        newest.see_to("another view", MONDAY, "of another", acted.append)
        acted.append(what)

    come(newest, 1, "first", act)
    come(newest, 0, "later, of another clock", acted.append)

    assert ["of another", "first", "later, of another clock"] == acted


def test_what_fails_keeps_nothing_from_what_came_meanwhile() -> None:
    newest, acted = Newest[str](), list[str]()

    def act(what: str) -> None:
        if what == "failing":
            come(newest, 2, "next", acted.append)
            raise ZeroDivisionError
        acted.append(what)

    come(newest, 1, "failing", act)
    come(newest, 3, "last", act)

    assert ["next", "last"] == acted
