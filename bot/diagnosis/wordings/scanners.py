"""The scanner of a knowledge base, made once a process."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bot.diagnosis.wordings.search import Hit, Scanner

if TYPE_CHECKING:
    from bot.catalog.load import Knowledge
    from bot.evidence import Line

_MOST_KEPT = 4
_kept: dict[int, tuple[Knowledge, Scanner]] = {}


def scanner_of(knowledge: Knowledge) -> Scanner:
    """Return the scanner of this very knowledge; a few of them are kept."""
    held = _kept.get(id(knowledge))
    if held is not None and held[0] is knowledge:
        return held[1]
    scanner = Scanner(knowledge.problems.values())
    while len(_kept) >= _MOST_KEPT:
        _kept.pop(next(iter(_kept)))
    _kept[id(knowledge)] = (knowledge, scanner)
    return scanner


def hits_in(knowledge: Knowledge, lines: Sequence[Line]) -> tuple[Hit, ...]:
    """Return what of the knowledge stands in a paste.

    Raises:
        KnowledgeError: A wording is no pattern.
    """
    with _naming_what_is_broken(knowledge):
        return scanner_of(knowledge).scan(lines)


def make_ready(knowledge: Knowledge) -> None:
    """Compile all wordings now, in a process that will read many pastes.

    Raises:
        KnowledgeError: A wording is no pattern.
    """
    with _naming_what_is_broken(knowledge):
        scanner_of(knowledge).warm()


@contextmanager
def _naming_what_is_broken(knowledge: Knowledge) -> Generator[None]:
    try:
        yield
    except (re.error, OverflowError, RecursionError) as error:
        raise _first_broken(knowledge) or error from None


def _first_broken(knowledge: Knowledge) -> Exception | None:
    from bot.catalog.load import complaint_on  # noqa: PLC0415  # reads YAML, for what is broken only
    from bot.diagnosis.wordings.unreadable import unreadable  # noqa: PLC0415

    faults = ((problem.id, *fault) for problem in knowledge.problems.values() for fault in unreadable(problem))
    found = next(faults, None)
    return complaint_on(found[0], ("wordings", found[1], "pattern"), found[2]) if found else None
