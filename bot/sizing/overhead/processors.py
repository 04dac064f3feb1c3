"""How much of a card's work is under way at once, and what its matrix products take before any."""

from __future__ import annotations

from bot.deployment import Gpu
from bot.sizing import constants
from bot.sizing.generations import BLACKWELL, HOPPER, generation_of

_RESIDENT = {7.5: 1024, 8.6: 1536, 8.9: 1536, 12.0: 1536, 12.1: 1536}
_USUALLY_RESIDENT = 2048
_MIB = 1 << 20


def multiprocessors(card: Gpu | None) -> int:
    """Return the multiprocessors of a card, by its name."""
    name = card.name.upper() if card else ""
    found = (count for part, count in constants.MULTIPROCESSORS.items() if part in name)
    return next(found, constants.USUAL_MULTIPROCESSORS)


def resident_threads(card: Gpu) -> int:
    """Return the threads that a card holds at once.

    Source: NVIDIA's CUDA C++ Programming Guide, technical specifications for each compute capability.
    """
    return multiprocessors(card) * _RESIDENT.get(card.compute_capability or 0.0, _USUALLY_RESIDENT)


def cublas_workspace(card: Gpu | None) -> int:
    """Return the bytes of cuBLAS' workspace, which torch allocates with the first matrix product."""
    is_large = generation_of(card) in {HOPPER, BLACKWELL}
    return round((constants.CUBLAS_WORKSPACE_LARGE_MIB if is_large else constants.CUBLAS_WORKSPACE_MIB) * _MIB)
