"""Whether this process is well, in the words of an orchestrator: alive, and ready to be sent work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event

from bot.journal.health import is_in_place
from bot.journal.open import Journal
from bot.journal.upgrade import is_at_head


def _yes() -> bool:
    return True


@dataclass(frozen=True)
class Probes:
    """What readiness looks at; liveness is that the process answers at all."""

    journal: Journal
    is_connected: Callable[[], bool] = _yes  # to Slack, where the connection is ours to keep
    is_stopping: Event = field(default_factory=Event)

    def missing(self) -> tuple[str, ...]:
        """Return what keeps this process from taking work."""
        looks: Mapping[str, Callable[[], bool]] = {
            "stopping": lambda: not self.is_stopping.is_set(),
            "journal": lambda: is_in_place(self.journal.engine),
            "migrations": lambda: is_at_head(self.journal.engine),  # the database with them
            "slack": self.is_connected,
        }
        return tuple(name for name, is_well in looks.items() if not _is_well(is_well))


def _is_well(look: Callable[[], bool]) -> bool:
    try:
        return look()
    except Exception:  # noqa: BLE001 - whatever it was, this part is not well
        return False
