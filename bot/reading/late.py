"""Patterns that are compiled when they are first needed: of hundreds of them one paste needs a few."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Late:
    """A pattern, not yet compiled."""

    source: str
    flags: re.RegexFlag = re.NOFLAG

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The pattern, compiled once."""
        return re.compile(self.source, self.flags)
