"""Words with two neighbouring letters swapped, as hasty fingers write them: "mmeory" can only be meant for "memory"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from bot.diagnosis.words.lexicon import CLASSES
from bot.reading.vocabulary import KNOWN_WORDS

SHORTEST = 5
"""Letters of a word that is put right: of four most orders are words, of some language or other."""

_SHORT = frozenset({"cuda", "does", "hang", "hung", "leak", "runs", "slow", "vllm", "vram"})
"""Shorter ones that our channels are full of."""

# A word of the lexicon: whole, or with its endings, "crash(?:es|ed|ing)?".
_TERM = re.compile(
    r"(?<![\\a-z\[])(?P<stem>[a-z]{3,24})(?:\(\?:(?P<endings>[a-z|?]{1,40})\)(?P<may_lack>\??))?(?![a-z\[?*+{])"
)
# Orders of letters that are words themselves.
_WORDS = frozenset({"alter", "angel", "boost", "caret", "conic", "crate", "crates", "dose", "planet", "quite", "reset", "tired", "trail", "urns"})  # fmt: skip
_WORD = re.compile(r"(?<![\w/.-])[A-Za-z]{4,24}(?![\w/]|[.-]\w)")


def put_right(text: str) -> str:
    """Return a text with each such word as it was meant; names, paths and flags stay as they are.

    >>> put_right("vllm rnus out of mmeory, why?")
    'vllm runs out of memory, why?'
    """
    return _WORD.sub(lambda found: _meant(found[0].lower()) or found[0], text)


@lru_cache(maxsize=4096)
def _meant(word: str) -> str | None:
    """Return the one word that a wrong order of letters is meant for."""
    terms = _known()
    meant = (
        {order for order in _swapped(word) if order in terms}
        if word not in terms and word not in _WORDS
        else set[str]()
    )
    return meant.pop() if len(meant) == 1 else None


@cache
def _known() -> frozenset[str]:
    return frozenset(_terms())


def _terms() -> Iterator[str]:
    for words in CLASSES.values():
        for found in (match for word in words for match in _TERM.finditer(word)):
            endings = (found["endings"] or "").split("|")
            ended = [found["stem"] + written for ending in endings for written in _with_and_without(ending)]
            yield from filter(_is_long, [*ended, *([found["stem"]] if found["may_lack"] else ())])
    yield from (word for word in KNOWN_WORDS if word.isalpha() and len(word) >= SHORTEST)
    yield from _SHORT


def _with_and_without(ending: str) -> tuple[str, ...]:
    """Return both endings of "es?"."""
    return (ending[:-1], ending[:-2]) if ending.endswith("?") else (ending,)


def _is_long(word: str) -> bool:
    return len(word) >= SHORTEST


def _swapped(word: str) -> Iterator[str]:
    for place in range(len(word) - 1):
        first, second = word[place], word[place + 1]
        if first != second:
            yield word[:place] + second + first + word[place + 2 :]
