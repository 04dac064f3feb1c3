"""Characters that nobody sees."""

from __future__ import annotations

import pytest

from bot.reading.noise.invisible import without_invisible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[36mhf\x1b[0m_x", "hf_x"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
        ("a\u200bb\ufeffc", "abc"),
        ("a\x00b\x08c", "abc"),
        ("a\u00a0b", "a b"),
        ("a\x0bb\x0cc", "a b c"),
        ("a\tb\r\nc", "a\tb\r\nc"),
    ],
)
def test_only_what_is_seen_is_left(text: str, seen: str) -> None:
    assert seen == without_invisible(text)
