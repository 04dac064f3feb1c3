"""The releases of vLLM that something lives in."""

from __future__ import annotations

from pydantic import model_validator

from bot.deployment import VllmVersion
from bot.frozen import Frozen


def refuse_a_backward_range(since: VllmVersion | None, until: VllmVersion | None) -> None:
    """Refuse versions of which the last comes before the first.

    Raises:
        ValueError: They do.
    """
    if since and until and since > until:
        raise ValueError(f"begins with {since}, after its end {until}; write since and until the other way round")


class Versions(Frozen):
    """The vLLM versions, both ends included, that a wording or fix lives in."""

    since: VllmVersion | None = None
    until: VllmVersion | None = None

    @model_validator(mode="after")
    def _is_a_range(self) -> Versions:
        refuse_a_backward_range(self.since, self.until)
        return self

    def include(self, version: VllmVersion | None) -> bool | None:
        """Return whether `version` is in range; None when the version is unknown and the range is not open."""
        if version is None:
            return True if self.since is None and self.until is None else None
        return not (self.since and version < self.since) and not (self.until and version > self.until)

    def shared_with(self, other: Versions) -> Versions | None:
        """Return the versions in both ranges; None when there are none."""
        since = max((each for each in (self.since, other.since) if each), default=None)
        until = min((each for each in (self.until, other.until) if each), default=None)
        return None if since and until and since > until else Versions(since=since, until=until)
