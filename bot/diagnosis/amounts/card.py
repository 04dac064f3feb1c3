"""What the catalogue knows of the card: amounts that need no budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.deployment import Gpu
from bot.diagnosis.amounts.amount import Amount, facts_named, lines_from
from bot.diagnosis.situation import Situation


def _of_card(meaning: str, read: Callable[[Gpu], Any]) -> Amount:
    def of(situation: Situation) -> Any:
        card = situation.deployment.card
        return None if card is None else read(card)

    return Amount(of, facts_named("gpu"), lines_from("gpu"), meaning)


CARD_AMOUNTS: Mapping[str, Amount] = {
    "compute_capability": _of_card("the card's compute capability, as 8.9", lambda card: card.compute_capability),
    "card_is_unified": _of_card("whether card and host share their memory", lambda card: card.is_unified),
    "card_has_fp8": _of_card("whether the card computes in fp8", lambda card: card.has_fp8),
    "card_has_nvlink": _of_card("whether the card has NVLink", lambda card: card.has_nvlink),
    "card_vendor": _of_card("nvidia, amd or intel", lambda card: card.vendor),
}
