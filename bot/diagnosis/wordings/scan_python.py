"""Which patterns may stand in a page, in pure Python: by the text each of them cannot do without."""

from __future__ import annotations

from collections.abc import Sequence

from bot.diagnosis.wordings.page import Page
from bot.diagnosis.wordings.patterns import likely_literals


def patterns_in(patterns: Sequence[str], page: Page) -> frozenset[str]:
    """Return the patterns whose required text stands in the page; those that promise nothing are always among them."""
    flat, mended = page.flat, page.mended
    return frozenset(
        pattern
        for pattern in patterns
        if not (literals := likely_literals(pattern)) or any(text in flat or text in mended for text in literals)
    )
