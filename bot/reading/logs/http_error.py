"""Error bodies of the OpenAI-compatible server, and what clients print of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.evidence import Evidence, Failure, Line, gather
from bot.facts import Fact, Origin
from bot.reading.figures import note

_MESSAGE = re.compile(r"""["']message["']\s*:\s*(?:"((?:[^"\\]|\\.){1,2000})"|'((?:[^'\\]|\\.){1,2000})')""")
_TYPE = re.compile(r"""["']type["']\s*:\s*["'](\w{2,60})["']""")
_CODE = re.compile(r"""["']code["']\s*:\s*["']?(\d{3})\b""")
_REQUESTED = re.compile(
    r"(?:you requested|resulted in|passed|has|request has|contains at least)\s(\d{2,9})\s(?:input |output )?tokens"
)


def read(lines: Sequence[Line]) -> Evidence:
    """Return the server's own message, and how long the refused request was."""
    failures: list[Failure] = []
    facts: list[Fact] = []
    for line in lines:
        text = line.text
        if "tokens" in text and "context" in text and (found := _REQUESTED.search(text)):
            facts.append(note("longest_request", int(found[1]), line, Origin.PASTED))
        if "message" in text and (found := _MESSAGE.search(text)) and ("error" in text or _CODE.search(text)):
            kind = _TYPE.search(text)
            failures.append(
                Failure(
                    kind=kind[1] if kind else "HTTP error", message=(found[1] or found[2]).strip(), line=line.number
                )
            )
    if not failures and not facts:
        return Evidence()
    return gather(facts, failures=tuple(failures[:50]), kinds=frozenset({"http-error"} if failures else ()))
