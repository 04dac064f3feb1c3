from __future__ import annotations

import pytest

from bot.workspace.wire import escaped, read_object, steady_id


def test_the_same_names_have_the_same_id():
    assert steady_id("C", "T1", "general") == steady_id("C", "T1", "general")


@pytest.mark.parametrize("names", [("T2", "general"), ("T1", "random"), ("T1",)])
def test_other_names_have_another_id(names):
    assert steady_id("C", "T1", "general") != steady_id("C", *names)


def test_the_three_signs_that_slack_escapes_are_escaped_once():
    assert "a &lt; b &amp;amp; c &gt; d" == escaped("a < b &amp; c > d")


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"[" * 100_000, b'{"user": "\xff"}'])
def test_a_body_that_holds_no_object_is_an_empty_one(body):
    assert {} == read_object(body)
