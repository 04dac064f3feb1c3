from __future__ import annotations

from hypothesis import given, settings
from markdown_it import MarkdownIt

from bot.reply.document import Details, Document, Prose, Span
from bot.reply.markdown import fence, render
from tests.reply.hostile import DOCUMENTS
from tests.reply.samples import a_document


def test_user_text_cannot_become_markup(reply: Document):
    assert "> Line 41: `` 16.00 GiB KV cache is needed, `which` is <larger> & *more* ``" in render(reply)


def test_prose_is_escaped():
    assert r"\<b\>\_x\_" in render(a_document(Prose(spans=(Span(text="<b>_x_"),))))


def test_a_fence_is_longer_than_any_in_the_text():
    assert fence("a ```` b").startswith("`````\n")


def test_the_budget_is_a_code_block_that_lines_up(reply: Document):
    assert "weights    −14.99 GiB  measured, line 33" in render(reply)


def test_a_link_keeps_its_address(reply: Document):
    assert "[docs](https://docs.vllm.ai)" in render(reply)


def tokens(text: str) -> list[str]:
    inline = [child for token in MarkdownIt().parse(text) for child in (token, *(token.children or ()))]
    return [token.type for token in inline]


@settings(max_examples=40, deadline=None)
@given(DOCUMENTS)
def test_no_text_becomes_markup_of_its_own(document: Document):
    plain = document._replace(parts=tuple(p for p in document.parts if not isinstance(p, Details)))

    assert set() == {"html_block", "html_inline", "link_open", "image", "strikethrough_open"} & set(
        tokens(render(plain))
    )


def test_a_table_aligns_its_numbers(reply: Document):
    assert "| tp | tokens |\n|---:|---:|\n| 1 | 39,648 |" in render(reply)


def test_details_are_folded(reply: Document):
    assert "<details><summary>All causes considered</summary>" in render(reply)


def test_code_beside_code_stays_code():
    spans = (Span(text="``", style="code"), Span(text="<A>", style="code"))

    assert "html_inline" not in tokens(render(a_document(Prose(spans=spans))))
