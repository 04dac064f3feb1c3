"""Patterns that are compiled when they are first needed: of hundreds of them one paste needs a few."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property


class Late:
    """A pattern, not yet compiled.

    Args:
        source: The pattern.
        flags: As `re.compile` takes them.
        signs: In small letters; one of them stands in all that the pattern finds, so that other texts never compile it.
            A blank in one stands for any space between words.
    """

    def __init__(self, source: str, flags: re.RegexFlag = re.NOFLAG, *, signs: tuple[str, ...] = ()) -> None:
        self.source = source
        self.flags = flags
        self.signs = signs
        self._has_blanks = any(" " in sign for sign in signs)

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The pattern, compiled once."""
        return re.compile(self.source, self.flags)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first place that it matches, if any."""
        return self.regex.search(text) if self._may_stand_in(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return its match at the beginning, if any."""
        return self.regex.match(text) if self._may_stand_in(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return every place that it matches."""
        return self.regex.finditer(text) if self._may_stand_in(text) else iter(())

    def sub(self, instead: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """Return the text with what it finds replaced; the first `count` places, or with 0 all."""
        return self.regex.sub(instead, text, count) if self._may_stand_in(text) else text

    def _may_stand_in(self, text: str) -> bool:
        if not self.signs:
            return True
        text = f" {' '.join(text.lower().split())} " if self._has_blanks else text.lower()
        return any(sign in text for sign in self.signs)
