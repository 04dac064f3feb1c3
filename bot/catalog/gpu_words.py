"""Which words of a sentence are the whole name of a card or a cloud machine in knowledge/gpus."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from bot.catalog.gpu_rows import cards, instances

_PIECE = re.compile(r"\d{1,4}[x×](?=[A-Za-z])|[A-Za-z0-9]+")  # a count may be joined to a name: "8xA100"
_COUNT = re.compile(r"\d{1,4}[x×]\Z")
_GAP = re.compile(r"[\s_-]|\+ ")
_MEMORY = re.compile(r"\d{1,3}gb?\Z")
_MAKERS = frozenset({"nvidia", "tesla", "geforce", "quadro", "grid", "amd", "instinct", "radeon", "intel", "vgpu"})
_ENDS = frozenset({"generation", "edition", "gpu"})
_PLAIN = re.compile(r"[\w +-]+")
_BEFORE, _BEHIND = re.compile(r"[\w./:@=-]\Z"), re.compile(r"[\w/]|[-.=]\w")


class Place(NamedTuple):
    """Where a name begins and ends."""

    start: int
    end: int


def find_machine(text: str) -> Place | None:
    """Return where a cloud machine stands whose name is no card's: "a3-highgpu-8g", "gpu-h100x8-640gb"; the longest."""
    low = text.lower()
    found = (Place(low.find(name), low.find(name) + len(name)) for name in _machines() if name in low)
    whole = [place for place in found if _is_apart(low, place)]
    return max(whole, key=lambda place: place.end - place.start, default=None)


@cache
def _machines() -> tuple[str, ...]:
    """Some clouds call a machine by its card's name, which says nothing of a machine."""
    return tuple(name for name in instances() if re.search(r"[._=-]|\sx\d", name))


def find_card_words(text: str) -> Place | None:
    """Return where the first name of two words or more stands, its maker among them, without the memory at its end.

    >>> text = "on 2x Tesla V100-PCIE-32GB"
    >>> text[slice(*find_card_words(text) or ())]
    'Tesla V100-PCIE'
    """
    pieces = list(_PIECE.finditer(text))
    words = [piece[0].lower() for piece in pieces]
    for first, word in enumerate(words):
        for name in _names().get(word, ()):
            behind = first + len(name)
            if tuple(words[first:behind]) == name and (place := _whole(text, pieces, first, behind)):
                return place
    return None


def has_size(name: str, gib: int) -> bool:
    """Return whether a card of this name is sold with so many gibibytes.

    >>> has_size("A100", 40), has_size("A100", 24)
    (True, False)
    """
    wanted = _words(name.lower())
    return any(
        wanted and wanted == _words(row.card.name)[: len(wanted)] and f"{gib}GB" in row.card.name.split()
        for row in cards()
        if not row.mig
    )


def _whole(text: str, pieces: list[re.Match[str]], first: int, behind: int) -> Place | None:
    """Return where the words from `first` up to `behind` stand with their maker and end, if that is a name by itself."""
    while first and pieces[first - 1][0].lower() in _MAKERS and _are_joined(text, pieces[first - 1 : first + 1]):
        first -= 1
    while (
        behind < len(pieces)
        and pieces[behind][0].lower() in _ENDS
        and _are_joined(text, pieces[behind - 1 : behind + 1])
    ):
        behind += 1
    place = Place(pieces[first].start(), pieces[behind - 1].end())
    is_counted = first > 0 and _COUNT.match(pieces[first - 1][0]) and pieces[first - 1].end() == place.start
    is_apart = _are_joined(text, pieces[first:behind]) and (is_counted or _is_apart(text, place))
    return place if is_apart and behind - first > 1 else None  # a word by itself may be anything


def _are_joined(text: str, pieces: list[re.Match[str]]) -> bool:
    return all(_GAP.fullmatch(text[one.end() : other.start()]) for one, other in pairwise(pieces))


def _is_apart(text: str, place: Place) -> bool:
    """Return whether no longer word goes on around a place; a memory may."""
    behind = text[place.end :]
    is_memory = re.match(r"[-_]\d{1,3}(?:gi?b?)?(?![\w-])", behind, re.IGNORECASE) is not None
    return not _BEFORE.search(text[: place.start]) and (is_memory or not _BEHIND.match(behind))


@cache
def _names() -> dict[str, list[tuple[str, ...]]]:
    """Names as words, by their first, the longest first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for row in cards():
        for spelt in (row.card.name, *row.prints, *row.also):
            words = _words(spelt) if not row.mig else ()
            if words and words not in found.setdefault(words[0], []):
                found[words[0]].append(words)
    for names in found.values():
        names.sort(key=len, reverse=True)
    return found


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a card's name, without its maker, its memory and what every card is."""
    words = _PIECE.findall(name.lower()) if _PLAIN.fullmatch(name) else []
    while words and words[0] in _MAKERS:
        words = words[1:]
    while words and (words[-1] in _ENDS or _MEMORY.match(words[-1])):
        words = words[:-1]
    return tuple(words)
