"""What every listener and the worker share: the journal, the clock, the bell that wakes the worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from threading import Event

from slack_sdk import WebClient

from bot.case import WHOLE_CHANNEL, Entry, EntryKind, Thread
from bot.journal.entries import remember
from bot.journal.open import Journal
from bot.slack.known import Told
from bot.slack.metrics import DUPLICATES


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


def moment(timestamp: str | float | None) -> datetime:
    """Return the time that a Slack timestamp names, or now where it names none."""
    try:
        return datetime.fromtimestamp(float(timestamp or ""), UTC)
    except (ValueError, OverflowError, OSError):
        return now()


@dataclass(frozen=True)
class Desk:
    """Where entries are taken and answers begun."""

    journal: Journal
    client: WebClient  # the worker's own: it never retries by itself, so that nothing is posted twice
    bot_user: str
    clock: Callable[[], datetime] = now
    bell: Event = field(default_factory=Event)
    leads: frozenset[str] = frozenset()  # may do what workspace admins may
    # Who we are in a workspace, where we are installed in several; None: in one, with the client and bot user above.
    accounts: Callable[[str], tuple[WebClient, str]] | None = None
    told: Told = field(default_factory=Told)

    def at(self, workspace: str) -> Desk:
        """Return the desk as that workspace knows us.

        Raises:
            bot.slack.api.accounts.NotInstalledError: We are not, or no longer, installed there.
        """
        if self.accounts is None:
            return self
        client, bot_user = self.accounts(workspace)
        return replace(self, client=client, bot_user=bot_user)

    def take(self, thread: Thread, entry: Entry, keys: Iterable[str]) -> bool:
        """Write an entry and wake the worker; False when it was there already."""
        is_new = remember(self.journal, thread, entry, keys)
        if is_new:
            self.bell.set()
        else:
            DUPLICATES.inc()
        return is_new

    def note(self, thread: Thread, entry: Entry, key: str) -> bool:
        """Write down what we did ourselves; it owes nobody an answer."""
        return remember(self.journal, thread, entry, [key], owes_an_answer=False)

    def welcome(self, workspace: str, channel: str, stamp: str) -> None:
        """Owe a channel that we were invited to a welcome."""
        thread = Thread(workspace=workspace, channel=channel, root=WHOLE_CHANNEL)
        self.take(thread, Entry(kind=EntryKind.INVITED, at=moment(stamp)), [f"invited:{channel}"])

    def notice(self, thread: Thread, message: str, text: str) -> None:
        """Owe a sentence of ours in a thread, once for the message that it replies to."""
        entry = Entry(kind=EntryKind.NOTICE, at=moment(message), message=message, text=text)
        self.take(thread, entry, [f"notice:{thread.channel}:{message}"])
