"""The small parts of Block Kit, each within Slack's limits whatever text it is given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from bot.reply.document import Span

Block: TypeAlias = dict[str, Any]

# Slack's limits (docs.slack.dev/reference/block-kit).
MAX_HEADER = 150
MAX_CONTEXT = 2_000
MAX_BUTTON = 75
MAX_VALUE = 2_000
MAX_OPTION_VALUE = 150
MAX_ID = 255
MAX_RUN = 3_000  # characters of one run of rich text
# Ids carry a version, so that buttons of old messages still say what they mean after an upgrade.
ID = "vt1"
_EMPTY = "…"  # stands where Slack wants a text and there is none


def button(text: str, action: str, value: str, *, style: str | None = None) -> Block:
    """Return a button; text and value are cut to Slack's limits."""
    element: Block = {
        "type": "button",
        "text": plain(text, MAX_BUTTON),
        "action_id": action[:MAX_ID],
        "value": value[:MAX_VALUE],
    }
    return element | ({"style": style} if style else {})


def option(choice: str) -> Block:
    """Return one option of a select."""
    return {"text": plain(choice, MAX_BUTTON), "value": choice[:MAX_OPTION_VALUE]}


def plain(text: str, most: int) -> Block:
    """Return a text that is shown as it is, cut to `most` characters."""
    return {"type": "plain_text", "text": text[:most] if text.strip() else _EMPTY, "emoji": False}


def header(text: str) -> Block:
    """Return a heading."""
    return {"type": "header", "text": plain(text, MAX_HEADER)}


def context(text: str) -> Block:
    """Return a line that is said quietly."""
    return {"type": "context", "elements": [plain(text, MAX_CONTEXT)]}


def rich_text(*elements: Block) -> Block:
    """Return one rich_text block."""
    return {"type": "rich_text", "elements": list(elements)}


def section(runs: Iterable[Block]) -> Block:
    """Return a paragraph of rich text."""
    return {"type": "rich_text_section", "elements": list(runs) or runs_of("")}


def code_block(text: str) -> Block:
    """Return lines in one width, as they are."""
    return {"type": "rich_text_preformatted", "elements": runs_of(text)}


def runs_of(text: str, **style: bool) -> list[Block]:
    """Return a text as runs that Slack takes, in one style; none of it is lost."""
    pieces = [text[start : start + MAX_RUN] for start in range(0, len(text), MAX_RUN)] or [" "]
    look = {"style": style} if style else {}
    return [{"type": "text", "text": piece} | look for piece in pieces]


def runs(spans: Iterable[Span]) -> list[Block]:
    """Return spans as runs of rich text; their text can become neither markup nor a mention."""
    return [run for span in spans for run in _span(span)]


def _span(span: Span) -> list[Block]:
    if span.url:
        return [{"type": "link", "url": span.url[:MAX_RUN], "text": (span.text or span.url)[:MAX_RUN]}]
    return runs_of(span.text) if span.style == "plain" else runs_of(span.text, **{span.style: True})
