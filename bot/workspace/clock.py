"""The time of the stand-in: it runs on the real clock, may be moved on, and may wait faster than it says."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass


@dataclass
class Clock:
    """Seconds since 1970, moved on by hand; waits are divided by `factor`."""

    factor: float = 1.0
    ahead: float = 0.0

    def now(self) -> float:
        """Return the workspace's time in seconds."""
        return time.time() + self.ahead

    def advance(self, seconds: float) -> None:
        """Move the time on: triggers and response addresses age, rate limits recover."""
        self.ahead += seconds

    async def wait(self, seconds: float) -> None:
        """Wait for that long in workspace time."""
        await asyncio.sleep(seconds / self.factor)
