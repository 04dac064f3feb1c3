"""The exchange that the project's README opens with, taken from one golden reply."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
README = HERE.parent.parent / "README.md"
CASE = "share-too-low"
_BETWEEN = re.compile(r"(?<=<!-- exchange: begin -->\n).*(?=<!-- exchange: end -->)", re.DOTALL)


def shown() -> str:
    """Return the exchange as the README shows it now."""
    found = _BETWEEN.search(README.read_text())
    assert found, "README.md has lost its exchange markers"
    return found[0]


def wanted() -> str:
    """Return the exchange as the golden reply has it."""
    paste = (HERE / "pastes" / f"{CASE}.log").read_text().strip()
    reply = (HERE / f"{CASE}.txt").read_text().strip()
    return f"```console\n{paste}\n```\n\n```text\n{reply}\n```\n"


def write() -> None:
    """Write the golden exchange into the README."""
    README.write_text(_BETWEEN.sub(lambda _: wanted(), README.read_text()))
