"""One kind of secret: the text that it shows itself by, its shape, and what stands instead.

What is scrubbed may be written to keep us busy, so every shape is read in time that grows with the text alone. It begins with
its sign, which is found at the speed of string search; a run behind the sign is taken whole (`++`) and judged afterwards,
or is bounded, so that no run is entered at each of its characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from bot.reading.late import Late
from bot.reading.noise.placeholders import is_placeholder

_DIGITS = b"0123456789"
_HIDDEN = re.compile("<(?:token|secret|credentials|private key|key)>")
_PAIR = "<credentials>"  # of a name and a password
_FARTHEST = 64
"""Characters before a sign that may belong to what it shows."""

Instead = str | Callable[[re.Match[str]], str]


def bare(text: str) -> str:
    r"""Return each kind of line that a text has once, digits and what was hidden taken out: a log has few kinds of line.

    >>> bare("GET /1 took 27 ms\nGET /2 took 3 ms")
    'GET / took  ms'
    """
    kinds = text.encode("utf-8", "surrogatepass").translate(None, _DIGITS).split(b"\n")
    lines = b"\n".join(dict.fromkeys(kinds)).decode("utf-8", "surrogatepass")
    return _HIDDEN.sub("<>", lines)


@dataclass(frozen=True, slots=True)
class Kind:
    """What is secret, and by which signs it shows: one of them must occur for a search to be worth it."""

    what: str
    signs: tuple[str, ...]
    shape: Late
    instead: Instead
    before: Late | None = None  # what right before the shape belongs to it, read backwards; `instead` is a text then
    trace: Late | None = None  # what is left of it without digits, where a sign says too little

    def may_occur(self, kinds: str, letters: frozenset[str]) -> bool:
        """Return whether a search is worth it in a text of these `bare` kinds of line, and of these letters."""
        is_shown = any(letters.issuperset(sign) and sign in kinds for sign in map(_without_digits, self.signs))
        return is_shown and (self.trace is None or self.trace.regex.search(kinds) is not None)

    def hide(self, text: str) -> str:
        """Return the text with what is of this kind replaced."""
        if self.before is None:
            return self.shape.regex.sub(self.instead, text)
        pieces: list[str] = []
        done = 0
        for found in self.shape.regex.finditer(text):
            start = found.start()
            head = self.before.regex.match(text[max(done, start - _FARTHEST) : start][::-1])
            if head:
                pieces += text[done : start - head.end()], str(self.instead)
                done = found.end()
        return "".join([*pieces, text[done:]])


@cache
def _without_digits(sign: str) -> str:
    return bare(sign)


def begun(
    what: str, signs: tuple[str, ...], rest: str, instead: Instead = "<token>", *, apart: str = "A-Za-z0-9"
) -> Kind:
    """Return the kind of what begins with a sign, which goes with it; no character of `apart` may stand before."""
    shape = Late(f"{_any_of(signs, apart)}(?P<secret>{rest})", re.VERBOSE)
    return Kind(what, signs, shape, unless_placeholder(instead) if isinstance(instead, str) else instead)


def behind(
    what: str, signs: tuple[str, ...], lead: str, secret: str, instead: str = "<secret>", *, apart: str = ""
) -> Kind:
    """Return the kind of what stands behind a sign and a `lead`, which stay."""
    shape = Late(f"(?P<lead>{_any_of(signs, apart)}{lead})(?P<secret>{secret})", re.VERBOSE)
    return Kind(what, signs, shape, unless_placeholder(instead, "lead"))


def unless_placeholder(instead: str, lead: str | None = None) -> Callable[[re.Match[str]], str]:
    """Return what puts `instead` where a secret stands, behind its `lead`; what only says where one belongs stays."""

    def hidden(found: re.Match[str]) -> str:
        secret = found["secret"].rpartition(":")[2] if instead == _PAIR else found["secret"]
        return found[0] if is_placeholder(secret) else (found[lead] if lead else "") + instead

    return hidden


def _any_of(signs: tuple[str, ...], apart: str) -> str:
    """Return the pattern of any of the signs: letters first, for which `re` searches fast, and then what stands before."""
    escaped = [re.escape(sign) for sign in signs]
    return f"(?:{'|'.join(f'{sign}(?<![{apart}]{sign})' if apart else sign for sign in escaped)})"
