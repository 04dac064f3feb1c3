"""How many servers people put on one card: "2 instances of … on one L40S", "two vLLM servers on the same GPU"."""

from __future__ import annotations

import re

from bot.reading.late import Late
from bot.reading.prose.gpus import COUNT_WORDS

MOST_INSTANCES = 16
"""More servers than this share no card."""

_NUMBERS = {word: count for word, count in COUNT_WORDS.items() if count > 1}
_COUNT = Late(
    rf"""(?<![\w.-])(?P<count>{"|".join(_NUMBERS)}|\d{{1,2}})\s
    (?:[\w.-]{{1,20}}\s){{0,2}}?                                     # "two separate vLLM servers"
    (?:instances|servers|engines|models|copies|vllms)\b""",
    re.VERBOSE | re.IGNORECASE,
    signs=("instances", "servers", "engines", "models", "copies", "vllms"),
)
_ONE_CARD = Late(
    r"""\b(?:on|in|onto|share|shares|sharing)\s(?:the\s|a\s|my\s|our\s|this\s)?
    (?:same|one|single|1)\s?x?\s(?:[\w-]{1,12}\s){0,2}?             # "the same", "a single NVIDIA"
    (?:gpu|card|(?=[A-Za-z\d-]{0,8}\d)[A-Za-z]{0,5}-?\d{1,4}\w{0,5})\b
    | \b(?:per|each)\s(?:gpu|card)\b""",
    re.VERBOSE | re.IGNORECASE,
)


def find_instances(text: str) -> int | None:
    """Return how many servers are said to share one card; None where one has it alone or it is not said.

    >>> find_instances("2 instances of qwen2.5-7b on one L40S"), find_instances("two servers on two cards")
    (2, None)
    """
    count = _COUNT.search(text)
    if count is None or _ONE_CARD.search(text) is None:
        return None
    said = count["count"].lower()
    number = _NUMBERS.get(said) or int(said)
    return number if 2 <= number <= MOST_INSTANCES else None
