"""Commands that are too long for a message, uploaded beside it: once each, whole."""

from __future__ import annotations

import hashlib

from bot.case import Thread
from bot.diagnosis.verdict import Diagnosis
from bot.journal.effects import begin, effect, finish, undo
from bot.reply import block_kit
from bot.reply.compose import compose
from bot.slack.delivery import NotNowError, RefusedError, call
from bot.slack.desk import Desk


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
    if effect(desk.journal, thread, purpose) or not begin(desk.journal, thread, purpose, desk.clock()):
        return
    try:
        call(
            lambda: desk.client.files_upload_v2(
                channel=thread.channel, thread_ts=thread.root, content=content, filename=name
            )
        )
    except RefusedError:  # no scope for files: what is in them is told in letters too
        finish(desk.journal, thread, purpose, message=None)
    except NotNowError:
        undo(desk.journal, thread, purpose)
        raise
    else:
        finish(desk.journal, thread, purpose, message=None)
