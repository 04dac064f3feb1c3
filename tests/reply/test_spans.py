from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.reply.spans import prose, spans


def test_backticks_make_code():
    assert [("The ", "plain"), ("--model", "code"), (" flag", "plain")] == [
        (span.text, span.style) for span in spans("The `--model` flag")
    ]


def test_a_lead_is_bold():
    assert ("Why: ", "bold") == (prose("because", "Why:").spans[0].text, prose("because", "Why:").spans[0].style)


@given(st.text())
def test_no_character_but_the_backticks_is_lost(text: str):
    kept = text if text.count("`") % 2 else text.replace("`", "")

    assert kept == "".join(span.text for span in spans(text))
