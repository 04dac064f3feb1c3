"""Slack's limits, held against two independent oracles: the registry of slackblocks and slack_sdk's models."""

from __future__ import annotations

import pytest
from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slackblocks import _limits as registry
from slackblocks._surfaces import _BLOCK_TYPES_BY_SURFACE

from bot.workspace.limits import check_view, complaints
from bot.workspace.surfaces import SURFACES
from bot.workspace.wire import ApiError
from tests.workspace.makers import a_button, a_section, an_input, an_option, plain


def actions(*elements):
    return {"type": "actions", "elements": list(elements)}


def a_select(**fields):
    return {"type": "static_select", "action_id": "pick", "options": [an_option("L4")], **fields}


def a_chart(chart=None, title="Memory"):
    chart = chart or {"type": "pie", "segments": [{"label": "weights", "value": 15}]}
    return {"type": "data_visualization", "title": title, "chart": chart}


def a_table(rows=1, cells=1):
    return {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * cells] * rows}


A_TASK = {"task_id": "1", "title": "Read the log", "status": "complete"}


def a_card(**fields):
    return {"type": "card", "title": plain("x"), **fields}


def a_container(children=1, **fields):
    return {"type": "container", "title": plain("x"), "child_blocks": [{"type": "divider"}] * children, **fields}


def a_data_table(rows=2, cells=1):
    return {**a_table(rows, cells), "type": "data_table", "caption": "Cards"}


def choice(text=1, value=1, description=1):
    return {"text": plain("t" * text), "value": "v" * value, "description": plain("d" * description)}


LIMITS = [
    (registry.CARD_TITLE_MAX_LENGTH, lambda n: a_card(title=plain("x" * n))),
    (registry.CARD_BODY_MAX_LENGTH, lambda n: a_card(body=plain("x" * n))),
    (registry.CARD_ACTIONS_MAX_ITEMS, lambda n: a_card(actions=[a_button(f"b{at}") for at in range(n)])),
    (registry.CAROUSEL_ELEMENTS_MAX_ITEMS, lambda n: {"type": "carousel", "elements": [a_card()] * n}),
    (registry.CONTAINER_TITLE_MAX_LENGTH, lambda n: a_container(title=plain("x" * n))),
    (registry.CONTAINER_CHILD_BLOCKS_MAX_ITEMS, a_container),
    (registry.DATA_TABLE_ROWS_MAX_ITEMS, a_data_table),
    (registry.DATA_TABLE_COLUMNS_MAX_ITEMS, lambda n: a_data_table(cells=n)),
    (registry.PLAN_TASKS_MAX_ITEMS, lambda n: {"type": "plan", "title": "x", "tasks": [A_TASK] * n}),
    (registry.SECTION_TEXT_MAX_LENGTH, lambda n: a_section("x" * n)),
    (registry.SECTION_FIELDS_MAX_ITEMS, lambda n: {"type": "section", "fields": [plain("x")] * n}),
    (registry.SECTION_FIELDS_ITEM_MAX_LENGTH, lambda n: {"type": "section", "fields": [plain("x" * n)]}),
    (registry.HEADER_TEXT_MAX_LENGTH, lambda n: {"type": "header", "text": plain("x" * n)}),
    (registry.CONTEXT_ELEMENTS_MAX_ITEMS, lambda n: {"type": "context", "elements": [plain("x")] * n}),
    (registry.ACTIONS_ELEMENTS_MAX_ITEMS, lambda n: actions(*[a_button(f"b{at}") for at in range(n)])),
    (registry.BUTTON_TEXT_MAX_LENGTH, lambda n: actions(a_button(text=plain("x" * n)))),
    (registry.BUTTON_VALUE_MAX_LENGTH, lambda n: actions(a_button(value="x" * n))),
    (registry.BUTTON_URL_MAX_LENGTH, lambda n: actions(a_button(url="x" * n))),
    (registry.ACTION_ID_MAX_LENGTH, lambda n: actions(a_button("x" * n))),
    (registry.BLOCK_ID_MAX_LENGTH, lambda n: a_section(block_id="x" * n)),
    (registry.SELECT_OPTIONS_MAX_ITEMS, lambda n: actions(a_select(options=[an_option(str(at)) for at in range(n)]))),
    (registry.SELECT_PLACEHOLDER_MAX_LENGTH, lambda n: actions(a_select(placeholder=plain("x" * n)))),
    (registry.OPTION_TEXT_MAX_LENGTH, lambda n: actions(a_select(options=[choice(text=n)]))),
    (registry.OPTION_VALUE_MAX_LENGTH, lambda n: actions(a_select(options=[choice(value=n)]))),
    (registry.OPTION_DESCRIPTION_MAX_LENGTH, lambda n: actions(a_select(options=[choice(description=n)]))),
    (
        registry.OVERFLOW_OPTIONS_MAX_ITEMS,
        lambda n: actions({"type": "overflow", "action_id": "o", "options": [an_option("x")] * n}),
    ),
    (
        registry.RADIO_BUTTONS_OPTIONS_MAX_ITEMS,
        lambda n: actions({"type": "radio_buttons", "action_id": "r", "options": [an_option("x")] * n}),
    ),
    (
        registry.CHECKBOXES_OPTIONS_MAX_ITEMS,
        lambda n: actions({"type": "checkboxes", "action_id": "c", "options": [an_option("x")] * n}),
    ),
    (registry.IMAGE_ALT_TEXT_MAX_LENGTH, lambda n: {"type": "image", "image_url": "http://x", "alt_text": "x" * n}),
    (registry.INPUT_LABEL_MAX_LENGTH, lambda n: an_input(label=plain("x" * n))),
    (registry.INPUT_HINT_MAX_LENGTH, lambda n: an_input(hint=plain("x" * n))),
    (registry.MARKDOWN_TEXT_MAX_LENGTH, lambda n: {"type": "markdown", "text": "x" * n}),
    (registry.TABLE_ROWS_MAX_ITEMS, lambda n: a_table(rows=n)),
    (registry.TABLE_COLUMNS_MAX_ITEMS, lambda n: a_table(cells=n)),
    (registry.DATA_VISUALIZATION_TITLE_MAX_LENGTH, lambda n: a_chart(title="x" * n)),
    (
        registry.DATA_VISUALIZATION_SEGMENTS_MAX_ITEMS,
        lambda n: a_chart({"type": "pie", "segments": [{"label": "x", "value": 1}] * n}),
    ),
    (
        registry.DATA_VISUALIZATION_SEGMENT_LABEL_MAX_LENGTH,
        lambda n: a_chart({"type": "pie", "segments": [{"label": "x" * n, "value": 1}]}),
    ),
]


