"""How much of a GPU's memory people say is in use: "72 of 80 GB", "71.2/80GB", "22 GB used of my 24"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.reading.late import Late
from bot.units import Bytes

_NUMBER = r"\d{1,6}(?:[.,]\d{1,2})?"
_UNIT = r"(?:GiB|GB|Gb|gb|gib|G|g|MiB|MB)"
_PART = Late(
    rf"""(?<![\w.,/-])(?P<used>{_NUMBER})\s?(?P<unit>{_UNIT})?
    (?:\s(?:is\s|are\s)?(?:used|in\suse|occupied|full|taken))?
    \s?(?:/|(?:out\s)?of\b|von\b|sur\b|de\b|из)\s?(?:(?:my|the|our|its|a|total)\s)?   # "of my", "out of the"
    (?P<total>{_NUMBER})\s?-?(?P<total_unit>{_UNIT})(?![A-Za-z0-9_/])""",
    re.VERBOSE,
)
_USED = Late(
    rf"""(?<![\w.,/-])(?P<used>{_NUMBER})\s?(?P<unit>{_UNIT})\s(?:of\s(?:the\s)?)?(?:gpu\s|video\s)?(?:memory\s|vram\s|VRAM\s|GPU\s)*
      (?:(?:is|are|already|always|still|being)\s){{0,3}}(?:used|in\suse|occupied|taken)\b
    | \b(?:it|vllm|vLLM|VLLM|server|process|engine|container|pod|gpu|GPU|card|that|which)\s(?:\w+\s){{0,2}}?
      (?:uses?|using|eats?|eating|takes?(?:\sup)?|taking|consumes?|occupies|holds?|hogs|shows?)\s(?:\w+\s){{0,2}}?~?
      (?P<after>{_NUMBER})\s?(?P<after_unit>{_UNIT})(?![A-Za-z0-9_/])
    | 占用(?:了)?\s?(?P<zh>{_NUMBER})\s?(?P<zh_unit>{_UNIT})(?![A-Za-z0-9_/])""",
    re.VERBOSE,
)
# Memory, but not that of a GPU, or only a part of what is in use.
_ELSEWHERE_BEFORE = Late(
    r"(?i)(?<!v)ram\b|\b(?:swap|disk|ssd|nvme|host|cpu|shm|download\w*|shards?|weights?|checkpoint|kv[- ]cache|blocks|file|allocate|free)\b"
)
_ELSEWHERE_BEHIND = Late(
    r"(?i)\s?(?:is\s|are\s|of\s|for\s|in\s|on\s|the\s|system\s|host\s|cpu\s){0,4}(?:(?<!v)ram|swap|disk|shm|download\w*|weights?|kv|free|/s|memory in use by)\b"
)
_NEAR = 40
SMALLEST, LARGEST = Bytes.gib(2), Bytes.gib(300)
"""Totals between which one GPU's memory lies."""


def find_memory(text: str) -> Iterator[tuple[str, Bytes]]:
    """Yield what is in use on a GPU, and the GPU's memory where both are said.

    >>> [(name, str(value)) for name, value in find_memory("72 of 80 GB used with no traffic")]
    [('used', '72.00 GiB'), ('gpu_memory', '80.00 GiB')]
    """
    is_table = "|" in text or "\u2502" in text or text.strip().count("  ") > 1
    if is_table or not any(unit in text for unit in ("G", "g", "M")):
        return
    for found in _PART.finditer(text):
        used = _amount(found["used"], found["unit"] or found["total_unit"])
        total = _amount(found["total"], found["total_unit"])
        if used <= total and SMALLEST <= total <= LARGEST and _is_of_a_gpu(text, found):
            yield "used", used
            yield "gpu_memory", total
            return
    for found in _USED.finditer(text):
        raw = found["used"] or found["after"] or found["zh"]
        used = _amount(raw, found["unit"] or found["after_unit"] or found["zh_unit"])
        if used <= LARGEST and _is_of_a_gpu(text, found):
            yield "used", used
            return


def _amount(number: str, unit: str) -> Bytes:
    """People write GB and mean GiB, as every tool that shows it does."""
    value = float(number.replace(",", "."))
    return Bytes.mib(int(value)) if unit.startswith("M") else Bytes.gib(value)


def _is_of_a_gpu(text: str, found: re.Match[str]) -> bool:
    before, behind = text[max(0, found.start() - _NEAR) : found.end()], text[found.end() : found.end() + _NEAR]
    return _ELSEWHERE_BEFORE.search(before) is None and _ELSEWHERE_BEHIND.match(behind) is None
