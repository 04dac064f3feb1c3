"""Block Kit as a table: each block's and element's fields with their limits.

Source: Slack's Block Kit reference, as the validators of slack_sdk 3.48 and the registry of slackblocks 3.0 state it.
"""

from __future__ import annotations

from bot.workspace.rules import (
    Rule,
    anything,
    both,
    choice,
    flag,
    kinds,
    many,
    number,
    one_of_fields,
    positive,
    shape,
    text,
    words,
)

_ID = words(255)
URL = words(3000)
_CONFIRM = shape(
    {"title": text(100, is_plain=True), "text": text(300), "confirm": text(30, is_plain=True)},
    {"deny": text(30, is_plain=True), "style": choice("primary", "danger")},
)
_OPTION = shape({"text": text(75), "value": words(150)}, {"description": text(75), "url": URL})
_OPTIONS = many(_OPTION, 100)
_GROUPS = many(shape({"label": text(75, is_plain=True), "options": _OPTIONS}), 100)
_PLACEHOLDER = text(150, is_plain=True)
_ACTION: dict[str, Rule] = {"action_id": _ID, "confirm": _CONFIRM, "focus_on_load": flag}
_SELECT: dict[str, Rule] = {**_ACTION, "placeholder": _PLACEHOLDER}
_MULTI: dict[str, Rule] = {**_SELECT, "max_selected_items": positive}
_TYPED: dict[str, Rule] = {
    "action_id": _ID,
    "placeholder": _PLACEHOLDER,
    "initial_value": anything,
    "focus_on_load": flag,
    "dispatch_action_config": anything,
}


def _pick(**initial: Rule) -> Rule:
    return shape({}, {**_SELECT, **initial})


def _pick_many(**initial: Rule) -> Rule:
    return shape({}, {**_MULTI, **initial})


_STATIC: dict[str, Rule] = {"options": _OPTIONS, "option_groups": _GROUPS}
_HAS_OPTIONS = one_of_fields("options", "option_groups")
BUTTON = shape(
    {"text": text(75, is_plain=True)},
    {
        **_ACTION,
        "url": URL,
        "value": words(2000, 0),
        "style": choice("primary", "danger"),
        "accessibility_label": words(75),
        "agent_prompt": words(4000),
    },
)
_FEEDBACK = shape(
    {"text": text(75, is_plain=True), "value": words(2000)},
    {"accessibility_label": words(75)},
)

_INTERACTIVE: dict[str, Rule] = {
    "button": BUTTON,
    "static_select": both(_HAS_OPTIONS, shape({}, {**_SELECT, **_STATIC, "initial_option": _OPTION})),
    "multi_static_select": both(_HAS_OPTIONS, shape({}, {**_MULTI, **_STATIC, "initial_options": _OPTIONS})),
    "external_select": _pick(initial_option=_OPTION, min_query_length=number),
    "multi_external_select": _pick_many(initial_options=_OPTIONS, min_query_length=number),
    "users_select": _pick(initial_user=words(50)),
    "multi_users_select": _pick_many(initial_users=anything),
    "conversations_select": _pick(
        initial_conversation=words(50),
        default_to_current_conversation=flag,
        response_url_enabled=flag,
        filter=anything,
    ),
    "multi_conversations_select": _pick_many(
        initial_conversations=anything, default_to_current_conversation=flag, filter=anything
    ),
    "channels_select": _pick(initial_channel=words(50), response_url_enabled=flag),
    "multi_channels_select": _pick_many(initial_channels=anything),
    "overflow": shape({"options": many(_OPTION, 5)}, {"action_id": _ID, "confirm": _CONFIRM}),
    "radio_buttons": shape({"options": many(_OPTION, 10)}, {**_ACTION, "initial_option": _OPTION}),
    "checkboxes": shape({"options": many(_OPTION, 10)}, {**_ACTION, "initial_options": many(_OPTION, 10)}),
    "datepicker": _pick(initial_date=words(10)),
    "timepicker": _pick(initial_time=words(5), timezone=words(60)),
    "datetimepicker": shape({}, {**_ACTION, "initial_date_time": number}),
}
_INPUTS: dict[str, Rule] = {
    **{name: rule for name, rule in _INTERACTIVE.items() if name not in ("button", "overflow")},
    "plain_text_input": shape({}, {**_TYPED, "multiline": flag, "min_length": number, "max_length": positive}),
    "number_input": shape({"is_decimal_allowed": flag}, {**_TYPED, "min_value": anything, "max_value": anything}),
    "email_text_input": shape({}, _TYPED),
    "url_text_input": shape({}, _TYPED),
    "rich_text_input": shape({}, {**_TYPED, "min_lines": positive, "max_lines": positive}),
    "file_input": shape({}, {"action_id": _ID, "filetypes": anything, "max_files": positive}),
}
IMAGE = shape({"alt_text": words(2000)}, {"image_url": URL, "slack_file": anything})
IMAGE_SOURCE = one_of_fields("image_url", "slack_file")