@pytest.mark.parametrize(("most", "block"), LIMITS)
def test_a_limit_is_where_the_registry_has_it(most, block):
    assert [] == complaints([block(most)], "message")
    assert [] != complaints([block(most + 1)], "message")


ORACLE = [
    a_section("x" * 3001),
    {"type": "section"},
    {"type": "header", "text": plain("x" * 151)},
    {"type": "context", "elements": [plain("x")] * 11},
    actions(*[a_button(f"b{at}") for at in range(26)]),
    an_input(label=plain("x" * 2001)),
]


@pytest.mark.parametrize("block", ORACLE)
def test_what_slack_sdk_refuses_is_refused(block):
    with pytest.raises(SlackObjectFormationError):
        Block.parse(block).to_dict()

    assert [] != complaints([block], "message")


@pytest.mark.parametrize("surface", ["message", "modal", "home"])
def test_each_surface_takes_the_blocks_that_the_registry_names(surface):
    assert set(_BLOCK_TYPES_BY_SURFACE[surface]) == set(SURFACES[surface])


@pytest.mark.parametrize(("surface", "most"), [("message", 50), ("modal", 100), ("home", 100)])
def test_a_surface_takes_so_many_blocks(surface, most):
    assert [] == complaints([{"type": "divider"}] * most, surface)
    assert [f"[ERROR] no more than {most} items allowed [json-pointer:/blocks]"] == complaints(
        [{"type": "divider"}] * (most + 1), surface
    )


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ([{"type": "section"}], "missing required field: text [json-pointer:/blocks/0]"),
        ([actions(a_select(options=None))], "missing required field: options [json-pointer:/blocks/0/elements/0]"),
        ([a_section("")], "must be more than 0 characters [json-pointer:/blocks/0/text/text]"),
        ([a_section(colour="red")], "invalid additional property: colour [json-pointer:/blocks/0/colour]"),
        ([a_section(block_id="a"), a_section(block_id="a")], "block_id already exists: a [json-pointer:/blocks]"),
        ([a_table(), a_table()], "only 1 table allowed in a message [json-pointer:/blocks]"),
        ([a_chart()] * 3, "only 2 data_visualization allowed in a message [json-pointer:/blocks]"),
        ([{"type": "alert", "text": plain("x")}], "unsupported type: alert [json-pointer:/blocks/0/type]"),
        (["x"], "must be an object [json-pointer:/blocks/0]"),
    ],
)
def test_a_complaint_points_at_its_place(blocks, said):
    assert [f"[ERROR] {said}"] == complaints(blocks, "message")


@pytest.mark.parametrize(
    "junk", [None, "x", 7, {}, [None], [[]], [{"type": ["section"]}], [{"type": "section", "text": 3}]]
)
def test_junk_is_a_complaint_and_not_a_crash(junk):
    assert [] != complaints(junk, "message")


@pytest.mark.parametrize("title", ["Size", ["Size"], {"text": "Size"}, plain("x" * 25)])
def test_a_modals_title_is_a_short_plain_text(title):
    with pytest.raises(ApiError, match="invalid_arguments"):
        check_view({"type": "modal", "title": title, "blocks": []})
