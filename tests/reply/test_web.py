from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given, settings

from bot.reply.document import Document, Prose, Span
from bot.reply.web import page, render
from tests.reply.hostile import DOCUMENTS
from tests.reply.samples import a_document


def test_user_text_is_escaped(reply: Document):
    assert "is &lt;larger&gt; &amp; *more*" in render(reply)


def test_only_web_addresses_become_links():
    hostile = a_document(Prose(spans=(Span(text="x", url="javascript:alert(1)"),)))

    assert "javascript" not in render(hostile)


def test_the_bar_has_a_segment_for_every_share(reply: Document):
    assert 3 == render(reply).count("<rect")


def test_a_page_stands_alone(reply: Document):
    assert page("Reply <1>", reply).startswith("<!doctype html>")
    assert "<title>Reply &lt;1&gt;</title>" in page("Reply <1>", reply)


class Tags(HTMLParser):
    """The tags of a page, with the names of their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[tuple[str, tuple[str, ...]]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add((tag, tuple(name for name, _ in attrs)))


def tags(document: Document) -> set[tuple[str, tuple[str, ...]]]:
    page = Tags()
    page.feed(render(document))
    return page.seen


@settings(max_examples=40, deadline=None)
@given(DOCUMENTS)
def test_no_text_becomes_a_tag_or_an_attribute(document: Document):
    harmful = {"script", "iframe", "img", "style", "link", "object", "form", "input", "button"}

    assert set() == {
        tag for tag, names in tags(document) if tag in harmful or any(name.startswith("on") for name in names)
    }
