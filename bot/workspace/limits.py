"""The limits that Slack puts on messages and views, told in its own words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from bot.workspace.rules import Rule, text
from bot.workspace.surfaces import BLOCKS, SURFACES
from bot.workspace.wire import ApiError, Json

Surface = Literal["message", "modal", "home"]

LONGEST_TEXT = 40_000
LONGEST_UPDATE = 4_000
LARGEST_BLOCKS = 13_200
_MOST_BLOCKS = {"message": 50, "modal": 100, "home": 100}
_MARKDOWN_TOTAL = 12_000
_MOST_CHARTS = 2
_LABEL = text(24, is_plain=True)


def complaints(blocks: object, surface: Surface) -> list[str]:
    """Return what Slack would object to in these blocks, each with a JSON pointer."""
    if not isinstance(blocks, list):
        return ["[ERROR] must be an array [json-pointer:/blocks]"]
    items: list[object] = blocks
    found: list[str] = []
    if len(items) > _MOST_BLOCKS[surface]:
        found.append(f"[ERROR] no more than {_MOST_BLOCKS[surface]} items allowed [json-pointer:/blocks]")
    for number, block in enumerate(items):
        found += _block_complaints(block, f"/blocks/{number}", surface)
    return [*found, *_totals(items)]


def check_blocks(blocks: object, surface: Surface, code: str = "invalid_blocks") -> None:
    """Refuse blocks that Slack would refuse.

    Raises:
        ApiError: with `code`, and each complaint in `response_metadata.messages`.
    """
    found = complaints(blocks, surface)
    if found:
        raise ApiError(code, *found, errors=[each.removeprefix("[ERROR] ") for each in found])


def size_of(value: object) -> int:
    """Return how many characters of text the blocks carry."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        fields: dict[str, object] = value
        return sum(size_of(each) for each in fields.values())
    return sum(size_of(each) for each in value) if isinstance(value, list) else 0


def check_view(view: Json) -> Surface:
    """Refuse a view that Slack would refuse; returns whether it is a modal or a Home tab.

    Raises:
        ApiError: `invalid_arguments` with each complaint.
    """
    kind = view.get("type")
    if kind not in ("modal", "home"):
        raise ApiError("invalid_arguments", "[ERROR] must provide a valid type [json-pointer:/view/type]")
    found = [*_view_complaints(view, kind), *_in_view(complaints(view.get("blocks"), kind))]
    if found:
        raise ApiError("invalid_arguments", *found)
    return kind


def _block_complaints(block: object, pointer: str, surface: Surface) -> Iterator[str]:
    if not isinstance(block, dict):
        yield f"[ERROR] must be an object [json-pointer:{pointer}]"
        return
    fields: Json = block
    kind = str(fields.get("type"))
    rule: Rule | None = BLOCKS.get(kind)
    if rule is None or kind not in SURFACES[surface]:
        yield f"[ERROR] unsupported type: {kind} [json-pointer:{pointer}/type]"
        return
    yield from rule(fields, pointer)


def _totals(blocks: Sequence[object]) -> Iterator[str]:
    """Yield what is wrong with the blocks taken together."""
    known = [block for block in blocks if isinstance(block, dict)]
    ids = [block["block_id"] for block in known if block.get("block_id")]
    for twice in sorted({str(each) for each in ids if ids.count(each) > 1}):
        yield f"[ERROR] block_id already exists: {twice} [json-pointer:/blocks]"
    markdown = sum(size_of(block.get("text")) for block in known if block.get("type") == "markdown")
    if markdown > _MARKDOWN_TOTAL:
        yield f"[ERROR] markdown text must be less than {_MARKDOWN_TOTAL + 1} characters in all [json-pointer:/blocks]"
    for kind, most in (("table", 1), ("data_visualization", _MOST_CHARTS)):
        if sum(block.get("type") == kind for block in known) > most:
            yield f"[ERROR] only {most} {kind} allowed in a message [json-pointer:/blocks]"


def _view_complaints(view: Json, kind: str) -> Iterator[str]:
    for field, most in (("private_metadata", 3000), ("callback_id", 255), ("external_id", 255)):
        if len(str(view.get(field) or "")) > most:
            yield f"[ERROR] must be less than {most + 1} characters [json-pointer:/view/{field}]"
    if kind == "modal":
        yield from _modal_complaints(view)


def _modal_complaints(view: Json) -> Iterator[str]:
    if not view.get("title"):
        yield "[ERROR] missing required field: title [json-pointer:/view]"
    for field in ("title", "submit", "close"):
        if view.get(field):
            yield from _LABEL(view[field], f"/view/{field}")
    blocks = view.get("blocks")
    has_input = isinstance(blocks, list) and any(
        isinstance(each, dict) and each.get("type") == "input" for each in blocks
    )
    if has_input and not view.get("submit"):
        yield "[ERROR] missing required field: submit [json-pointer:/view]"


def _in_view(found: list[str]) -> list[str]:
    return [each.replace("[json-pointer:/blocks", "[json-pointer:/view/blocks") for each in found]
