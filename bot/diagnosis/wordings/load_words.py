"""How much a description asks a deployment to serve: requests at the same time, people, rates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.sizing.serving import ACTIVE_SHARE

_REQUESTS = r"requests?|reqs?|calls|prompts|queries"
_PEOPLE = (
    r"users?|people|persons?|clients?|customers?|employees|developers|devs|engineers|students|agents|sessions?|"
    r"connections|chats|seats|dau|mau"
)
_KINDS = r"(?:(?:active|online|total|daily|monthly|internal|external|chat|api|different)\s)?"
NOUNS = rf"{_KINDS}(?:{_REQUESTS}|{_PEOPLE}|rp[sm]|qp[sm]|tps|tok\w*(?:/|\sper))\b"
"""What a number stands before that is no length: "2k users"."""

_DIGITS = r"(?P<number>\d{1,3}(?:,\d{3}){1,3}|\d{1,9})\+?\s?(?P<times>k|m|million|thousand)?"
_NUMBER = rf"(?<![\w.,=:/@-])(?:\d{{1,9}}\s?[-–]\s?)?{_DIGITS}"  # of "40-60" the larger
_TIMES = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000}
_AT_ONCE = r"(?:at[ ]once|at[ ]the[ ]same[ ]time|at[ ]a[ ]time|concurrent(?:ly)?|simultaneous(?:ly)?|(?:in[ ])?parallel|in[ ]flight)"
_NO_RATE = r"\b(?!\s?(?:/|per\b|an?\s|every\b))"
_RATE = re.compile(
    rf"""{_NUMBER}\s?(?:
        (?P<short>[rq]p[sm])\b
      | (?:{_REQUESTS})\s?(?:/|per\s|an?\s|each\s|every\s)\s?(?P<unit>s|sec|seconds?|m|min|minutes?|h|hours?|d|days?)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_SPEED = re.compile(
    rf"{_NUMBER}\s?(?:(?:tok|toks|tokens?|t)\s?(?:/|per\s)\s?(?:s|sec|second)|tps)\b(?:\s(?:per|each|/)\s?(?:user|request|stream)\b)?",
    re.IGNORECASE,
)
_COUNTS = (
    re.compile(
        rf"{_NUMBER}\s(?:are\s|of\sthem\s)?(?:{_AT_ONCE}|active|online)(?![\w-]|\s(?:{_PEOPLE})\b)", re.IGNORECASE
    ),
    re.compile(rf"\bbatch(?:es)?(?:[\s_-]size)?(?:\s(?:of|is)\s|\s?[=:]\s?|\s){_DIGITS}\b", re.IGNORECASE),
    re.compile(rf"{_NUMBER}\s{_KINDS}(?:{_REQUESTS}){_NO_RATE}(?:\s{_AT_ONCE})?", re.IGNORECASE),
)
_CROWD = re.compile(rf"{_NUMBER}\s{_KINDS}(?:{_PEOPLE}){_NO_RATE}(?P<at_once>\s{_AT_ONCE})?", re.IGNORECASE)
_AN_ANSWER = 10  # seconds that a request usually takes


class Load(NamedTuple):
    """What is to be served: how many requests at the same time, and what is to be said of how that was understood."""

    concurrency: int | None
    sentences: tuple[str, ...]
    rest: str  # the description without it


def find_load(text: str) -> Load:
    """Return what a description asks for; people count as one request each, and rates say nothing by themselves.

    >>> find_load("200 users, 20 at once").concurrency, find_load("32 requests").sentences
    (20, ())
    """
    rest = _SPEED.sub(" ", _RATE.sub(" ", text))
    counted = next((found for pattern in _COUNTS if (found := pattern.search(rest))), None)
    crowd = _CROWD.search(rest)
    said = (*(() if counted else _say_rate(text)), *_say_speed(text))
    for pattern in (*_COUNTS, _CROWD):
        rest = pattern.sub(" ", rest)
    found = counted or crowd
    if found is None or not _amount(found):
        return Load(None, said, rest)
    if crowd is not None and found is crowd and not crowd["at_once"] and _amount(crowd) > 1:
        said = (_say_crowd(crowd[0].strip(), _amount(crowd)), *said)
    return Load(_amount(found), said, rest)


def _amount(found: re.Match[str]) -> int:
    return int(found["number"].replace(",", "")) * _TIMES.get((found["times"] or "").lower(), 1)


def _say_crowd(said: str, people: int) -> str:
    few = round(people * ACTIVE_SHARE)
    usual = f" Usually about a tenth waits at once: '{few:,} concurrent users' sizes that." if few > 1 else ""
    return f"I took {said} for {people:,} requests at the same time.{usual}"


def _say_rate(text: str) -> Iterator[str]:
    """Yield what a rate means for memory: by Little's law as many requests run as come in while one takes."""
    if rate := _RATE.search(text):
        seconds = _SECONDS[(rate["unit"] or rate["short"][-1])[0].lower()]
        running = max(1, round(_amount(rate) * _AN_ANSWER / seconds))
        yield (
            f"{rate[0].strip()} is a rate, and memory depends on how many run at the same time: {running:,} where one "
            f"takes {_AN_ANSWER} seconds. Write it like '{running:,} concurrent requests'."
        )


def _say_speed(text: str) -> Iterator[str]:
    if speed := _SPEED.search(text):
        yield f"{speed[0].strip()} is a speed, which needs no memory of its own; what to expect is under the details."
