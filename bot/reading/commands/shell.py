"""What a shell makes of a line: words, quotes, operators, remarks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from bot.evidence import Line

COMMENT = re.compile(r"\s(?:#\s|(?=\([^()'\"]{1,200}\)\s{0,20}\Z))")
"""Where a command ends and a person's remark begins: a comment of the shell, or brackets at the end of the line."""

CONTINUED = re.compile(r"[\\^`]\s*\Z")
_LOST_BREAK = re.compile(r"\\(?=\s{1,40}-)")  # a continued line whose break was lost
_WORD = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+|["']\S*""")
_OPERATOR = re.compile(r"(?:[|;&]{1,2}|\d?>{1,2}(?:&\d)?.*|#.*|`)\Z")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|\\(.)")


def is_operator(word: str) -> bool:
    """Return whether a word ends a command: a pipe, a redirection, the beginning of a remark."""
    return _OPERATOR.match(word) is not None


def scan_words(text: str) -> Iterator[tuple[str, int, int]]:
    r"""Yield the words of a text as the shell would pass them, and where each begins and ends.

    >>> [word for word, _, _ in scan_words(r"serve 'a b' \ --flag")]
    ['serve', 'a b', '--flag']
    """
    text = _LOST_BREAK.sub(" ", text)
    for found in _WORD.finditer(text):
        yield _unquote(found[0]), found.start(), found.end()


def split_words(block: Sequence[Line]) -> list[tuple[str, Line]]:
    """Return the words of a command with their lines; JSON in quotes is one word."""
    texts = [CONTINUED.sub("", COMMENT.split(line.text, maxsplit=1)[0]) + " \n" for line in block]
    starts = list(zip(accumulate(map(len, texts), initial=0), block, strict=False))
    words: list[tuple[str, Line]] = []
    place = 0
    for word, begin, _ in scan_words("".join(texts)):
        while place + 1 < len(starts) and starts[place + 1][0] <= begin:
            place += 1
        words.append((word, starts[place][1]))
    return words


def _unquote(word: str) -> str:
    """Return a word as the shell would pass it."""
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    return _QUOTED.sub(_unquote_part, word)


def _unquote_part(found: re.Match[str]) -> str:
    if found[1] is not None:
        return re.sub(r"\\([\"\\$`])", r"\1", found[1])
    return found[2] if found[2] is not None else found[3]
