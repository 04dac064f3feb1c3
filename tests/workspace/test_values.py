from __future__ import annotations

import pytest

from bot.workspace.naming import with_ids
from bot.workspace.values import chosen, initial_values, is_empty, is_state, placed_elements
from bot.workspace.wire import ApiError
from tests.workspace.makers import a_button, an_input, an_option, plain


def a_choice(kind, **fields):
    return {"type": kind, "action_id": "a", "options": [an_option("x"), an_option("y")], **fields}


@pytest.mark.parametrize(
    ("element", "given", "value"),
    [
        (a_choice("static_select"), "y", {"selected_option": an_option("y")}),
        (a_choice("radio_buttons"), "x", {"selected_option": an_option("x")}),
        (a_choice("checkboxes"), ["x", "y"], {"selected_options": [an_option("x"), an_option("y")]}),
        (a_choice("overflow"), "x", {"selected_option": an_option("x")}),
        ({"type": "external_select", "action_id": "a"}, an_option("z"), {"selected_option": an_option("z")}),
        ({"type": "plain_text_input", "action_id": "a"}, "typed", {"value": "typed"}),
        ({"type": "datepicker", "action_id": "a"}, "2026-11-30", {"selected_date": "2026-11-30"}),
        (a_button("a", "8k"), None, {"value": "8k", "text": plain("Press")}),
    ],
)
def test_a_choice_is_what_slack_sends(element, given, value):
    assert {"type": element["type"], **value} == chosen(element, given)


def test_of_two_feedback_buttons_one_was_pressed():
    sides = {
        "positive_button": {"text": plain("Good"), "value": "up"},
        "negative_button": {"text": plain("Bad"), "value": "down"},
    }

    pressed = chosen({"type": "feedback_buttons", "action_id": "a", **sides}, "down")

    assert ("down", plain("Bad")) == (pressed["value"], pressed["text"])


def test_what_is_not_offered_cannot_be_chosen():
    with pytest.raises(ApiError, match="no_such_option"):
        chosen(a_choice("static_select"), "z")


def test_an_untouched_input_holds_nothing():
    values = initial_values([an_input()])

    assert is_empty(values["model"]["name"])


@pytest.mark.parametrize(
    ("element", "expected"), [(a_choice("static_select"), True), (a_choice("overflow"), False), (a_button(), False)]
)
def test_only_choices_and_entries_are_state(element, expected):
    assert expected == is_state(element)


def test_an_element_stands_in_the_nearest_block_that_has_a_name():
    card = {"type": "card", "actions": [a_button("on the card")]}
    row = {"type": "actions", "block_id": "row", "elements": [a_button("in the row")]}
    outer = {"type": "container", "block_id": "outer", "child_blocks": [row], "elements": [card]}

    assert [("row", "in the row"), ("outer", "on the card")] == [
        (block["block_id"], element["action_id"]) for block, element in placed_elements(outer)
    ]


def test_what_a_container_holds_is_named_too():
    row = {"type": "actions", "elements": [{"type": "button", "text": plain("Press")}]}
    (container,) = with_ids([{"type": "container", "child_blocks": [row]}])

    assert [container["child_blocks"][0]["block_id"]] == [block["block_id"] for block, _ in placed_elements(container)]
