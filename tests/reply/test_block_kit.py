from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.models.blocks import Block

from bot.reply import block_kit
from bot.reply.document import (
    Ask,
    Bullets,
    Command,
    Details,
    Document,
    Prose,
    Quote,
    Span,
    Title,
)
from tests.reply.samples import a_document, a_question

HOSTILE = st.text(max_size=400) | st.sampled_from(
    ["<!channel>", "<@U123>", "```", "&lt;", "x" * 4000, "\n" * 50, "😀" * 200]
)


def texts_of(node: Any) -> list[str]:
    if isinstance(node, dict):
        return [t for value in node.values() for t in texts_of(value)] + (
            [node["text"]] if isinstance(node.get("text"), str) else []
        )
    return [t for item in node for t in texts_of(item)] if isinstance(node, list) else []


def types_of(node: Any) -> set[str]:
    if isinstance(node, dict):
        own = {node["type"]} if isinstance(node.get("type"), str) else set()
        return own.union(*(types_of(value) for value in node.values()))
    return set().union(*(types_of(item) for item in node)) if isinstance(node, list) else set()


def test_a_reply_keeps_the_order_of_its_document(reply: Document):
    said = "\n".join(texts_of(block_kit.render(reply, "c1")))

    order = ["cannot hold one request", "Your line 41", "allowance", "vllm serve", "What is the longest"]
    assert sorted(order, key=said.index) == order


def test_details_stay_out_of_the_message(reply: Document):
    assert "ruled out" not in json.dumps(block_kit.render(reply, "c1"))
    assert "ruled out" in json.dumps(block_kit.details(reply))


def test_a_question_becomes_buttons_that_carry_its_fact_and_a_way_out(reply: Document):
    (actions,) = [block for block in block_kit.render(reply, "c1") if block["type"] == "actions"]

    assert [element["action_id"] for element in actions["elements"]] == [
        "vt1:answer:longest_request:0",
        "vt1:answer:longest_request:1",
        "vt1:answer:longest_request:2",
        "vt1:unsure:longest_request",
    ]


def test_many_choices_become_a_select_with_the_guess_chosen():
    asked = a_question(choices=tuple(f"{n}k" for n in range(1, 12)), guess="3k")

    (_, actions) = block_kit.render(a_document(Ask(question=asked)), "c1")
    assert "static_select" == actions["elements"][0]["type"]
    assert "3k" == actions["elements"][0]["initial_option"]["value"]


def test_a_model_is_asked_by_type_ahead():
    (_, actions) = block_kit.render(a_document(Ask(question=a_question(name="model", choices=()))), "c1")

    assert "external_select" == actions["elements"][0]["type"]


def test_what_only_words_can_answer_has_no_buttons():
    blocks = block_kit.render(a_document(Ask(question=a_question(name="log", choices=()))), "c1")

    assert ["rich_text"] == [block["type"] for block in blocks]


def test_a_long_command_is_attached_whole():
    long = "vllm serve m " + "--flag value " * 400
    document = a_document(Command(title="t", text=long))

    assert long not in json.dumps(block_kit.render(document, "c1"))
    assert [long] == [attached.text for attached in block_kit.attachments(document)]


def test_a_message_without_files_shows_a_long_command_whole():
    long = "vllm serve m " + "--flag value " * 400
    blocks = block_kit.render(a_document(Command(title="t", text=long)), attaches=False)

    assert long == "".join(texts_of(blocks[0]["elements"][1]))


def test_a_reply_too_long_for_a_message_is_attached_whole():
    document = a_document(*(Prose(spans=(Span(text=f"{number} {'x' * 900}"),)) for number in range(40)))

    assert "attached whole" in block_kit.render(document, "c1")[-1]["elements"][0]["text"]
    (attached,) = block_kit.attachments(document)
    assert all(f"{number} xxx" in attached.text for number in range(40))


def test_a_reply_that_fits_attaches_nothing(reply: Document):
    assert () == block_kit.attachments(reply)


@given(HOSTILE, HOSTILE, st.lists(HOSTILE, max_size=8))
def test_no_text_breaks_a_limit_or_becomes_markup(one: str, two: str, many: list[str]):
    document = a_document(
        Title(text=one, aside=two),
        Quote(line=1, text=two),
        Bullets(items=tuple(Prose(spans=(Span(text=text),)) for text in many or [one])),
        Command(title=one, text=two, gives=one, risk=two),
        Ask(question=a_question(text=one, choices=tuple(dict.fromkeys(many)))),
        Details(title=two, parts=(Prose(spans=(Span(text=one, style="bold"),)),)),
    )
    blocks = [*block_kit.render(document, "case"), block_kit.feedback("case", has_details=True)]

    assert len(blocks) <= 50
    assert "mrkdwn" not in types_of(blocks)
    assert types_of(blocks).isdisjoint({"user", "usergroup", "broadcast", "channel"})
    for block in Block.parse_all(blocks):
        block.validate_json()
