"""The names that Slack gives to blocks and elements which the app left unnamed."""

from __future__ import annotations

from bot.workspace.wire import Json, fresh_id

_NESTS = ("element", "accessory")


def with_ids(blocks: list[Json]) -> list[Json]:
    """Return the blocks with a `block_id` each, and an `action_id` for each interactive element."""
    return [_named(block) for block in blocks]


def _named(block: Json) -> Json:
    named = {**block, "block_id": block.get("block_id") or fresh_id("", 5)}
    for nest in _NESTS:
        if isinstance(block.get(nest), dict):
            named[nest] = _with_action(block[nest])
    if block.get("type") in ("actions", "context_actions"):
        named["elements"] = [_with_action(element) for element in block["elements"]]
    if block.get("type") == "container":
        named["child_blocks"] = with_ids(block.get("child_blocks", []))
    return named


def _with_action(element: Json) -> Json:
    return (
        element
        if element.get("type") == "image"
        else {**element, "action_id": element.get("action_id") or fresh_id("", 5)}
    )
