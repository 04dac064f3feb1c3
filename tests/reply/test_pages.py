from __future__ import annotations

import json

from bot.reply.block_kit import MAX_BLOCKS
from bot.reply.document import Details, Prose, Span
from bot.reply.pages import pages
from tests.reply.given_chart import a_chart
from tests.reply.samples import a_document


def prose(text: str) -> Prose:
    return Prose(spans=(Span(text=text),))


def test_a_short_document_is_one_message() -> None:
    assert 1 == len(pages(a_document(prose("a"), prose("b"))))


def test_nothing_of_a_long_document_is_lost() -> None:
    document = a_document(*(prose(f"<{n}>" + "x" * 600) for n in range(60)))

    laid = pages(document)

    assert all(len(page) < MAX_BLOCKS and len(json.dumps(page)) < 13_000 for page in laid)
    assert [] == [n for n in range(60) if f"<{n}>" not in json.dumps(laid)]


def test_a_message_has_two_charts_at_most() -> None:
    laid = pages(a_document(a_chart(), a_chart(), a_chart()))

    assert [2, 1] == [len(page) for page in laid]


def test_where_slack_draws_no_charts_they_are_bars_in_letters() -> None:
    (page,) = pages(a_document(a_chart(3, 1, 4)), draws_charts=False)

    assert "data_visualization" not in json.dumps(page)
    assert "█" in json.dumps(page, ensure_ascii=False)


def test_details_have_a_message_of_their_own() -> None:
    first, second = pages(a_document(prose("short"), Details(title="More", parts=(prose("long"),))))

    assert "long" not in json.dumps(first)
    assert "long" in json.dumps(second)
