"""Whether a pattern keeps to the common regular subset and runs in linear time, shown by its structure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from re import _constants as codes  # pyright: ignore[reportAttributeAccessIssue]  # the parser that `re` itself uses
from re import _parser as parser  # pyright: ignore[reportAttributeAccessIssue]
from typing import Any

from bot.diagnosis.wordings.patterns import flexible

NO_PATTERN = "is no regular expression"

MOST_GAP = 6400
"""The product of the bounds of a pattern's gaps: the steps that one start may cost at worst."""

_ALPHABET = [chr(code) for code in range(9, 127)]
_COUNTED_SPACE = re.compile(r"(?<!\\)[ ][?*+{]")
_WHITE = frozenset(character for character in _ALPHABET if character.isspace())
"""On a settled line white space never runs, so repeats of it are bounded."""
_IRREGULAR = {
    codes.ASSERT: "looks ahead or behind",
    codes.ASSERT_NOT: "looks ahead or behind",
    codes.GROUPREF: "refers back to a group",
    codes.GROUPREF_EXISTS: "depends on a group",
    codes.POSSESSIVE_REPEAT: "has a possessive repeat",
    codes.ATOMIC_GROUP: "has an atomic group",
}
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)


def objections(pattern: str) -> tuple[str, ...]:
    r"""Return what is wrong with a pattern, one clause each; nothing when it may be used.

    >>> objections(r"No available memory for the cache blocks")
    ()
    >>> objections(r"memory.*cache .*blocks")[0]
    'lets . run without bound; write .{0,80} or name the characters'
    """
    try:
        parsed = parser.parse(flexible(pattern), re.IGNORECASE | re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        return (f"{NO_PATTERN}: {error}",)
    return tuple(dict.fromkeys([*_counted_spaces(pattern), *_irregular(parsed), *_unbounded(parsed), *_wide(parsed)]))


def _counted_spaces(pattern: str) -> Iterator[str]:
    """Yield an objection when a space is counted: it stands for any run of white space already."""
    if _COUNTED_SPACE.search(pattern):
        yield r"counts a space, which stands for any run of white space already; write \s? or \s*"


def _items(parsed: Iterable[Any]) -> Iterator[Any]:
    """Yield every item of a pattern, those inside groups and repeats included."""
    for item in parsed:
        yield item
        for inner in _inside(item):
            yield from _items(inner)


def _inside(item: Any) -> Sequence[Any]:
    code, value = item
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code in _REPEATS:
        return [value[2]]
    return list(value[1]) if code is codes.BRANCH else []


def _irregular(parsed: Any) -> Iterator[str]:
    return (_IRREGULAR[code] for code, _ in _items(parsed) if code in _IRREGULAR)


def _wide(parsed: Any) -> Iterator[str]:
    """Yield an objection when gaps multiply to too many steps."""
    steps = 1
    for code, value in _items(parsed):
        if code in _REPEATS and value[1] is not codes.MAXREPEAT and len(_first(value[2])) > 64:
            steps *= max(1, value[1] - value[0])
    if steps > MOST_GAP:
        yield f"has gaps that multiply to {steps:,} steps; keep the product of their bounds under {MOST_GAP:,}"


def _unbounded(parsed: Any, before: Sequence[Any] = ()) -> Iterator[str]:
    """Yield an objection for each endless repeat that can be entered at many places of one run of text.

    A repeat is linear when whatever stands before it cannot itself stand inside the run that it takes.
    """
    passed = list(before)
    for item in parsed:
        code, value = item
        if code in _REPEATS and value[1] is codes.MAXREPEAT:
            yield from _judge(value[2], passed)
        for inner in _inside(item):
            yield from _unbounded(inner, passed)
        passed.append(item)


def _judge(repeated: Any, before: Sequence[Any]) -> Iterator[str]:
    taken = {character for item in _items(repeated) for character in _characters(item)}
    if any(map(_is_endless, repeated)):
        yield "repeats a repeat without bound"
    elif len(taken) > 64:
        yield "lets . run without bound; write .{0,80} or name the characters"
    elif not taken <= _WHITE and not _is_fenced(taken, before):
        yield "has an endless repeat that may begin anywhere in its own run; put \\b or other text before it"


def _is_fenced(taken: set[str], before: Sequence[Any]) -> bool:
    """Return whether a run of `taken` is entered at a bounded number of places.

    Text that cannot stand in the run marks its beginning. Single characters that may stand in it only shift the
    place; another endless repeat of them, or the pattern's own beginning, lets every place of the run be tried.
    """
    for item in reversed(before):
        if item[0] is codes.AT:
            return len({_is_word(character) for character in taken}) == 1
        if not _last(item) & taken:
            if not _is_optional(item):
                return True
        elif _is_endless(item):
            return False
    return False


def _is_endless(item: Any) -> bool:
    return any(code in _REPEATS and value[1] is codes.MAXREPEAT for code, value in _items([item]))


def _is_optional(item: Any) -> bool:
    code, value = item
    if code in _REPEATS:
        return value[0] == 0 or all(map(_is_optional, value[2]))
    if code is codes.SUBPATTERN:
        return all(map(_is_optional, value[3]))
    if code is codes.BRANCH:
        return any(all(map(_is_optional, branch)) for branch in value[1])
    return code is codes.AT


def _first(parsed: Any) -> set[str]:
    """Return the characters that a sequence may begin with."""
    found: set[str] = set()
    for item in parsed:
        found |= _edge(item, _first)
        if not _is_optional(item):
            break
    return found


def _last(item: Any) -> set[str]:
    """Return the characters that an item may end with."""
    return _edge(item, _last_of)


def _last_of(parsed: Any) -> set[str]:
    found: set[str] = set()
    for item in reversed(list(parsed)):
        found |= _last(item)
        if not _is_optional(item):
            break
    return found


def _edge(item: Any, of: Any) -> set[str]:
    inside = _inside(item)
    return set().union(*map(of, inside)) if inside else _characters(item)


def _characters(item: Any) -> set[str]:
    """Return the characters that a single-character item matches."""
    code, value = item
    if code is codes.LITERAL:
        return {chr(value).lower(), chr(value).upper()}
    if code is codes.ANY:
        return set(_ALPHABET)
    if code is codes.NOT_LITERAL:
        return {character for character in _ALPHABET if character != chr(value)}
    return {character for character in _ALPHABET if _is_in(value, character)} if code is codes.IN else set()


def _is_in(members: Sequence[Any], character: str) -> bool:
    negated = members[0][0] is codes.NEGATE
    return negated is not any(_is_member(code, value, character) for code, value in members[negated:])


def _is_member(code: Any, value: Any, character: str) -> bool:
    if code is codes.LITERAL:
        return chr(value).lower() == character.lower()
    if code is codes.RANGE:
        return any(value[0] <= ord(form) <= value[1] for form in (character.lower(), character.upper()))
    return _CATEGORIES[value](character) if code is codes.CATEGORY else False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _no(claim: Callable[[str], bool]) -> Callable[[str], bool]:
    return partial(_denies, claim)


def _denies(claim: Callable[[str], bool], character: str) -> bool:
    return not claim(character)


_CATEGORIES: Mapping[Any, Callable[[str], bool]] = {
    codes.CATEGORY_DIGIT: str.isdigit,
    codes.CATEGORY_NOT_DIGIT: _no(str.isdigit),
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_NOT_SPACE: _no(str.isspace),
    codes.CATEGORY_WORD: _is_word,
    codes.CATEGORY_NOT_WORD: _no(_is_word),
}
