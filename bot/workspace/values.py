"""What an interactive element holds: before anybody touched it, and after somebody chose or typed."""

from __future__ import annotations

from bot.workspace.wire import ApiError, Json

_HELD = {
    "static_select": ("selected_option", "initial_option"),
    "external_select": ("selected_option", "initial_option"),
    "radio_buttons": ("selected_option", "initial_option"),
    "overflow": ("selected_option", ""),
    "checkboxes": ("selected_options", "initial_options"),
    "multi_static_select": ("selected_options", "initial_options"),
    "multi_external_select": ("selected_options", "initial_options"),
    "users_select": ("selected_user", "initial_user"),
    "multi_users_select": ("selected_users", "initial_users"),
    "conversations_select": ("selected_conversation", "initial_conversation"),
    "multi_conversations_select": ("selected_conversations", "initial_conversations"),
    "channels_select": ("selected_channel", "initial_channel"),
    "multi_channels_select": ("selected_channels", "initial_channels"),
    "datepicker": ("selected_date", "initial_date"),
    "timepicker": ("selected_time", "initial_time"),
    "datetimepicker": ("selected_date_time", "initial_date_time"),
    "plain_text_input": ("value", "initial_value"),
    "number_input": ("value", "initial_value"),
    "email_text_input": ("value", "initial_value"),
    "url_text_input": ("value", "initial_value"),
}
_MANY = ("selected_options", "selected_users", "selected_conversations", "selected_channels")


def placed_elements(block: Json) -> list[tuple[Json, Json]]:
    """Return the interactive elements of a block, and of the blocks and cards in it, each with the nearest named block."""
    nested = [block.get("element"), block.get("accessory"), *block.get("elements", []), *block.get("actions", [])]
    found = [each for each in nested if isinstance(each, dict)]
    own = [(block, each) for each in found if each.get("action_id")]
    held = [*block.get("child_blocks", []), *(each for each in found if each.get("type") == "card")]
    inside = [pair for each in held for pair in placed_elements(each)]
    return [*own, *((holder if holder.get("block_id") else block, element) for holder, element in inside)]


def initial_values(blocks: list[Json]) -> Json:
    """Return the state of all stateful elements as the app set them: block id to action id to value."""
    values: Json = {}
    for block, element in (pair for each in blocks for pair in placed_elements(each)):
        held = _HELD.get(element["type"])
        if held is None or not is_state(element):
            continue
        name, initial = held
        start = element.get(initial, [] if name in _MANY else None)
        values.setdefault(block["block_id"], {})[element["action_id"]] = {"type": element["type"], name: start}
    return values


def chosen(element: Json, given: object) -> Json:
    """Return the value object after somebody gave a value: an option's value, an option, a list, or text.

    Raises:
        ApiError: `no_such_option` when a static choice does not offer it.
    """
    kind = element["type"]
    held = _HELD.get(kind)
    if held is None:
        return _pressed(element, given)
    name = held[0]
    if name == "selected_options":
        wanted: list[object] = given if isinstance(given, list) else [given]
        return {"type": kind, name: [_option(element, each) for each in wanted]}
    if name == "selected_option":
        return {"type": kind, name: None if given is None else _option(element, given)}
    return {"type": kind, name: given}


def is_state(value: Json) -> bool:
    """Return whether a value object is part of the state, as choices and entries are; presses are not."""
    return value["type"] in _HELD and value["type"] != "overflow"


def is_empty(value: Json) -> bool:
    """Return whether nothing was entered or chosen."""
    return all(each in (None, "", []) for name, each in value.items() if name != "type")


def _pressed(element: Json, given: object) -> Json:
    """Return what a button says of itself; of feedback buttons, the one with the given value."""
    if element["type"] == "feedback_buttons":
        sides = (element["positive_button"], element["negative_button"])
        side = next((each for each in sides if each["value"] == given), None)
        if side is None:
            raise ApiError("no_such_option")
        return {"type": "feedback_buttons", "text": side["text"], "value": side["value"]}
    names = ("type", "text", "value", "style", "url", "icon")
    return {name: element[name] for name in names if name in element}


def _option(element: Json, given: object) -> Json:
    if isinstance(given, dict):
        option: Json = given
        return option
    groups = [group["options"] for group in element.get("option_groups", [])]
    offered = [*element.get("options", []), *(each for group in groups for each in group)]
    for option in offered:
        if option["value"] == given:
            return option
    if offered:
        raise ApiError("no_such_option")
    return {"text": {"type": "plain_text", "text": str(given), "emoji": True}, "value": str(given)}
