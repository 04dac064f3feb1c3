"""On which line of which file a release of vLLM logs a statement: the place in a log's prefix tells the release."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from packaging.version import Version

from bot.catalog.places import KNOWLEDGE


class Span(NamedTuple):
    """Releases in a row, the first and the last of them."""

    since: Version
    until: Version


class Statement(NamedTuple):
    """What a file logs somewhere, and in which releases on which line of it."""

    says: str
    holds_traceback: bool  # each line of a traceback has the place of the statement that logs it
    lines: Mapping[str, str]

    def releases_at(self, line: int) -> tuple[Span, ...]:
        """Return the releases that have the statement there, from the oldest on; none where it never was."""
        return _spans(self.lines.get(str(line), ""))


def statements_in(file: str) -> tuple[Statement, ...]:
    """Return the statements that some release logs from a file of that name; none of a file that we do not know.

    >>> [(str(span.since), str(span.until)) for said in statements_in("core.py") for span in said.releases_at(396)]
    [('0.8.5', '0.8.5.post1')]
    """
    return _by_file().get(file, ())


@cache
def _by_file() -> dict[str, tuple[Statement, ...]]:
    found: dict[str, tuple[Statement, ...]] = {}
    for line in (KNOWLEDGE / "releases" / "statements.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found[row["file"]] = (*found.get(row["file"], ()), Statement(row["says"], "traceback" in row, row["lines"]))
    return found


@cache
def _spans(text: str) -> tuple[Span, ...]:
    ends = (span.split("–") for span in text.split(", ") if span)
    return tuple(Span(Version(versions[0]), Version(versions[-1])) for versions in ends)
