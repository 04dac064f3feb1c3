"""What a wording's pattern promises: the regex it compiles to, and the text without which it cannot match."""

from __future__ import annotations

import re
from functools import lru_cache
from re import _constants as codes  # pyright: ignore[reportAttributeAccessIssue]  # the parser that `re` itself uses
from re import _parser as parser  # pyright: ignore[reportAttributeAccessIssue]
from typing import Any

from bot.diagnosis.wordings.bare_text import bare_text
from bot.diagnosis.words.lexicon import expand, names_a_class

SHORTEST_LITERAL = 6
"""Shorter text stands on too many healthy lines to be worth looking for first."""

SHORTEST_WORD = 3
"""Where nothing longer is promised; such wordings are people's words, looked for where people write."""

TELLING_LITERAL = 10
"""Of so long a text nobody asks whether a group promises a longer one."""

PASTE_SEPARATOR = " … "

SHOWN = "<shown>"
"""Begins a part of a description that need not be said: it may stand in a log, a command or an output."""

SUBJECT = "<vllm>"
"""A part of a description that says only what it is about; a log or a command tells that as well."""

OUT_OF_MEMORY = "<oom>"
"""A part of a message that asks only whether memory ran out: an exception says so, or a person, wherever it stands."""

UNSOUGHT = frozenset({SUBJECT, OUT_OF_MEMORY})
"""Parts that are asked of the whole page."""

# An escape, a bracket expression, or a run of white space: only the last one is rewritten.
_PIECE = re.compile(
    r"""
    (?P<escape>\\.)                       # an escaped character stays
    | (?P<bracket>\[\^?\]?(?:\\.|[^\]\\])*\])  # so does a bracket expression, whatever stands in it
    | (?P<space>[ \t\n]+)                 # a run of white space stands for any other
    """,
    re.VERBOSE | re.DOTALL,
)

_PLAIN = re.compile(r"[A-Za-z0-9 ,:;'\"/@=!%&_-]+")
"""A pattern that is a text: a fourth of them, and nothing has to be parsed to see what it promises."""

_BRACKETS = re.compile(r"\\.|\[[^\]]*\]|[()|]|[^\\\[()|]+", re.DOTALL)


def flexible(pattern: str) -> str:
    r"""Return `pattern` with its classes of words written out and each run of white space standing for any run of it.

    >>> flexible("cache  blocks [a b]")
    'cache\\s+blocks\\s+[a b]'
    """
    return _PIECE.sub(lambda found: r"\s+" if found["space"] else found[0], expand(pattern.strip().removeprefix(SHOWN)))


@lru_cache(maxsize=8192)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return the regex of a wording, compiled when it is first needed.

    Raises:
        re.error: The pattern is no regular expression.
    """
    return re.compile(flexible(pattern), re.IGNORECASE | re.ASCII | re.DOTALL)


@lru_cache(maxsize=2048)
def alternatives(pattern: str) -> tuple[str, ...]:
    r"""Return the patterns that a choice between classes of words is made of, so that each class is compiled once.

    >>> alternatives("(?:<slow>|<stuck>|late|never)")
    ('<slow>', '<stuck>', '(?:late|never)')
    """
    if not (pattern.startswith("(?:") and pattern.endswith(")") and names_a_class(pattern)):
        return (pattern,)
    offers = _split(pattern[3:-1])
    if offers is None:
        return (pattern,)
    plain = [offer for offer in offers if not names_a_class(offer)]
    return (*(offer for offer in offers if names_a_class(offer)), *([f"(?:{'|'.join(plain)})"] if plain else []))


def search(pattern: str, text: str, start: int = 0) -> re.Match[str] | None:
    """Return a match of a wording's part in a text, from a place on."""
    found = (compile_pattern(offer).search(text, start) for offer in alternatives(pattern))
    return next((match for match in found if match), None)


def _split(inside: str) -> list[str] | None:
    """Return the offers of a choice, or None when its first bracket is not closed by its last."""
    offers, depth = [""], 0
    for piece in _BRACKETS.findall(inside):
        depth += (piece == "(") - (piece == ")")
        if depth < 0:
            return None
        if piece == "|" and depth == 0:
            offers.append("")
        else:
            offers[-1] += piece
    return offers


