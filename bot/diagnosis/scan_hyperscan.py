"""Which patterns may stand in a page, found in one pass by hyperscan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from bot.diagnosis.page import Page
from bot.diagnosis.patterns import flexible

IS_AVAILABLE = find_spec("hyperscan") is not None


@dataclass(frozen=True)
class Database:
    """Patterns compiled together; those that hyperscan refuses are always taken for present."""

    patterns: tuple[str, ...]
    refused: frozenset[str]
    compiled: Any

    def patterns_in(self, page: Page) -> frozenset[str]:
        """Return the patterns that may stand in the page, wrapped or not."""
        seen: set[int] = set()

        def note(number: int, _start: int, _end: int, _flags: int, _context: object) -> None:
            seen.add(number)

        if self.compiled is not None:
            for text in (page.text, page.mended):
                self.compiled.scan(text.encode("utf-8", "replace") or b"\n", match_event_handler=note)
        return self.refused.union(self.patterns[number] for number in seen)

    def serialise(self) -> bytes:
        """Return the compiled database as bytes, for a door that keeps it on disk."""
        import hyperscan  # noqa: PLC0415  # heavy, and not needed for a short paste

        return hyperscan.dumpb(self.compiled)


def compile_database(patterns: Sequence[str]) -> Database:
    """Compile `patterns` once; a pattern that hyperscan refuses is left to Python."""
    refused: set[str] = set()
    accepted = tuple(patterns)
    while accepted:
        compiled, fault = _compile(accepted)
        if fault is None:
            return Database(accepted, frozenset(refused), compiled)
        refused.add(accepted[fault])
        accepted = tuple(pattern for pattern in accepted if pattern not in refused)
    return Database((), frozenset(refused), None)


def _compile(patterns: Sequence[str]) -> tuple[Any, int | None]:
    """Return the compiled database, or the index of the first pattern that cannot be compiled."""
    import hyperscan  # noqa: PLC0415

    flags = hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_SINGLEMATCH | hyperscan.HS_FLAG_DOTALL
    flags |= hyperscan.HS_FLAG_MULTILINE | hyperscan.HS_FLAG_UTF8 | hyperscan.HS_FLAG_ALLOWEMPTY
    database = hyperscan.Database()
    expressions = [flexible(pattern).encode() for pattern in patterns]
    try:
        database.compile(expressions=expressions, ids=list(range(len(patterns))), elements=len(patterns), flags=flags)
    except hyperscan.error:
        return None, next((number for number, one in enumerate(expressions) if not _compiles(one, flags)), 0)
    return database, None


def _compiles(expression: bytes, flags: int) -> bool:
    import hyperscan  # noqa: PLC0415

    try:
        hyperscan.Database().compile(expressions=[expression], ids=[0], elements=1, flags=flags)
    except hyperscan.error:
        return False
    return True
