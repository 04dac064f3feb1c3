"""Which patterns may stand in a page, in pure Python: by the text each of them cannot do without."""

from __future__ import annotations

from collections.abc import Sequence

from bot.diagnosis.wordings.page import Page
from bot.diagnosis.wordings.patterns import likely_literals


def patterns_in(patterns: Sequence[str], page: Page) -> frozenset[str]:
    """Return the patterns whose required text stands in the page; those that promise nothing are always among them."""
    texts = [_Text(page.flat), _Text(page.mended)]
    return frozenset(
        pattern
        for pattern in patterns
        if not (literals := likely_literals(pattern)) or any(literal in text for literal in literals for text in texts)
    )


class _Text:
    """A text in which many literals are looked for: by their whole words first, then in each word of it once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = frozenset(text.replace("\n", " ").split(" "))
        self._vocabulary = " ".join(self._words)

    def __contains__(self, literal: str) -> bool:
        """Return whether a text with single spaces stands in this one; its first and last word may be parts of words."""
        first, *inner = literal.split(" ")
        if not inner:
            return first in self._vocabulary
        *whole, last = inner
        return (
            self._words.issuperset(whole)
            and first in self._vocabulary
            and last in self._vocabulary
            and literal in self._text
        )