@lru_cache(maxsize=8192)
def required_literals(pattern: str) -> tuple[str, ...]:
    r"""Return lower-case texts of which one must stand in whatever `pattern` matches; none when it promises nothing.

    White space in them is one space, as in a line made ready by `settle`.

    >>> required_literals(r"warming up sampler with (?P<n>\d+) dummy")
    ('warming up sampler with',)
    """
    return _literals(pattern, SHORTEST_LITERAL)


@lru_cache(maxsize=8192)
def likely_literals(pattern: str) -> tuple[str, ...]:
    r"""Return what a pattern cannot do without, taking short words where it has no long ones.

    >>> likely_literals(r"\b(?:why|how come)\b")
    ('why', 'how come')
    """
    return _literals(pattern, SHORTEST_LITERAL, SHORTEST_WORD)


def _literals(pattern: str, *lengths: int) -> tuple[str, ...]:
    """Return the literals that have the first of these lengths at least, or else the next."""
    if names_a_class(pattern.removeprefix(SHOWN)):  # its words are too many and too short to look for first
        return ()
    if _PLAIN.fullmatch(pattern):
        text = " ".join(pattern.split()).lower()
        return (text,) if len(text) >= min(lengths) else ()
    if len(text := bare_text(pattern.strip().removeprefix(SHOWN))) >= TELLING_LITERAL:
        return (text,)
    parsed = parser.parse(flexible(pattern), re.IGNORECASE | re.ASCII)
    best = next(filter(None, (_best(parsed, shortest) for shortest in lengths)), ())
    return tuple(dict.fromkeys(literal.strip() for literal in best))


def _best(parsed: Any, shortest: int) -> tuple[str, ...]:
    """Return the most telling alternatives of a concatenation."""
    offers = [*_runs(parsed), *(offer for item in parsed if (offer := _inner(item, shortest)))]
    useful = [offer for offer in offers if offer and min(len(literal.strip()) for literal in offer) >= shortest]
    return max(useful, key=lambda offer: (min(map(len, offer)), -len(offer)), default=())


def _runs(parsed: Any) -> list[tuple[str, ...]]:
    """Return the literal runs of a concatenation, each an offer of one alternative."""
    runs, run = [], ""
    for item in parsed:
        piece = _piece(item)
        if piece is None:
            runs.append((run,))
            run = ""
        else:
            run += piece
    return [*runs, (run,)]


def _piece(item: Any) -> str | None:
    """Return the text that an item always matches, or None."""
    code, value = item
    if code is codes.LITERAL and value < 128:
        return chr(value).lower()
    if (
        code is codes.MAX_REPEAT
        and value[0] == 1
        and list(value[2]) == [(codes.IN, [(codes.CATEGORY, codes.CATEGORY_SPACE)])]
    ):
        return " "
    if code is codes.AT:
        return ""
    return None


def _inner(item: Any, shortest: int) -> tuple[str, ...]:
    """Return the best alternatives inside a group, a branch or a repeat that must occur."""
    code, value = item
    if code is codes.SUBPATTERN:
        return _best(value[3], shortest)
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT) and value[0] >= 1:
        return _best(value[2], shortest)
    if code is codes.BRANCH:
        offers = [_best(branch, shortest) for branch in value[1]]
        return tuple(literal for offer in offers for literal in offer) if all(offers) else ()
    return ()


def settle(text: str) -> str:
    """Return a line without quote marks and borders at its ends, each run of white space as one space.

    >>> settle("> │  ERROR   here  │")
    'ERROR here'
    """
    return " ".join(text.split()).lstrip("> │┃").rstrip(" │┃")


@lru_cache(maxsize=8192)
def skeleton(pattern: str) -> str:
    """Return the text of a pattern without its variable parts, for likeness."""
    return settle(" ".join(literal_runs(pattern)))


@lru_cache(maxsize=8192)
def literal_runs(pattern: str) -> tuple[str, ...]:
    r"""Return the texts between the variable parts of a pattern, of a choice the first.

    >>> literal_runs(r"warming up sampler with \d+ (?:dummy|other) requests")
    ('warming up sampler with ', ' dummy requests')
    """
    return tuple(run for (run,) in _runs(_flatten(parser.parse(flexible(pattern), re.IGNORECASE))) if run)


def _flatten(parsed: Any) -> list[Any]:
    flat: list[Any] = []
    for item in parsed:
        code, value = item
        if code is codes.SUBPATTERN:
            flat.extend(_flatten(value[3]))
        elif code is codes.BRANCH:
            flat.extend(_flatten(value[1][0]))
        else:
            flat.append(item)
    return flat
