"""Letters that a photograph's text recognition mistook: "Va1ueError", "rnemory", "47.4O GiB"."""

from __future__ import annotations

import re

from bot.reading.vocabulary import KNOWN_WORDS

_SUSPECT = re.compile(r"[A-Za-z][01|][a-z]|\b[01][a-z]{2}|rn[aeou]|[a-z]rn\b|\bvv")
_WORD = re.compile(r"[A-Za-z0-9_|]{3,40}")
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_])(?=[0-9OolI]{0,12}[.,]?[0-9OolI]{0,12}\d|[OolI][.,]\d)[0-9OolI]{1,12}(?:[.,][0-9OolI]{1,12})?(?![A-Za-z0-9_])"
)
_LETTERS = str.maketrans("10|", "lol")
_DIGITS = str.maketrans("OolI", "0011")


# Damage that is likely where any is: one of these in a paste makes it worth a look word by word.
_SIGNS = (
    "a1u", "1ue", "rnem", "rnor", "1ess", "uti1", "ti1i", "avai1", "ai1a", "rnax", "rnod", "ode1", "0ut", "rr0r", "al1o", "a1lo", "cornp", "tirne", "frorn",
    "fai1", "0ade", "1oad", "l0ad", "eng1", "vvh", "vva", "t0ken", "dev1", "b1oc", "bl0c", "rni", "1arg", "1ength", "rnin", "c0re", "init1",
)  # fmt: skip


LONGEST = 60_000
"""Characters of a text that may be a photograph's; nobody photographs a longer one."""


def mend_text(text: str) -> str:
    """Return a text with the lines mended that show such damage; a long one as it is."""
    if len(text) > LONGEST or not any(sign in text for sign in _SIGNS):
        return text
    return "\n".join(mend(line) for line in text.split("\n"))


def mend(text: str) -> str:
    """Return a line with misread words of known messages put right, and then its numbers too.

    >>> mend("Va1ueError: Free rnemory (9.88/47.4O GiB)")
    'ValueError: Free memory (9.88/47.40 GiB)'
    """
    if _SUSPECT.search(text) is None:
        return text
    mended = _WORD.sub(_mend_word, text)
    return text if mended == text else _NUMBER.sub(lambda found: found[0].translate(_DIGITS), mended)


def _mend_word(found: re.Match[str]) -> str:
    word = found[0]
    if word.lower() in KNOWN_WORDS or not any(letter.isalpha() for letter in word):
        return word
    readings = (
        word.translate(_LETTERS),
        word.replace("rn", "m"),
        word.translate(_LETTERS).replace("rn", "m"),
        word.replace("vv", "w"),
    )
    return next((reading for reading in readings if reading != word and reading.lower() in KNOWN_WORDS), word)
