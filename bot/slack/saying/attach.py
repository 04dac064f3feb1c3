"""What goes along with a reply as a file, each once: what is too long for a message, and the budget as a picture."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial

from slack_sdk import WebClient

from bot.case import Thread
from bot.journal.effects import Effect, begin, effect, finish, undo
from bot.reply.block_kit import Attachment, preformatted
from bot.reply.picture import Picture, as_png, as_svg, draw
from bot.sizing.terms import Budget
from bot.slack.api.finding import find_file
from bot.slack.desk import Desk
from bot.slack.saying.delivery import Message, NotNowError, RefusedError, call, show

_PAGE = 9_000  # characters of a file spelled out in one message


def attach(desk: Desk, thread: Thread, message: Message) -> None:
    """Upload what the reply says is attached.

    Raises:
        NotNowError: Slack is busy.
        RefusedError: Slack takes neither the file nor its text.
    """
    for attached in message.files:
        purpose = f"file:{_sign(attached.text)}"
        spell = partial(_spell_out, desk, thread, purpose, attached)
        upload(desk, thread, purpose, attached.name, attached.text, otherwise=spell)


def picture(desk: Desk, thread: Thread, budget: Budget) -> None:
    """Upload the budget of one GPU as a picture; without Pillow as one to download.

    Raises:
        NotNowError: Slack is busy.
    """
    drawn = draw(budget)
    name, content = _file(drawn)
    upload(desk, thread, f"picture:{_sign(drawn.told)}", name, content, tells=drawn.told)


def picture_for(client: WebClient, person: str, budget: Budget) -> None:
    """Upload the same where one person alone sees it: in their direct messages with us.

    Raises:
        NotNowError: Slack is busy.
        RefusedError: Slack takes no file of ours.
    """
    drawn = draw(budget)
    name, content = _file(drawn)
    room = call(partial(client.conversations_open, users=person))["channel"]["id"]
    call(partial(client.files_upload_v2, channel=room, content=content, filename=name, alt_txt=drawn.told))


def _file(drawn: Picture) -> tuple[str, bytes]:
    try:
        return "budget.png", as_png(drawn)
    except ImportError:
        return "budget.svg", as_svg(drawn).encode()


def upload(  # noqa: PLR0913 - the last two are given by name
    desk: Desk,
    thread: Thread,
    purpose: str,
    name: str,
    content: str | bytes,
    *,
    tells: str = "",
    otherwise: Callable[[], None] | None = None,
) -> None:
    """Upload a file into a thread, once for that purpose.

    Args:
        desk: Whose file it is.
        thread: Where it goes.
        purpose: What it is for.
        name: Its name.
        content: What is in it.
        tells: What a picture shows, for those who cannot see it.
        otherwise: What is done where the app lacks the scope for files.

    Raises:
        NotNowError: Slack is busy.
    """
    if not _is_due(desk, thread, purpose, name):
        return
    send = partial(desk.client.files_upload_v2, channel=thread.channel, thread_ts=thread.root)
    try:
        call(lambda: send(content=content, filename=name, alt_txt=tells or None))
    except NotNowError as busy:
        if not busy.is_lost:  # a lost answer may have been a success
            undo(desk.journal, thread, purpose)
        raise
    except RefusedError:
        if otherwise:
            otherwise()
    finish(desk.journal, thread, purpose, message=None)


def _is_due(desk: Desk, thread: Thread, purpose: str, name: str) -> bool:
    """Begin an upload; False where it is done, or another process is at it."""
    done = effect(desk.journal, thread, purpose)
    if done and (done.is_done or _is_there(desk, thread, purpose, name, done)):
        return False
    return begin(desk.journal, thread, purpose, desk.clock())


def _sign(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _spell_out(desk: Desk, thread: Thread, purpose: str, attached: Attachment) -> None:
    """Say in messages what Slack did not let us upload."""
    for page, start in enumerate(range(0, len(attached.text), _PAGE)):
        part = attached.text[start : start + _PAGE]
        show(desk, thread, f"{purpose}:{page}", Message(attached.name, (preformatted(part),)))


def _is_there(desk: Desk, thread: Thread, purpose: str, name: str, begun: Effect) -> bool:
    """Look for a file whose upload was begun, and forget the beginning where there is none."""
    read = partial(desk.client.conversations_replies, channel=thread.channel, ts=thread.root)
    stamp = call(lambda: find_file(read, begun.at, name, desk.bot_user))
    if stamp is None:
        undo(desk.journal, thread, purpose)
        return False
    finish(desk.journal, thread, purpose, message=stamp)
    return True
