"""Two oracles of Slack's limits that know nothing of our renderer: slack_sdk's models and the registry of slackblocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from slack_sdk.models.blocks import Block
from slackblocks import _limits as limits
from slackblocks._surfaces import _BLOCK_TYPES_BY_SURFACE

MESSAGE_CHARACTERS = 13_200  # where chat.postMessage begins to answer msg_blocks_too_long
# What a node of a type may hold under a key: texts by their length, lists by their number.
BOUNDS: dict[tuple[str, str], tuple[int, int]] = {
    ("header", "text"): (1, limits.HEADER_TEXT_MAX_LENGTH),
    ("button", "text"): (1, limits.BUTTON_TEXT_MAX_LENGTH),
    ("button", "value"): (0, limits.BUTTON_VALUE_MAX_LENGTH),
    ("actions", "elements"): (1, limits.ACTIONS_ELEMENTS_MAX_ITEMS),
    ("context", "elements"): (1, limits.CONTEXT_ELEMENTS_MAX_ITEMS),
    ("static_select", "options"): (limits.SELECT_OPTIONS_MIN_ITEMS, limits.SELECT_OPTIONS_MAX_ITEMS),
    ("static_select", "placeholder"): (1, limits.SELECT_PLACEHOLDER_MAX_LENGTH),
    ("external_select", "placeholder"): (1, limits.SELECT_PLACEHOLDER_MAX_LENGTH),
    ("plain_text", "text"): (limits.TEXT_MIN_LENGTH, limits.TEXT_MAX_LENGTH),
    ("text", "text"): (1, limits.TEXT_MAX_LENGTH),
    ("rich_text", "elements"): (1, 1_000),
    ("rich_text_section", "elements"): (1, 1_000),
    ("rich_text_quote", "elements"): (1, 1_000),
    ("rich_text_preformatted", "elements"): (1, 1_000),
    ("rich_text_list", "elements"): (1, 1_000),
}
NEVER = frozenset({"mrkdwn", "user", "usergroup", "broadcast", "channel", "emoji", "team"})


def complaints(blocks: list[dict[str, Any]], surface: str = "message") -> list[str]:
    """Return what Slack would refuse of these blocks, or would make a mention or markup of."""
    most = limits.MESSAGE_BLOCKS_MAX_ITEMS if surface == "message" else limits.VIEW_BLOCKS_MAX_ITEMS
    said = [f"{len(blocks)} blocks"] if len(blocks) > most else []
    said += [
        f"{block['type']} in a {surface}" for block in blocks if block["type"] not in _BLOCK_TYPES_BY_SURFACE[surface]
    ]
    said += [f"block_id {name!r} twice" for name in _twice(block.get("block_id") for block in blocks)]
    if surface == "message" and (length := sum(map(len, _texts(blocks)))) > MESSAGE_CHARACTERS:
        said.append(f"{length} characters")
    for block in blocks:
        said += [complaint for node in _nodes(block) for complaint in _of_node(node)]
    return said


def assert_modelled(blocks: list[dict[str, Any]]) -> None:
    """Let slack_sdk's models read the blocks and validate each."""
    parsed = Block.parse_all(blocks)
    assert len(blocks) == len(parsed)
    for block in parsed:
        block.validate_json()


def _of_node(node: dict[str, Any]) -> Iterator[str]:
    kind = str(node.get("type", "option"))
    if kind in NEVER:
        yield f"a node of type {kind}"
    for key, value in node.items():
        low, high = BOUNDS.get((kind, key), (0, 100_000))
        size = len(_plain(value)) if isinstance(value, (str, list, dict)) else 0
        if not low <= size <= high:
            yield f"{kind}.{key} of {size}"
    yield from (f"{key} of {len(node[key])}" for key in ("action_id", "block_id") if len(node.get(key, "")) > 255)
    yield from _of_option(node)
    if kind == "actions":
        yield from (f"action_id {name!r} twice" for name in _twice(item.get("action_id") for item in node["elements"]))


def _of_option(node: dict[str, Any]) -> Iterator[str]:
    if set(node) != {"text", "value"}:
        return
    if not 1 <= len(_plain(node["text"])) <= limits.OPTION_TEXT_MAX_LENGTH:
        yield f"an option's text of {len(_plain(node['text']))}"
    if not 1 <= len(node["value"]) <= limits.OPTION_VALUE_MAX_LENGTH:
        yield f"an option's value of {len(node['value'])}"


def _plain(value: Any) -> Any:
    """Return the text of a text object, anything else as it is."""
    return value.get("text", "") if isinstance(value, dict) and isinstance(value.get("text"), str) else value


def _nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from _nodes(value)
    elif isinstance(node, list):
        for item in node:
            yield from _nodes(item)


def _texts(node: Any) -> Iterator[str]:
    return (found["text"] for found in _nodes(node) if isinstance(found.get("text"), str))


def _twice(names: Any) -> list[str]:
    return [name for name, count in Counter(name for name in names if name).items() if count > 1]