_SPAN = kinds(
    {
        "text": shape({"text": words(40_000)}, {"style": anything}),
        "link": shape({"url": words(40_000)}, {"text": words(40_000, 0), "style": anything, "unsafe": flag}),
        "emoji": shape({"name": words(200)}, {"unicode": anything, "skin_tone": number, "style": anything}),
        "user": shape({"user_id": words(50)}, {"style": anything}),
        "usergroup": shape({"usergroup_id": words(50)}, {"style": anything}),
        "channel": shape({"channel_id": words(50)}, {"style": anything}),
        "broadcast": shape({"range": choice("here", "channel", "everyone")}, {"style": anything}),
        "color": shape({"value": words(20)}),
        "date": shape(
            {"timestamp": number, "format": words(500)}, {"url": URL, "fallback": words(500), "style": anything}
        ),
    }
)
_SPANS = many(_SPAN, 10_000, 0)
_SECTION = shape({"elements": _SPANS})
_RICH_TEXT_PARTS: dict[str, Rule] = {
    "rich_text_section": _SECTION,
    "rich_text_preformatted": shape({"elements": _SPANS}, {"border": number, "language": words(100)}),
    "rich_text_quote": shape({"elements": _SPANS}, {"border": number}),
    "rich_text_list": shape(
        {"elements": many(kinds({"rich_text_section": _SECTION}), 10_000), "style": choice("bullet", "ordered")},
        {"indent": number, "offset": number, "border": number},
    ),
}
BLOCK: dict[str, Rule] = {"block_id": _ID}
RICH_TEXT = shape({"elements": many(kinds(_RICH_TEXT_PARTS), 10_000, 0)}, BLOCK)
CELL = kinds(
    {
        "raw_text": shape({"text": words(40_000, 0)}),
        "raw_number": shape({"value": number}, {"text": words(200)}),
        "rich_text": RICH_TEXT,
    }
)
_LABEL = words(20)
_SERIES = shape({"name": _LABEL, "data": many(shape({"label": _LABEL, "value": number}), 20)})
_AXES = shape({"categories": many(_LABEL, 20)}, {"x_label": words(50), "y_label": words(50)})
_AXIS_CHART = shape({"series": many(_SERIES, 12), "axis_config": _AXES})
_CHART = kinds(
    {
        "pie": shape({"segments": many(shape({"label": _LABEL, "value": positive}), 12)}),
        "bar": _AXIS_CHART,
        "line": _AXIS_CHART,
        "area": _AXIS_CHART,
    }
)

PLAIN_BLOCKS: dict[str, Rule] = {
    "section": both(
        one_of_fields("text", "fields"),
        shape(
            {},
            {
                **BLOCK,
                "text": text(3000),
                "fields": many(text(2000), 10),
                "accessory": kinds({**_INTERACTIVE, "image": both(IMAGE_SOURCE, IMAGE)}),
                "expand": flag,
            },
        ),
    ),
    "header": shape({"text": text(150, is_plain=True)}, {**BLOCK, "level": number}),
    "divider": shape({}, BLOCK),
    "image": both(
        IMAGE_SOURCE,
        shape(
            {"alt_text": words(2000)},
            {**BLOCK, "image_url": URL, "slack_file": anything, "title": text(2000, is_plain=True)},
        ),
    ),
    "actions": shape({"elements": many(kinds(_INTERACTIVE), 25)}, BLOCK),
    "context": shape(
        {
            "elements": many(
                kinds(
                    {
                        "plain_text": shape({"text": words(3000)}, {"emoji": flag}),
                        "mrkdwn": shape({"text": words(3000)}, {"verbatim": flag}),
                        "image": both(IMAGE_SOURCE, IMAGE),
                    }
                ),
                10,
            )
        },
        BLOCK,
    ),
    "context_actions": shape(
        {
            "elements": many(
                kinds(
                    {
                        "feedback_buttons": shape(
                            {"positive_button": _FEEDBACK, "negative_button": _FEEDBACK}, {"action_id": _ID}
                        ),
                        "icon_button": shape(
                            {"icon": choice("trash"), "text": text(75, is_plain=True)},
                            {
                                **_ACTION,
                                "value": words(2000),
                                "accessibility_label": words(75),
                                "visible_to_user_ids": anything,
                            },
                        ),
                    }
                ),
                5,
            )
        },
        BLOCK,
    ),
    "input": shape(
        {"label": text(2000, is_plain=True), "element": kinds(_INPUTS)},
        {**BLOCK, "hint": text(2000, is_plain=True), "optional": flag, "dispatch_action": flag},
    ),
    "rich_text": RICH_TEXT,
    "markdown": shape({"text": words(12_000)}, BLOCK),
    "table": shape(
        {"rows": many(many(CELL, 20), 100)},
        {**BLOCK, "column_settings": many(anything, 20)},
    ),
    "data_visualization": shape({"title": words(50), "chart": _CHART}, BLOCK),
    "alert": shape({"text": text(200)}, {**BLOCK, "level": words(20)}),
}
