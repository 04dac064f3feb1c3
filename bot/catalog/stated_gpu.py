"""What a text says of a card itself: how much memory it has and what it can compute."""

from __future__ import annotations

import re

from bot.catalog.gpu_rows import MEMORY
from bot.deployment import Gpu
from bot.units import Bytes

KEPT_BACK = Bytes.gib(0.48)  # of what nvidia-smi prints, by the driver
_MEBIBYTES = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d{4,6})\s*mi?b\b", re.IGNORECASE)
_AMOUNT = re.compile(r"\s*(\d{1,3}(?:\.\d{1,2})?)\s?(?:GiB|GB|G)\s*", re.IGNORECASE)
_CAPABILITY = re.compile(
    r"\bsm[_-]?(?P<major>\d{1,2})(?P<minor>\d)[af]?\b|\b(?:capability|cc)\W{0,3}(?P<whole>\d{1,2}\.\d)\b", re.IGNORECASE
)
_OF_ALL = re.compile(r"\b(?:total|combined|together|altogether|in all|overall)\b", re.IGNORECASE)
_BF16, _FP8 = 8.0, 8.9


def memory_in(text: str) -> Bytes | None:
    """Return the memory of one card that a text states; in mebibytes, as nvidia-smi prints it, before gibibytes.

    >>> memory_in("24,564 MiB").in_gib, memory_in("A30 with 24 GB").in_gib
    (23.98828125, 24.0)
    """
    if _OF_ALL.search(text):
        return None
    said = MEMORY.search(text)
    return printed_in(text) or (Bytes.gib(float(said[1])) if said else None)


def memory_alone(name: str) -> str | None:
    """Return the memory in GiB where a card is named by nothing else.

    >>> memory_alone("80GB"), memory_alone("A100 80GB")
    ('80 GiB', None)
    """
    said = _AMOUNT.fullmatch(name)
    return f"{said[1]} GiB" if said else None


def say_memory(memory: str) -> str:
    """Say what a card is taken for of which only the memory is known."""
    return (
        f"I took the card for one of {memory}, all of it for vLLM; a card shows a little less than its name says, so "
        "name the card for the exact figure."
    )


def printed_in(text: str) -> Bytes | None:
    """Return the largest memory that a text states in mebibytes."""
    printed = [int(number.replace(",", "")) for number in _MEBIBYTES.findall(text)]
    return Bytes.mib(max(printed)) if printed else None


def without_printed(text: str) -> str:
    """Return a text without the memory that it states in mebibytes, as one column of a table beside the name."""
    return _MEBIBYTES.sub(" ", text)


def capability_in(text: str) -> float | None:
    """Return the compute capability that a text states.

    >>> capability_in("sm_120"), capability_in("compute capability 8.6")
    (12.0, 8.6)
    """
    found = _CAPABILITY.search(text)
    if found is None:
        return None
    return float(found["whole"] or f"{found['major']}.{found['minor']}")


def unlisted(name: str, text: str, memory: Bytes | None) -> Gpu | None:
    """Return a card that no row has, where the text states what sizing needs of it: its memory and its capability."""
    total, capability = memory or memory_in(text), capability_in(text)
    if total is None or capability is None or total <= KEPT_BACK:
        return None
    plain = without_printed(MEMORY.sub(" ", _CAPABILITY.sub(" ", name.partition(",")[0])))
    return Gpu(
        name=" ".join(plain.split()) or "GPU",
        memory=total,
        torch_memory=Bytes(total - KEPT_BACK),
        compute_capability=capability,
        has_bf16=capability >= _BF16,
        has_fp8=capability >= _FP8,
        note=f"not listed; {total} and compute capability {capability:g} as stated",
    )
