"""Commands that are too long for a message, uploaded beside it: once each, whole."""

from __future__ import annotations

import hashlib
from functools import partial

from bot.case import Thread
from bot.diagnosis.verdict import Diagnosis
from bot.journal.effects import Effect, begin, effect, finish, undo
from bot.reply import block_kit
from bot.reply.compose import compose
from bot.slack.api.finding import find_file
from bot.slack.desk import Desk
from bot.slack.saying.delivery import NotNowError, RefusedError, call


def attach(desk: Desk, thread: Thread, diagnosis: Diagnosis) -> None:
    """Upload what the reply says is attached.

    Raises:
        NotNowError: Slack is busy.
    """
    for attachment in block_kit.attachments(compose(diagnosis)):
        name = hashlib.sha256(attachment.text.encode()).hexdigest()[:16]
        upload(desk, thread, f"file:{name}", attachment.name, attachment.text)


def upload(desk: Desk, thread: Thread, purpose: str, name: str, content: str | bytes) -> None:
    """Upload a file into a thread, once for that purpose; without the scope for it, none.

    Raises:
        NotNowError: Slack is busy.
    """
    done = effect(desk.journal, thread, purpose)
    if done and (done.is_done or _is_there(desk, thread, purpose, name, done)):
        return
    if not begin(desk.journal, thread, purpose, desk.clock()):
        return  # another process is at it
    try:
        call(
            lambda: desk.client.files_upload_v2(
                channel=thread.channel, thread_ts=thread.root, content=content, filename=name
            )
        )
    except NotNowError as busy:
        if not busy.is_lost:  # a lost answer may have been a success
            undo(desk.journal, thread, purpose)
        raise
    except RefusedError:  # no scope for files: what is in them is told in letters too
        pass
    finish(desk.journal, thread, purpose, message=None)


def _is_there(desk: Desk, thread: Thread, purpose: str, name: str, begun: Effect) -> bool:
    """Look for a file whose upload was begun, and forget the beginning where there is none."""
    read = partial(desk.client.conversations_replies, channel=thread.channel, ts=thread.root)
    stamp = call(lambda: find_file(read, begun.at, name, desk.bot_user))
    if stamp is None:
        undo(desk.journal, thread, purpose)
        return False
    finish(desk.journal, thread, purpose, message=stamp)
    return True
