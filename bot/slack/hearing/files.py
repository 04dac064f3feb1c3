"""Snippets and log files: fetched with the bot's token, capped, and told from a login page."""

from __future__ import annotations

import codecs
import gzip
import zlib
from typing import IO, Any, cast
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from slack_sdk.errors import SlackApiError

from bot.case import Attachment, Case, Entry, EntryKind, Thread
from bot.journal.entries import entries
from bot.slack.desk import Desk, moment
from bot.slack.saying.delivery import NotNowError

CAP = 8 * 2**20  # bytes of a file that are read: half of them its beginning and half its end, which are what tells
MOST = 256 * 2**20  # bytes that are fetched to get at the end
_CHUNK = 2**18
_SECONDS = 15


class UnreadableError(Exception):
    """A file that we cannot read, and why, in a sentence for its owner."""


def read_files(desk: Desk, thread: Thread, case: Case) -> bool:
    """Read what the messages of a case carry and write each file as an entry; return whether there was any."""
    for file in case.files:
        _take(desk, thread, file)
    return bool(case.files)


def _take(desk: Desk, thread: Thread, file: Attachment) -> None:
    owner = _message_of(desk, thread, file)
    try:
        kind, text = EntryKind.FILE, fetch(desk, file)
    except UnreadableError as reason:
        kind, text = EntryKind.UNREADABLE, str(reason)
    entry = Entry(kind=kind, at=moment(owner), message=owner, text=text, value=file.id)
    desk.note(thread, entry, f"file:{thread.channel}:{owner}:{file.id}")


def _message_of(desk: Desk, thread: Thread, file: Attachment) -> str:
    for entry in entries(desk.journal, thread):
        if entry.message and any(carried.id == file.id for carried in entry.files):
            return entry.message
    return thread.root


def fetch(desk: Desk, file: Attachment) -> str:
    """Return a file's text, at most `CAP` bytes of it.

    Raises:
        UnreadableError: It is no text, or Slack did not let us have it.
        NotNowError: Slack did not answer.
    """
    if file.kind.startswith("image/") or file.kind in {"png", "jpg", "jpeg", "gif", "webp"}:
        raise UnreadableError("I cannot read pictures. Paste the output as text, please: copied text is exact.")
    url = file.url or _address(desk, file)
    if not url or not _is_slack(url, desk.client.base_url):
        raise UnreadableError(f"I cannot reach {_named(file)}: paste what it holds, please.")
    content, kind = _download(desk, file, url)
    if "text/html" in kind and b"<html" in content[:2000].lower():
        raise UnreadableError(
            f"Slack did not let me read {_named(file)}: the app lacks the scope `files:read`. "
            "An admin can add it; until then paste the text, please."
        )
    if content[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}:  # as PowerShell writes what it redirects
        return content.decode("utf-16", "replace")
    if b"\x00" in content[:4096]:
        raise UnreadableError(f"{_named(file)} is not text. Paste the log as text, please.")
    return content.decode("utf-8", "replace")


def _address(desk: Desk, file: Attachment) -> str | None:
    """Return where a file is whose address was not kept, since its name holds a secret."""
    try:
        held = desk.client.files_info(file=file.id).get("file") or {}
    except SlackApiError as error:
        if error.response.status_code == 429 or error.response.status_code >= 500:
            raise NotNowError(float(error.response.headers.get("retry-after") or 2)) from error
        return None
    except OSError as error:
        raise NotNowError(2) from error
    return held.get("url_private_download") or held.get("url_private")


def _named(file: Attachment) -> str:
    return f"“{file.name[:100]}”" if file.name else "that file"


def _is_slack(url: str, base: str) -> bool:
    """Say whether an address may be sent our token: Slack's hosts, or the host that stands in for Slack."""
    target, own = urlsplit(url), urlsplit(base)
    if target.netloc == own.netloc:
        return target.scheme == own.scheme
    host = target.hostname or ""
    return target.scheme == "https" and (host == "slack.com" or host.endswith((".slack.com", ".slack-files.com")))


class _StaysInside(HTTPRedirectHandler):
    """Follows a redirection only to a host that may see our token."""

    def __init__(self, base: str) -> None:
        self.base = base

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Request | None:
        """Return the next request, or None to stop here."""
        inside = _is_slack(newurl, self.base)
        return super().redirect_request(req, fp, code, msg, headers, newurl) if inside else None


def _download(desk: Desk, file: Attachment, url: str) -> tuple[bytes, str]:
    request = Request(url, headers={"Authorization": f"Bearer {desk.client.token}"})  # noqa: S310 - checked above
    opener = build_opener(_StaysInside(desk.client.base_url))
    try:
        with opener.open(request, timeout=_SECONDS) as answer:
            kind = str(answer.headers.get("content-type") or "")
            is_packed = file.name.endswith(".gz") and "html" not in kind
            return _ends(cast("IO[bytes]", gzip.GzipFile(fileobj=answer)) if is_packed else answer), kind
    except HTTPError as error:
        if error.code == 429 or error.code >= 500:
            raise NotNowError(float(error.headers.get("retry-after") or 2)) from error
        raise UnreadableError(f"Slack did not let me read {_named(file)} ({error.code}).") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UnreadableError(f"{_named(file)} cannot be unpacked. Paste the log as text, please.") from error
    except (URLError, OSError) as error:
        raise NotNowError(2) from error


def _ends(stream: IO[bytes]) -> bytes:
    """Return a stream whole, or its beginning and its end with a gap between them, in bounded memory."""
    head, tail, fetched = stream.read(CAP // 2), bytearray(), CAP // 2
    while fetched < MOST and (chunk := stream.read(_CHUNK)):
        tail += chunk
        fetched += len(chunk)
        if len(tail) > CAP:
            del tail[: -CAP // 2]
    kept = bytes(tail[-CAP // 2 :])
    return head + (b"\n[...]\n" if fetched > CAP else b"") + kept
