from __future__ import annotations

import pytest

from bot.workspace.wire import escaped, steady_id, unescaped


def test_the_same_names_have_the_same_id():
    assert steady_id("C", "T1", "general") == steady_id("C", "T1", "general")


@pytest.mark.parametrize("names", [("T2", "general"), ("T1", "random"), ("T1",)])
def test_other_names_have_another_id(names):
    assert steady_id("C", "T1", "general") != steady_id("C", *names)


@pytest.mark.parametrize("text", ["a < b & c > d", "&amp;", "&lt;b&gt;", "plain"])
def test_decoding_undoes_escaping_once(text):
    assert text == unescaped(escaped(text))
