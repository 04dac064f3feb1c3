"""Which patterns may stand in a page, found in one pass by hyperscan: by the text each of them cannot do without.

Hyperscan looks for the literals only; the regexes run in Python on the lines that hold one. Compiled together as
regexes, several hundred wordings with bounded gaps take hyperscan over a minute; their literals take it 10 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from threading import local
from typing import Any

from bot.diagnosis.wordings.page import Page
from bot.diagnosis.wordings.patterns import likely_literals

IS_AVAILABLE = find_spec("hyperscan") is not None


@dataclass(frozen=True)
class Database:
    """The literals of many patterns, compiled together; patterns without any are always taken for present."""

    bare: frozenset[str]
    owners: tuple[tuple[str, ...], ...]  # by literal: the patterns that it speaks for
    compiled: Any
    # Two threads must not scan with the same scratch space: hyperscan then refuses the second.
    scratch: local = field(default_factory=local, compare=False, repr=False)

    def patterns_in(self, page: Page) -> frozenset[str]:
        """Return the patterns that may stand in the page, wrapped or not."""
        texts = (text.encode("utf-8", "surrogatepass") for text in (page.flat, page.mended))
        return self.bare.union(*(self.patterns_of(text) for text in texts))

    def patterns_of(self, text: bytes) -> frozenset[str]:
        """Return the patterns whose required text stands in a lower-case text."""
        seen: set[int] = set()

        def note(number: int, _start: int, _end: int, _flags: int, _context: object) -> None:
            seen.add(number)

        if self.compiled is not None:
            self.compiled.scan(text or b"\n", match_event_handler=note, scratch=self._scratch())
        return frozenset().union(*(self.owners[number] for number in seen))

    def _scratch(self) -> Any:
        """Return this thread's own scratch space."""
        if not hasattr(self.scratch, "own"):
            import hyperscan  # noqa: PLC0415  # heavy, and not needed for a short paste

            self.scratch.own = hyperscan.Scratch(self.compiled)
        return self.scratch.own


def compile_database(patterns: Sequence[str]) -> Database:
    """Compile the literals of `patterns`; their text is lower case, as a page's is."""
    owners: dict[str, list[str]] = {}
    bare: set[str] = set()
    for pattern in patterns:
        literals = likely_literals(pattern)
        if not literals:
            bare.add(pattern)
        for literal in literals:
            owners.setdefault(literal, []).append(pattern)
    return Database(frozenset(bare), tuple(map(tuple, owners.values())), _compile(list(owners)))


def _compile(literals: Sequence[str]) -> Any:
    if not literals:
        return None
    import hyperscan  # noqa: PLC0415  # heavy, and not needed for a short paste

    database = hyperscan.Database()
    database.compile(
        expressions=[literal.encode() for literal in literals],
        ids=list(range(len(literals))),
        elements=len(literals),
        flags=hyperscan.HS_FLAG_SINGLEMATCH,
        literal=True,
    )
    return database
