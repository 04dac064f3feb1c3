"""Slack's rate limits: a tier per method and about one message a second per channel."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from bot.workspace.clock import Clock

_TIER_1, _TIER_2, _TIER_3, _TIER_4 = 1, 20, 50, 100
_MESSAGES_A_MINUTE = 60
_BURST = 5
_TIERS = {
    "apps.connections.open": _TIER_1,
    "conversations.list": _TIER_2,
    "users.list": _TIER_2,
    "usergroups.users.list": _TIER_2,
    "reactions.remove": _TIER_2,
    "conversations.history": _TIER_3,
    "conversations.replies": _TIER_3,
    "conversations.info": _TIER_3,
    "chat.update": _TIER_3,
    "chat.delete": _TIER_3,
    "reactions.add": _TIER_3,
    "chat.postEphemeral": _TIER_4,
    "conversations.members": _TIER_4,
    "users.info": _TIER_4,
    "views.open": _TIER_4,
    "views.update": _TIER_4,
    "views.publish": _TIER_4,
}


@dataclass(slots=True)
class Bucket:
    """Tokens that refill steadily; one call takes one."""

    tokens: float
    filled_at: float


@dataclass(slots=True)
class Rates:
    """A token bucket for each method and team, and one for each channel's messages; off until switched on."""

    clock: Clock
    is_on: bool = False
    buckets: dict[tuple[str, str], Bucket] = field(default_factory=dict[tuple[str, str], Bucket])

    def seconds_to_wait(self, method: str, team: str, channel: str | None) -> int | None:
        """Return the `Retry-After` of a call that comes too soon, or nothing when it may run."""
        if not self.is_on:
            return None
        if method == "chat.postMessage" and channel:
            return self._take((method, channel), _MESSAGES_A_MINUTE)
        tier = _TIERS.get(method)
        return self._take((method, team), tier) if tier else None

    def _take(self, key: tuple[str, str], a_minute: int) -> int | None:
        now, limit = self.clock.now(), float(min(a_minute, _BURST) if a_minute == _MESSAGES_A_MINUTE else a_minute)
        bucket = self.buckets.setdefault(key, Bucket(limit, now))
        bucket.tokens = min(limit, bucket.tokens + (now - bucket.filled_at) * a_minute / 60)
        bucket.filled_at = now
        if bucket.tokens < 1:
            return max(1, math.ceil((1 - bucket.tokens) * 60 / a_minute))
        bucket.tokens -= 1
        return None
