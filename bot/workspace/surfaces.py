"""Every block that there is, those that hold others too, and where each may stand.

Source: as for `block_rules`; of a file's and a video's fields Slack's reference.
"""

from __future__ import annotations

from bot.workspace.block_rules import BLOCK, BUTTON, CELL, IMAGE, IMAGE_SOURCE, PLAIN_BLOCKS, RICH_TEXT, URL
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

_PICTURE = kinds({"image": both(IMAGE_SOURCE, IMAGE)})
_ONE_LINE = words(10_000)
_CARD = both(
    one_of_fields("hero_image", "title", "actions", "body"),
    shape(
        {},
        {
            **BLOCK,
            "hero_image": _PICTURE,
            "icon": _PICTURE,
            "slack_icon": anything,
            "title": text(150),
            "subtitle": text(150),
            "body": text(200),
            "subtext": text(200),
            "actions": many(kinds({"button": BUTTON}), 3),
        },
    ),
)
_TASK_FIELDS: dict[str, Rule] = {"details": RICH_TEXT, "output": RICH_TEXT, "sources": many(anything, 100, 0)}
_TASK: dict[str, Rule] = {"task_id": _ONE_LINE, "title": _ONE_LINE}
_VIDEO: dict[str, Rule] = {
    "alt_text": words(2000),
    "title": text(200, is_plain=True),
    "video_url": URL,
    "thumbnail_url": URL,
}
_VIDEO_MORE: dict[str, Rule] = {
    "title_url": URL,
    "author_name": words(50),
    "provider_name": words(200),
    "provider_icon_url": URL,
    "description": text(200, is_plain=True),
}
_FILE: dict[str, Rule] = {"external_id": words(255), "source": choice("remote")}
_OPEN: dict[str, Rule] = {
    **PLAIN_BLOCKS,
    "card": _CARD,
    "carousel": shape({"elements": many(kinds({"card": _CARD}), 10)}, BLOCK),
    "data_table": shape(
        {"rows": many(many(CELL, 20), 201, 2), "caption": _ONE_LINE},
        {**BLOCK, "page_size": positive, "row_header_column_index": number},
    ),
    "file": shape(_FILE, BLOCK),
    "plan": shape(
        {
            "title": _ONE_LINE,
            "tasks": many(
                shape({**_TASK, "status": choice("pending", "in_progress", "complete", "error")}, _TASK_FIELDS), 50
            ),
        },
        BLOCK,
    ),
    "task_card": shape(
        {**_TASK, "status": choice("in_progress", "complete", "error")},
        {**BLOCK, **_TASK_FIELDS},
    ),
    "video": shape(_VIDEO, {**BLOCK, **_VIDEO_MORE}),
}
_CHILDREN = (
    "actions",
    "context",
    "divider",
    "file",
    "header",
    "image",
    "input",
    "rich_text",
    "section",
    "table",
    "video",
)
_CONTAINER = both(
    one_of_fields("title", "rich_text_title"),
    shape(
        {"child_blocks": many(kinds({name: _OPEN[name] for name in _CHILDREN}), 10)},
        {
            **BLOCK,
            "title": text(150, is_plain=True),
            "rich_text_title": RICH_TEXT,
            "subtitle": text(150),
            "width": choice("narrow", "standard", "wide", "full"),
            "icon": _PICTURE,
            "is_collapsible": flag,
            "default_collapsed": flag,
            "has_header_divider": flag,
        },
    ),
)

BLOCKS: dict[str, Rule] = {**_OPEN, "container": _CONTAINER}
_FORM = {"actions", "alert", "card", "context", "divider", "header", "image", "input", "rich_text", "section", "video"}

SURFACES: dict[str, frozenset[str]] = {
    "message": frozenset(BLOCKS) - {"alert"},
    "modal": frozenset(_FORM),
    "home": frozenset(BLOCKS) - {"alert", "context_actions", "file", "markdown", "plan", "task_card"},
}
