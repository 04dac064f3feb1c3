"""Short-lived permissions: trigger ids that open one view, and response addresses that post five messages."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.workspace.clock import Clock
from bot.workspace.wire import ApiError, fresh_id

TRIGGER_SECONDS = 3.0
RESPONSE_SECONDS = 30 * 60.0
RESPONSE_USES = 5


@dataclass(slots=True)
class Trigger:
    """The right to open one view for one user."""

    user: str
    team: str
    issued: float
    is_used: bool = False


@dataclass(slots=True)
class Hook:
    """The right to answer one interaction through its `response_url`."""

    team: str
    channel: str
    user: str
    issued: float
    message_ts: str | None = None
    thread_ts: str | None = None
    uses: int = 0


@dataclass(slots=True)
class Tickets:
    """All triggers and response addresses that were given out."""

    clock: Clock
    trigger_seconds: float = TRIGGER_SECONDS
    triggers: dict[str, Trigger] = field(default_factory=dict[str, Trigger])
    hooks: dict[str, Hook] = field(default_factory=dict[str, Hook])

    def trigger(self, user: str, team: str) -> str:
        """Give out a trigger id."""
        name = f"{fresh_id('', 12)}.{fresh_id('', 12)}.{fresh_id('', 20)}".lower()
        self.triggers[name] = Trigger(user, team, self.clock.now())
        return name

    def redeem(self, name: str) -> Trigger:
        """Use a trigger id up.

        Raises:
            ApiError: when it is unknown, too old, or used before.
        """
        trigger = self.triggers.get(name)
        if trigger is None:
            raise ApiError("invalid_trigger_id")
        if trigger.is_used:
            raise ApiError("exchanged_trigger_id")
        if self.clock.now() - trigger.issued > self.trigger_seconds:
            raise ApiError("expired_trigger_id")
        trigger.is_used = True
        return trigger

    def hook(self, hook: Hook) -> str:
        """Give out a response address; returns its path's last part."""
        name = fresh_id("", 24)
        self.hooks[name] = hook
        return name

    def use_hook(self, name: str) -> Hook:
        """Count one use of a response address.

        Raises:
            ApiError: when it is unknown, older than thirty minutes, or was used five times.
        """
        hook = self.hooks.get(name)
        if hook is None:
            raise ApiError("invalid_url")
        if self.clock.now() - hook.issued > RESPONSE_SECONDS:
            raise ApiError("expired_url")
        if hook.uses >= RESPONSE_USES:
            raise ApiError("used_url")
        hook.uses += 1
        return hook
