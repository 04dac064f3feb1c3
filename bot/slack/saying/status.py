"""The line under a thread that says what we are doing, while it takes long enough to wonder."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress

from bot.case import Thread
from bot.slack.desk import Desk
from bot.slack.saying.delivery import NotNowError, RefusedError, call


@contextmanager
def status(desk: Desk, thread: Thread, text: str) -> Generator[None]:
    """Show a status until the block ends; where the platform has none, nothing is lost."""
    _say(desk, thread, text)
    try:
        yield
    finally:
        _say(desk, thread, "")


def _say(desk: Desk, thread: Thread, text: str) -> None:
    with suppress(RefusedError, NotNowError):
        call(
            lambda: desk.client.assistant_threads_setStatus(
                channel_id=thread.channel, thread_ts=thread.root, status=text
            )
        )
