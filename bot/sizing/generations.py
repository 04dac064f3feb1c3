"""Generations of NVIDIA's cards, by their compute capability."""

from __future__ import annotations

from bot.deployment import Gpu
from bot.sizing.ranges import GIB

# Compute capabilities: the first multiplies bfloat16, the second FP8; and the whole parts of those that follow, of which
# Blackwell, which multiplies FP4, comes for data centres and for workstations.
AMPERE, ADA = 8.0, 8.9
HOPPER, BLACKWELL, WORKSTATION = 9, 10, 12
LARGE_CARD = 70 * GIB  # where vLLM's own larger defaults begin: `engine/arg_utils.py`, device_memory, of 0.8.5 to 0.33


def generation_of(card: Gpu | None) -> int | None:
    """Return the whole part of the compute capability; None where it is not known, and for other makers' cards.

    >>> generation_of(Gpu(name="L40S", compute_capability=8.9))
    8
    """
    if card is None or card.vendor != "nvidia" or card.compute_capability is None:
        return None
    return int(card.compute_capability)


def likely_generation(card: Gpu | None, memory: int | None) -> int | None:
    """Return the same; a card of which nothing but 70 GiB or more is known most likely is a Hopper."""
    if card is None:
        return HOPPER if (memory or 0) >= LARGE_CARD else None
    return generation_of(card)
