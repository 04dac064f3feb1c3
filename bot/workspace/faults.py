"""Trouble on demand: what shall go wrong, with which method, how often."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import Literal

FaultKind = Literal[
    "rate_limited",  # 429 with Retry-After
    "server_error",  # 500 before the call had an effect
    "error",  # 200 with {"ok": false, "error": …}
    "delay",  # the call is slow, then works
    "lost_call",  # the connection drops before the call had an effect
    "lost_answer",  # the call works, then the connection drops
    "html_file",  # a download answers 200 with the login page
    "no_ack",  # the app's acknowledgement of a delivery is taken for lost
    "duplicate",  # an event is delivered twice
    "hold",  # an event waits before it is delivered
]


@dataclass(slots=True)
class Fault:
    """One kind of trouble for the methods (or event types) that match `on`."""

    kind: FaultKind
    on: str = "*"
    times: int = 1
    after: int = 0
    seconds: float = 1.0
    error: str = "internal_error"


@dataclass(slots=True)
class Faults:
    """The trouble that is still to come, first come first served."""

    waiting: list[Fault] = field(default_factory=list[Fault])

    def add(self, fault: Fault) -> None:
        """Arm a fault."""
        self.waiting.append(fault)

    def clear(self) -> None:
        """Disarm all."""
        self.waiting.clear()

    def take(self, name: str, kinds: frozenset[FaultKind]) -> Fault | None:
        """Return the fault that strikes now and count it, or nothing."""
        for fault in self.waiting:
            if fault.kind not in kinds or not fnmatch(name, fault.on):
                continue
            if fault.after > 0:
                fault.after -= 1
                continue
            return self._strike(fault)
        return None

    def _strike(self, fault: Fault) -> Fault:
        fault.times -= 1
        if fault.times <= 0:
            self.waiting.remove(fault)
        return fault
