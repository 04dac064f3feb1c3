"""A reply in words that answers what we asked: "16k is enough", "yes, only vllm"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bot.fact_values import fact_value
from bot.facts import FACTS

_NUMBER = re.compile(r"(?<![\w.])\d[\d,_]*(?:\.\d+)?(?:\s?[kKmM]i?)?(?![\w.]*\w)")
_MOST_WORDS, _MOST_OF_FEW = 9, 4
_LEAST_LENGTH = 256  # tokens: fewer are a count of something else
_LENGTHS = frozenset({"longest_request", "max_model_len"})
_YES = frozenset({"yes", "yep", "yeah", "yup", "y", "ja", "oui", "sí", "si", "sim", "да", "是", "是的", "はい", "네"})
_NO = frozenset({"no", "nope", "nah", "n", "nein", "non", "não", "нет", "否", "不是", "いいえ", "아니요"})


def typed_answers(asked: Iterable[str], text: str) -> dict[str, str]:
    """Return the answer that a short reply gives, by the fact that was asked for; nothing where it may answer several.

    >>> typed_answers(["longest_request", "dedicated_gpu"], "our prompts are at most 16k")
    {'longest_request': '16k'}
    """
    words = text.split()
    if not 0 < len(words) <= _MOST_WORDS or "\n" in text.strip():
        return {}
    read = {name: value for name in asked if (value := _read(name, text, words)) is not None}
    return read if len(read) == 1 else {}


def _read(name: str, text: str, words: list[str]) -> str | None:
    kind = FACTS[name].type if name in FACTS else None
    if kind == "bool":
        return _read_yes_or_no(words[0])
    if kind not in {"int", "float"} or (name not in _LENGTHS and len(words) > _MOST_OF_FEW):
        return None
    numbers = _NUMBER.findall(text)
    value = _valued(name, numbers[0]) if len(numbers) == 1 else None
    return None if value is None or (name in _LENGTHS and value < _LEAST_LENGTH) else numbers[0]


def _read_yes_or_no(word: str) -> str | None:
    said = word.strip(".,!;:").lower()
    return "yes" if said in _YES else "no" if said in _NO else None


def _valued(name: str, number: str) -> Any:
    try:
        return fact_value(name, number)
    except ValueError:
        return None
