"""Slack's message back into the text that was pasted: one copy of it, in order, without markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

Json: TypeAlias = Mapping[str, Any]

_BRACKETED = re.compile(r"<([^<>\n]{1,4000})>")
_ENTITIES = re.compile(r"&(amp|lt|gt);")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">"}
# What phones, Macs and word processors make of plain ASCII; a dash before a letter at a word's start was "--flag".
_LONG_FLAG = re.compile(r"(?<![^\s=('\"`])[\u2013\u2014](?=[A-Za-z])")
_TYPOGRAPHY = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"',
        "\u00a0": " ", "\u202f": " ", "\u2007": " ",
        "\u200b": None, "\u200c": None, "\u200d": None, "\u2060": None, "\ufeff": None,
    }
)  # fmt: skip


def unmangle(message: Json) -> str:
    """Return what a person pasted: rich text where Slack sends it, else its marked-up text, and what was forwarded.

    >>> unmangle({"text": "a &lt; b &amp;amp; <http://vllm.ai|vllm.ai>"})
    'a < b &amp; vllm.ai'
    """
    own = _blocks(_items(message.get("blocks"))) or _plain(_words(message, "text"))
    parts = [own, *(_attachment(item) for item in _items(message.get("attachments")))]
    return _straighten("\n\n".join(part for part in parts if part.strip()))


def without_mention(text: str, bot: str | None) -> str:
    """Return a message without the name by which it calls us."""
    return re.sub(rf"<?@{re.escape(bot)}>?[:,]?", "", text).strip() if bot else text.strip()


def _straighten(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_TYPOGRAPHY)
    return _LONG_FLAG.sub("--", text)


def _items(value: object) -> list[Json]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, Sequence) else []


def _count(value: object) -> int:
    return max(0, min(value, 10_000)) if isinstance(value, int) else 0


def _plain(text: str) -> str:
    """Undo the markup of `text`: brackets first, since an escaped bracket is the author's own."""
    return _ENTITIES.sub(lambda found: _CHARACTERS[found[1]], _BRACKETED.sub(_unlink, text))


def _unlink(found: re.Match[str]) -> str:
    target, _, label = found[1].partition("|")
    if target[:1] in {"@", "#"}:
        return f"@{target[1:]}" if target[0] == "@" else f"#{label or target[1:]}"
    if target[:1] == "!":
        return label or f"@{target[1:].partition('^')[0]}"
    if ":" in target:  # a link; Slack shows its label, which is what was pasted
        return label or target.removeprefix("mailto:")
    return found[0]  # "<module>" of a trace, where a client failed to escape it


def _blocks(blocks: Iterable[Json]) -> str:
    return "\n".join(part for part in map(_block, blocks) if part)


def _block(block: Json) -> str:
    kind = str(block.get("type"))
    if kind == "rich_text":
        return "".join(_rich(part) for part in _items(block.get("elements"))).rstrip("\n")
    if kind in {"section", "header", "context", "markdown"}:
        fields = [*_items(block.get("fields")), *_items(block.get("elements"))]
        return "\n".join(filter(None, [_label(block.get("text")), *(_label(field) for field in fields)]))
    return ""


def _label(text: object) -> str:
    """Return a text object's text; only mrkdwn is escaped."""
    if isinstance(text, Mapping):
        said = _words(text, "text")
        return _plain(said) if text.get("type") == "mrkdwn" else said
    return text if isinstance(text, str) else ""


def _words(item: Json, *names: str) -> str:
    """Return the first of these fields that says anything; what is built of parts is no word."""
    said = (str(value) for name in names if isinstance(value := item.get(name), (str, int, float)))
    return next(filter(None, said), "")


def _rich(part: Json) -> str:
    """Return what rich text says. However deep lists and quotations stand in one another, no call stands in a call."""
    written: list[str] = []
    unread: list[Json | str] = [part]
    while unread:
        piece = unread.pop()
        if isinstance(piece, str):
            written.append(piece)
        else:
            unread += reversed(_opened(piece))
    return "".join(written)


def _opened(part: Json) -> Sequence[Json | str]:
    """Return what stands directly in a part, in order: words, and parts that are still closed."""
    kind, inner = str(part.get("type")), _items(part.get("elements"))
    if kind == "rich_text_list":
        return _list(part, inner)
    if inner:
        return ["\n", *inner, "\n"] if kind in _WHOLE_LINES else inner
    write = _INLINE.get(kind)
    return [write(part) if write else _words(part, "text")]


def _list(part: Json, items: Iterable[Json]) -> list[Json | str]:
    """Return a list's items a line each; a client makes one of lines that begin with "1." or "- "."""
    ordered, first = part.get("style") == "ordered", _count(part.get("offset")) + 1
    indent = "  " * _count(part.get("indent"))
    marks = (f"{first + n}. " if ordered else "- " for n in range(10_000))
    lines = zip(marks, items, strict=False)
    return ["\n", *(piece for mark, item in lines for piece in (f"{indent}{mark}", item, "\n"))]


# Blocks of their own; what follows any other begins on its own line only where the text says so.
_WHOLE_LINES = frozenset({"rich_text_preformatted", "rich_text_quote"})
_INLINE: Mapping[str, Callable[[Json], str]] = {
    "link": lambda item: _words(item, "text", "url"),
    "user": lambda item: f"@{_words(item, 'user_id')}",
    "usergroup": lambda item: f"@{_words(item, 'usergroup_id')}",
    "channel": lambda item: f"#{_words(item, 'channel_id')}",
    "broadcast": lambda item: f"@{_words(item, 'range')}",
    "emoji": lambda item: f":{_words(item, 'name')}:",
    "date": lambda item: _words(item, "fallback"),
}


def _attachment(item: Json) -> str:
    """Return what a forwarded message or an alert holds; a link's preview is not the person's words."""
    if item.get("from_url") and not (item.get("is_msg_unfurl") or item.get("is_share")):
        return ""
    forwarded = (block.get("message") for block in _items(item.get("message_blocks")))
    inner = "\n".join(_blocks(_items(message.get("blocks"))) for message in forwarded if isinstance(message, Mapping))
    own = inner.strip() or _blocks(_items(item.get("blocks")))
    if own.strip():
        return own
    fields = (f"{_words(field, 'title')}: {_words(field, 'value')}" for field in _items(item.get("fields")))
    said = [*(_words(item, name) for name in ("pretext", "title", "text")), *fields]
    return "\n".join(_plain(part) for part in said if part) or _words(item, "fallback")
