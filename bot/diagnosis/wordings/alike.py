"""Which problem an error looks like when no wording matches exactly: misspelt, torn, read off a photo."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from bot.catalog.problem import Problem, Wording
from bot.diagnosis.verdict import Match
from bot.diagnosis.wordings.patterns import PASTE_SEPARATOR, settle, skeleton
from bot.diagnosis.wordings.ranking import LEAST_TELLING
from bot.evidence import Line

CUTOFF = 84.0
"""Likeness below which two messages have only common words in common."""

MARGIN = 4.0
"""What the best problem must be ahead of the second; nearer ones are told apart by nothing."""

SHORTEST = 28
"""Characters that a message needs to be likened to: of shorter ones (“X is not supported”) most is common to many."""

FEWEST_WORDS = 4
"""Words that it needs: fewer are the name of a flag or an exception, which stands in many lines."""

MOST_TEXT = 8 * 1024
MOST_LINES = 100

_ERRORISH = re.compile(
    r"""err[o0]r | except | fail | cannot | n[o0]t\b | unable | mem[o0]ry | mernory | exceed | larger | invalid | sup+ort
      | divis | need | kill | time | only | require | least | must | missing | denied | refus | dead | abort | assert""",
    re.VERBOSE | re.IGNORECASE,
)

_SETTING = re.compile(r"(?:^|\s)--[a-z][\w-]+[ =]\S|^\s*[\w.-]+:\s\S+$", re.ASCII)

# What a camera or a careless hand confuses, made one: rn and m, I and l and 1, O and 0, Z and 2, S and 5.
_LOOKS = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "!": "l", "5": "s", "2": "z", "`": "'", "’": "'"})


def fold(text: str) -> str:
    """Return a text with look-alike characters made one.

    >>> fold("avaiIabIe rnemory") == fold("available memory")
    True
    """
    return settle(text).lower().translate(_LOOKS).replace("rn", "m")


def find_alike(problems: Iterable[Problem], lines: Sequence[Line]) -> tuple[Match, ...]:
    """Return the one problem that the error lines look like, or nothing when none or several come near."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # needed only when nothing matched

    candidates = list(_candidates(problems))
    texts = [text for _, _, text in candidates]
    best: dict[str, Match] = {}
    for line, text in errorish(lines):
        for _, score, place in process.extract(
            text, texts, scorer=fuzz.partial_ratio, score_cutoff=CUTOFF - MARGIN, limit=4
        ):
            problem, wording, known = candidates[place]
            if len(text) < 0.6 * len(known):
                continue
            held = best.get(problem.id)
            if held is None or score > held.similarity:
                best[problem.id] = Match(problem=problem, wording=wording, line=line, is_exact=False, similarity=score)
    ranked = sorted(best.values(), key=lambda match: -match.similarity)
    if not ranked or ranked[0].similarity < CUTOFF or _is_close(ranked):
        return ()
    return tuple(ranked)


def _is_close(ranked: Sequence[Match]) -> bool:
    """Return whether the second problem is too near to tell; one that the first outranks is no rival."""
    if len(ranked) < 2:
        return False
    first, second = ranked[:2]
    is_rival = second.problem.id not in first.problem.outranks and second.problem.role == first.problem.role
    return is_rival and first.similarity - second.similarity < MARGIN


def _candidates(problems: Iterable[Problem]) -> Iterator[tuple[Problem, Wording, str]]:
    """Yield the texts that a line may be likened to; one that several problems' wordings hold tells none of them."""
    active = [
        problem for problem in problems if problem.status == "active" and problem.role in {"cause", "consequence"}
    ]
    offers = [
        (problem, wording, text)
        for problem in active
        for wording in problem.wordings
        if wording.kind == "message" and wording.weight >= LEAST_TELLING  # what any may print is like any
        for text in _texts(wording.pattern)
    ]
    holders: dict[str, set[str]] = {}
    for problem, _, text in offers:
        holders.setdefault(text, set()).add(problem.id)
    return (offer for offer in offers if len(holders[offer[2]]) == 1)


@lru_cache(maxsize=8192)
def _texts(pattern: str) -> tuple[str, ...]:
    texts = [fold(skeleton(part)) for part in pattern.split(PASTE_SEPARATOR)]
    return tuple(text for text in texts if len(text) >= SHORTEST and len(text.split()) >= FEWEST_WORDS)


def errorish(lines: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """Yield the lines that tell of an error, folded; a few KB at most."""
    spent = 0
    for line in [line for line in lines if _is_errorish(line)][-MOST_LINES:]:
        text = fold(line.message)[:600]
        spent += len(text)
        if spent > MOST_TEXT:
            return
        yield line, text


def _is_errorish(line: Line) -> bool:
    """Return whether a line may tell of an error; INFO records, commands and settings do not."""
    if line.level in {"INFO", "DEBUG"} or len(line.text) < SHORTEST or _SETTING.search(line.text):
        return False
    return bool(_ERRORISH.search(line.text))
