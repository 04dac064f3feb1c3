"""Secrets and names that identify people, machines and buckets; diagnosis needs none of them."""

from __future__ import annotations

import re

from bot.reading.noise.invisible import without_invisible
from bot.reading.noise.kind import bare
from bot.reading.noise.secrets import SECRETS
from bot.reading.noise.tokens import hide_rests

MOST_PASSES = 8
"""One secret may stand so close to another that it shows only when that is gone; two passes are the rule."""

_APART = "\n\n"
"""Between lines that are scrubbed together and do not follow each other."""

_CONTINUED = re.compile(r"^[^\n]*+(?:(?<=[^\s\\]\\)\n(?=\S)[^\n]*+)++", re.MULTILINE)
"""Lines that a backslash joins in the midst of a word; between words each line is read as it stands."""

_UUID = re.compile(
    r"\b(GPU|MIG)-(?:GPU-)?([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})"
)
_PLACE = "00000000-0000-0000-0000-"


def scrub(text: str) -> str:
    """Return the text with secrets replaced by what they were; doing it again changes nothing.

    Model names, the last parts of paths, numbers and versions stay. Lines keep their number. What cannot be seen goes:
    a colour in the midst of a token would hide it from us alone.

    >>> scrub("HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz0123 vllm serve /home/ann/models/m")
    'HF_TOKEN=<token> vllm serve /home/<user>/models/m'
    """
    text = _join_words(without_invisible(text))
    lines = text.split("\n")
    scrubbed = hide_rests(_pass_over(text)).split("\n")
    changed = [place for place, (then, now) in enumerate(zip(lines, scrubbed, strict=True)) if then != now]
    for _ in range(MOST_PASSES):
        if not changed:
            break
        changed = _pass_again(scrubbed, changed)
    text = "\n".join(scrubbed)
    return _number_uuids(text) if "GPU-" in text or "MIG-" in text else text


def _join_words(text: str) -> str:
    """Return the text with lines as the one that a shell reads where that holds a secret, and as many empty ones behind."""
    found = [match[0] for match in _CONTINUED.finditer(text)] if "\\\n" in text else []
    if not found:
        return text
    joined = [lines.replace("\\\n", "") for lines in found]
    scrubbed = _pass_over(_APART.join(joined)).split(_APART)
    whole = iter(
        lines if line == then else line + "\n" * lines.count("\n")
        for lines, line, then in zip(found, joined, scrubbed, strict=True)
    )
    return _CONTINUED.sub(lambda _: next(whole), text)


def _pass_again(lines: list[str], places: list[int]) -> list[int]:
    """Scrub the lines at these places once more, and return the places of those that this changed."""
    then = [lines[place] for place in places]
    now = _pass_over(_APART.join(then)).split(_APART)
    changed = [place for place, before, after in zip(places, then, now, strict=True) if before != after]
    for place, after in zip(places, now, strict=True):
        lines[place] = after
    return changed


def _pass_over(text: str) -> str:
    kinds = bare(text)
    letters = frozenset(kinds)
    for kind in SECRETS:
        if kind.may_occur(kinds, letters):
            text = kind.hide(text)
    return text


def _number_uuids(text: str) -> str:
    """Replace each GPU's identity by a number in the same shape, so that rows can still be matched."""
    taken = [
        int(found[2][24:]) for found in _UUID.finditer(text) if found[2].startswith(_PLACE) and found[2][24:].isdigit()
    ]
    numbers: dict[str, int] = {}
    first = max(taken, default=0) + 1

    def number(found: re.Match[str]) -> str:
        identity = found[2].lower()
        if identity.startswith(_PLACE):
            return found[0]
        place = numbers.setdefault(identity, first + len(numbers))
        return found[0][: -len(identity)] + f"{_PLACE}{place:012d}"

    return _UUID.sub(number, text)
