"""What was looked at for an operator, how it is, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["well", "warning", "ill", "unknown"]
_SKEW_SECONDS = 60  # Slack's signatures and our leases bear five times as much


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at, how it is, and what to do where it is not well."""

    name: str
    state: State
    said: str


def clock_finding(name: str, ahead: float) -> Finding:
    """Say whether our clock agrees with another; `ahead` is in seconds."""
    if abs(ahead) <= _SKEW_SECONDS:
        return Finding(name, "well", f"{abs(ahead):.1f} s apart")
    way = "ahead" if ahead > 0 else "behind"
    return Finding(name, "ill", f"this machine is {abs(ahead):.0f} s {way}: let NTP set its clock")
