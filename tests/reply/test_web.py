from __future__ import annotations

from bot.reply.document import Document, Prose, Span
from bot.reply.web import page, render
from tests.reply.samples import a_document


def test_user_text_is_escaped(reply: Document):
    assert "is &lt;larger&gt; &amp; *more*" in render(reply)


def test_only_web_addresses_become_links():
    hostile = a_document(Prose(spans=(Span(text="x", url="javascript:alert(1)"),)))

    assert "javascript" not in render(hostile)


def test_the_bar_has_a_segment_for_every_share(reply: Document):
    assert render(reply).count("<rect") == 3


def test_a_page_stands_alone(reply: Document):
    assert page("Reply <1>", reply).startswith("<!doctype html>")
    assert "<title>Reply &lt;1&gt;</title>" in page("Reply <1>", reply)
