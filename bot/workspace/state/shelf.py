"""Files and snippets: uploaded, shared, and described as Slack describes them."""

from __future__ import annotations

from typing import Literal

from bot.workspace.state.records import File
from bot.workspace.state.world import World
from bot.workspace.wire import Json, fresh_id

_PREVIEW_LINES = 6
_PREVIEW_CHARACTERS = 600
_SNIPPET_LIMIT = 1 << 20
_TYPES = {
    "txt": ("text", "text/plain"),
    "log": ("text", "text/plain"),
    "sh": ("shell", "text/x-sh"),
    "md": ("markdown", "text/markdown"),
    "py": ("python", "text/x-python"),
    "json": ("javascript", "application/json"),
    "yaml": ("yaml", "text/yaml"),
    "yml": ("yaml", "text/yaml"),
    "csv": ("csv", "text/csv"),
    "png": ("png", "image/png"),
    "jpg": ("jpg", "image/jpeg"),
    "gz": ("gzip", "application/gzip"),
}


def put_file(world: World, team: str, user: str, name: str, *, content: bytes = b"") -> File:
    """Add a file; text becomes a snippet, everything else is hosted."""
    filetype, mimetype = _TYPES.get(name.rpartition(".")[2].lower(), ("binary", "application/octet-stream"))
    is_text = mimetype.startswith("text/") or filetype == "javascript"
    mode: Literal["hosted", "snippet"] = "snippet" if is_text and len(content) <= _SNIPPET_LIMIT else "hosted"
    file = File(fresh_id("F"), team, user, name, name, mimetype, filetype, mode, content, int(world.clock.now()))
    world.files[file.id] = file
    return file


def fill(file: File, content: bytes) -> None:
    """Write the bytes of an upload that was announced before."""
    file.content = content


def share(file: File, channel: str) -> None:
    """Note that a file was shared into a channel."""
    file.is_complete = True
    if channel not in file.channels:
        file.channels.append(channel)


def as_json(file: File, base: str) -> Json:
    """Return the file object; `base` is the address that serves the bytes."""
    address = f"{base}/files-pri/{file.team}-{file.id}/{file.name}"
    body: Json = {
        "id": file.id,
        "created": file.created,
        "timestamp": file.created,
        "name": file.name,
        "title": file.title,
        "mimetype": file.mimetype,
        "filetype": file.filetype,
        "pretty_type": "Plain Text" if file.filetype == "text" else file.filetype.capitalize(),
        "user": file.user,
        "user_team": file.team,
        "editable": file.mode == "snippet",
        "alt_txt": file.alt,
        "size": len(file.content),
        "mode": file.mode,
        "url_private": address,
        "url_private_download": f"{base}/files-pri/{file.team}-{file.id}/download/{file.name}",
        "permalink": f"{base}/files/{file.user}/{file.id}/{file.name}",
    }
    body |= {"file_access": "visible", "channels": list(file.channels), "is_external": False, "is_public": False}
    return body | (_preview(file) if file.mode == "snippet" else {})


def _preview(file: File) -> Json:
    """Return what Slack shows of a snippet before it is opened."""
    text = file.content.decode("utf-8", "replace")
    lines = text.split("\n")
    preview = "\n".join(lines[:_PREVIEW_LINES])[:_PREVIEW_CHARACTERS]
    return {
        "preview": preview,
        "preview_is_truncated": preview != text,
        "lines": len(lines),
        "lines_more": max(0, len(lines) - _PREVIEW_LINES),
    }
