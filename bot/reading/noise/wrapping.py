"""Whether a terminal wrapped a whole paste, at which column, and inside words or between them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from bot.evidence import Line
from bot.reading.late import Late
from bot.reading.vocabulary import KNOWN_WORDS

NARROWEST, WIDEST = 60, 220
"""Columns of a terminal that wraps; nobody's is narrower, and a wider one wraps no log line."""

_WORD_END = re.compile(r"[A-Za-z_]+\Z")
_WORD_START = re.compile(r"[A-Za-z_]+")
_STARTS_ANEW = Late(
    r"""\s*(?:
        $ | Traceback | File[ ]" | During[ ]handling | The[ ]above[ ]exception | [-=+|~^]{3,} | \$[ ] | \#\#\# | \|
      | (?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit)\b[:(]? | raise[ ] | return[ ] | INFO | WARNING | ERROR | DEBUG
      | Loading[ ] | Capturing[ ] | init[ ]engine | Process[ ] | Using[ ] | Resolved[ ] | torch\.compile | export[ ] | vllm[ ]serve | docker[ ]
      | \#[ ]\w+[ ]blocks | (?:ba|z|da)?sh:[ ]
      | (?:Killed|Terminated|Aborted|Hangup|Bus[ ]error|Segmentation[ ]fault|Illegal[ ]instruction)(?::[ ]\d+)?(?:[ ]\(core[ ]dumped\))?\s*\Z  # a shell's word for how a program ended
    )""",
    re.VERBOSE,
)


class Wrap(NamedTuple):
    """The column at which a paste was wrapped; `is_hard` when words were broken too."""

    width: int
    is_hard: bool

    def may_continue(self, before: str, after: str) -> bool:
        """Return whether `after` may be the rest of `before`: its first word did not fit there."""
        first = len(after.lstrip().split(" ", 1)[0])
        return len(before) + 1 + first > self.width


def starts_anew(line: Line) -> bool:
    """Return whether a line begins something of its own, so that it is the rest of none."""
    is_prefixed = (
        line.process is not None or line.level is not None or (line.start > 0 and ".py" in line.text[: line.start])
    )
    return is_prefixed or _STARTS_ANEW.match(line.text) is not None


def find_wrap(lines: Sequence[Line]) -> Wrap | None:
    """Return how the paste was wrapped; None when it was not, or too little of it to tell."""
    width = max((len(line.text) for line in lines), default=0)
    if not NARROWEST <= width <= WIDEST:
        return None
    wrap = Wrap(width, is_hard=False)
    pairs = [
        (before.text, after.text)
        for before, after in itertools.pairwise(lines)
        if after.text
        and not starts_anew(after)
        and len(before.text) > width - 25
        and wrap.may_continue(before.text, after.text)
    ]
    return Wrap(width, is_hard=_breaks_words(pairs, width)) if len(set(pairs)) >= 2 else None


def _breaks_words(pairs: Sequence[tuple[str, str]], width: int) -> bool:
    """Return whether lines are full to the edge, and words do not happen to end there."""
    full = sum(len(before) >= width - 1 for before, _ in pairs)
    whole = sum(len(before) == width and are_whole_words(before, after) for before, after in pairs)
    return full >= 0.5 * len(pairs) and 3 * whole <= full


def are_whole_words(before: str, after: str) -> bool:
    """Return whether known words meet at a line's end, so that no word was broken there."""
    last, first = _WORD_END.search(before[-40:]), _WORD_START.match(after)
    return bool(last and first) and {_plain(last), _plain(first)} <= KNOWN_WORDS


def is_broken_word(before: str, after: str) -> bool:
    """Return whether a line's end and the next one's beginning make one word or number."""
    end, start = before[-1:], after[:1]
    if (end.isdigit() and start in tuple("0123456789.,")) or (end == "." and start.isdigit()) or "_" in {end, start}:
        return True
    last, first = _WORD_END.search(before[-40:]), _WORD_START.match(after)
    return bool(last and first) and _plain(last) + _plain(first) in KNOWN_WORDS


def _plain(found: re.Match[str] | None) -> str:
    return found[0].lower() if found else ""
