"""What it means to carry something to the app, whichever way: the attempt, and the app's answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from bot.workspace.wire import Json

Kind = Literal["events_api", "interactive", "slash_commands"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """Which delivery this is of the same thing; the first is number 0."""

    number: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the app said: acknowledged or not, and with which payload."""

    is_ok: bool
    payload: object = None
    reason: str = ""
    no_retry: bool = False


class Carrier(Protocol):
    """A way to the app."""

    async def carry(self, kind: Kind, payload: Json, attempt: Attempt) -> Answer:
        """Carry a payload to the app, and wait for its answer for as long as Slack waits."""
        ...
