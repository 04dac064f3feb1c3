"""Saying a thing exactly once: written down, posted, completed; looked for again where a crash came between."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from socket import gaierror
from typing import Any
from urllib.error import URLError

from slack_sdk.errors import SlackApiError

from bot.case import Thread
from bot.journal.effects import Effect, begin, effect, finish, undo
from bot.journal.owed import LEASE
from bot.reply.block_elements import rich_text, runs, section
from bot.reply.block_kit import Attachment
from bot.reply.spans import spans
from bot.slack.api.finding import MARK, find_ours
from bot.slack.api.markup import escape
from bot.slack.desk import Desk

TOO_BIG = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long"})
MOST_TEXT = 3_900  # characters: Slack recommends 4,000, and edits take no more
_GONE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed", "thread_not_found"})
_QUIET = {"unfurl_links": False, "unfurl_media": False}
logger = logging.getLogger(__name__)


class NotNowError(Exception):
    """Slack wants us to come back later, or its answer was lost and nobody knows what it did."""

    def __init__(self, seconds: float, *, is_lost: bool = False) -> None:
        super().__init__(f"again in {seconds:g} s")
        self.seconds = seconds
        self.is_lost = is_lost


class RefusedError(Exception):
    """Slack said no for good; `code` is its own word, `scope` what the app lacks."""

    def __init__(self, code: str, scope: str | None = None) -> None:
        super().__init__(f"{code} {scope}" if scope else code)
        self.code = code
        self.scope = scope


@dataclass(frozen=True)
class Message:
    """What is said: blocks, the text that stands for them in notifications, and the files that go along."""

    text: str
    blocks: tuple[dict[str, Any], ...] = ()
    files: tuple[Attachment, ...] = ()

    def with_(self, blocks: Iterable[dict[str, Any]]) -> Message:
        """Return the message with more below it."""
        return Message(self.text, (*self.blocks, *blocks), self.files)

    @property
    def short(self) -> str:
        """The text as Slack takes it; what is longer than a notification stands in the blocks, whole."""
        return self.text[:MOST_TEXT]

    @property
    def digest(self) -> str:
        """A short name of its content."""
        return hashlib.sha256(json.dumps([self.text, self.blocks], sort_keys=True).encode()).hexdigest()[:32]


def in_words(sentence: str) -> Message:
    """Return a sentence of ours as a message; what it names, such as a file, can become no markup."""
    return Message(escape(sentence), (rich_text(section(runs(spans(sentence)))),))


def show(desk: Desk, thread: Thread, purpose: str, message: Message) -> str | None:
    """Post a message in a thread, or bring the one posted for that purpose up to date; return its timestamp.

    Raises:
        NotNowError: Slack is busy or did not answer; nothing is lost, the same call goes on where it stopped.
        RefusedError: Slack will not take it.
    """
    done = effect(desk.journal, thread, purpose)
    if done and not done.is_done:
        done = _reconcile(desk, thread, purpose, done.at)
    if done is None:
        return _post(desk, thread, purpose, message)
    if done.digest != message.digest and done.message:
        _update(desk, thread, purpose, message, done.message)
    return done.message


def _reconcile(desk: Desk, thread: Thread, purpose: str, begun: datetime) -> Effect | None:
    """Find what a crash kept us from writing down; None when it never was posted."""
    read = partial(desk.client.conversations_replies, channel=thread.channel, ts=thread.root)
    if thread.is_whole_channel:
        read = partial(desk.client.conversations_history, channel=thread.channel)
    stamp = call(lambda: find_ours(read, begun, lambda payload: payload.get("purpose") == purpose))
    if stamp is None:
        undo(desk.journal, thread, purpose)
        return None
    finish(desk.journal, thread, purpose, message=stamp)
    return Effect(is_done=True, at=begun, message=stamp)


def _post(desk: Desk, thread: Thread, purpose: str, message: Message) -> str | None:
    begun = desk.clock()
    if not begin(desk.journal, thread, purpose, begun):
        raise NotNowError(1)  # another process is at it
    if desk.clock() - begun > LEASE / 3:
        # A process that slept since it began may have been taken for dead: whoever took over speaks now.
        raise NotNowError(1, is_lost=True)
    try:
        stamp = _send(desk, thread, purpose, message)
    except (RefusedError, NotNowError) as error:
        # A lost answer may have been a success: only what surely did not happen is forgotten.
        if isinstance(error, RefusedError) or not error.is_lost:
            undo(desk.journal, thread, purpose)
        raise
    finish(desk.journal, thread, purpose, message=stamp, digest=message.digest)
    return stamp


def _send(desk: Desk, thread: Thread, purpose: str, message: Message) -> str:
    mark = {"event_type": MARK, "event_payload": {"purpose": purpose, "root": thread.root}}
    where: dict[str, Any] = {"channel": thread.channel, "metadata": mark, **_QUIET}
    if not thread.is_whole_channel:
        where["thread_ts"] = thread.root
    return str(_say(partial(desk.client.chat_postMessage, **where), message)["ts"])


def _say(speak: Callable[..., Any], message: Message) -> Any:
    """Say a message with its blocks, or in plain text where Slack refuses them."""
    try:
        return call(lambda: speak(text=message.short, blocks=message.blocks or []))
    except RefusedError as refusal:
        if refusal.code not in TOO_BIG or not message.blocks:
            raise
        logger.exception("Slack refused blocks")
        return call(lambda: speak(text=message.short, blocks=[]))


def _update(desk: Desk, thread: Thread, purpose: str, message: Message, stamp: str) -> None:
    try:
        _say(partial(desk.client.chat_update, channel=thread.channel, ts=stamp), message)
    except RefusedError as refusal:
        if refusal.code not in _GONE:
            raise
        logger.warning("The reply to %s could not be edited: %s", thread.root, refusal.code)
    finish(desk.journal, thread, purpose, message=stamp, digest=message.digest)


def withdraw(desk: Desk, thread: Thread, purpose: str) -> None:
    """Take back what was posted for that purpose."""
    done = effect(desk.journal, thread, purpose)
    if done is None or not done.message:
        return
    try:
        call(lambda: desk.client.chat_delete(channel=thread.channel, ts=str(done.message)))
    except RefusedError as refusal:
        if refusal.code not in _GONE:
            raise
    undo(desk.journal, thread, purpose)


def call(ask: Callable[[], Any]) -> Any:
    """Call Slack, and say what came of it in our two words.

    Raises:
        NotNowError: 429, 5xx or a lost connection.
        RefusedError: Slack answered with an error code.
    """
    try:
        return ask()
    except SlackApiError as error:
        raise _meaning(error) from error
    except (URLError, OSError) as error:
        raise NotNowError(1, is_lost=not _never_left(error)) from error


def _never_left(error: OSError) -> bool:
    """Return whether a request surely did not reach Slack: there was no connection to send it on."""
    return isinstance(getattr(error, "reason", error), (ConnectionRefusedError, gaierror))


def _meaning(error: SlackApiError) -> NotNowError | RefusedError:
    status = int(getattr(error.response, "status_code", 0) or 0)
    code = str(error.response.get("error") or status) if hasattr(error.response, "get") else str(status)
    if status == 429 or code in {"ratelimited", "rate_limited"}:
        headers = {name.lower(): value for name, value in dict(error.response.headers).items()}
        return NotNowError(max(1.0, float(headers.get("retry-after") or 1)))
    if status >= 500 or code in {"internal_error", "fatal_error", "service_unavailable", "request_timeout"}:
        return NotNowError(1, is_lost=True)
    return RefusedError(code, str(error.response.get("needed") or "") or None)
