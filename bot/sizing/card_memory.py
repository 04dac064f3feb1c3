"""How much memory one GPU has, as torch counts it."""

from __future__ import annotations

from math import ceil

from bot.deployment import Deployment
from bot.sizing import constants
from bot.sizing.ranges import GIB
from bot.sizing.terms import Measured

CARD_OWN_FROM, CARD_OWN_TO = 0.98, 1.15
"""Shares of what nvidia-smi prints for a card between which a stated total is that card's: drivers differ by 2 %, shops round up."""


def total_memory(deployment: Deployment, measured: Measured) -> int | None:
    """Return one GPU's memory as torch counts it; a card known only by nvidia-smi's figure loses half a GiB."""
    card = deployment.card
    known = (
        measured.total or _stated_total(deployment) or _under_wsl(deployment) or (card.torch_memory if card else None)
    )
    if known is not None:
        return int(known)
    if card is None or card.memory is None:
        return None
    return int(card.memory) - round(constants.TOTAL_BELOW_NVIDIA_SMI_GIB.value * GIB)


def _under_wsl(deployment: Deployment) -> int | None:
    """Return what WSL shows of a card: all of it, in whole GiB; 6.0 and 32.0 in logs of cards with 5.5 and 31.4 on Linux."""
    card = deployment.card
    if not deployment.is_wsl or card is None or card.memory is None:
        return None
    return ceil(card.memory / GIB) * GIB


def _stated_total(deployment: Deployment) -> int | None:
    """Return the memory that was stated, unless it is only the known card's own as nvidia-smi or a shop counts it.

    A total far from the card's is a slice of it, a quota or another board, and counts.
    """
    stated, card = deployment.gpu_memory, deployment.card
    if stated is None or card is None or card.memory is None or card.torch_memory is None:
        return stated
    is_own = CARD_OWN_FROM * card.memory <= stated <= CARD_OWN_TO * card.memory
    return None if is_own else stated
