"""Long words of descriptions that somebody misspelt: "divisble" is meant for "divisible"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from bot.catalog.problem import Problem
from bot.diagnosis.words.lexicon import CLASSES

LEAST_LIKE = 92.0
"""Likeness, of 100, of a word with a letter too few or too many; another letter makes another word, as throughout."""

_WORD = re.compile(r"[A-Za-z]{8,24}")
_TERM = re.compile(r"(?<![\\a-z])[a-z]{8,24}(?![a-z]*[\[(?*+{])")


def key_terms(problems: Iterable[Problem]) -> tuple[str, ...]:
    """Return the long words that stand whole in descriptions and in the classes of words they name."""
    described = (wording.pattern for problem in problems for wording in problem.wordings if wording.kind != "message")
    classes = (word for words in CLASSES.values() for word in words)
    return tuple(sorted({term for text in (*described, *classes) for term in _TERM.findall(text)}))


def respell(text: str, terms: tuple[str, ...]) -> str:
    """Return a text with each long word that is nearly one of the terms written as that term.

    >>> respell("not divisble by 3", ("divisible",))
    'not divisible by 3'
    """
    return _WORD.sub(lambda found: _nearest(found[0].lower(), terms) or found[0], text)


@lru_cache(maxsize=1024)
def _nearest(word: str, terms: tuple[str, ...]) -> str | None:
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # needed only when nothing matched

    if word in terms:
        return None
    found = process.extractOne(word, terms, scorer=fuzz.ratio, score_cutoff=LEAST_LIKE)
    return found[0] if found else None
