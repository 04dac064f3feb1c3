"""Secrets and names that identify people, machines and buckets; diagnosis needs none of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.reading.noise.invisible import without_invisible
from bot.reading.noise.secrets import SECRETS, Secret, bare
from bot.reading.noise.tokens import hide_rests

MOST_PASSES = 8
"""One secret may stand so close to another that it shows only when that is gone; two passes are the rule."""

_APART = "\n\n"
"""Between lines that are scrubbed together and do not follow each other."""

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
    text = without_invisible(text)
    scrubbed = hide_rests(_pass_over(text))
    if scrubbed != text:
        before, after = text.split("\n"), scrubbed.split("\n")
        changed = [place for place, (then, now) in enumerate(zip(before, after, strict=True)) if then != now]
        clean = _pass_until_clean(_APART.join(after[place] for place in changed)).split(_APART)
        for place, line in zip(changed, clean, strict=True):
            after[place] = line
        scrubbed = "\n".join(after)
    text = scrubbed
    return _number_uuids(text) if "GPU-" in text or "MIG-" in text else text


def _pass_over(text: str) -> str:
    kinds = bare(text)
    for secret in SECRETS:
        if secret.may_occur(kinds):
            text = _replace(secret, text)
    return text


def _replace(secret: Secret, text: str) -> str:
    """Return the text with one kind of secret replaced, looking only near its sign where it has one."""
    regex = secret.pattern.regex
    if secret.sign is None:
        return regex.sub(secret.instead, text)
    pieces: list[str] = []
    done = 0
    for start, end in _lines_with(secret.sign.regex, text):
        pieces += text[done:start], regex.sub(secret.instead, text[start:end])
        done = end
    return "".join([*pieces, text[done:]])


def _lines_with(sign: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield where lines with a sign begin, and where the line behind them ends; lines that follow each other are one."""
    start = own = end = 0
    for found in sign.finditer(text):
        place = found.start()
        if place < own:
            continue
        if place >= end:
            yield start, end
            start = text.rfind("\n", 0, place) + 1
        own = _end_of_line(text, place)
        end = _end_of_line(text, own + 1)
    yield start, end


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _pass_until_clean(text: str) -> str:
    for _ in range(MOST_PASSES):
        scrubbed = _pass_over(text)
        if scrubbed == text:
            break
        text = scrubbed
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
