"""What the catalogue knows of a card, as amounts."""

from __future__ import annotations

from bot.deployment import Deployment, Gpu
from bot.diagnosis.amounts.card import CARD_AMOUNTS
from tests.diagnosis.makers import a_situation


def test_a_card_says_what_it_can():
    card = Gpu(name="L4", compute_capability=8.9)
    situation = a_situation(Deployment(gpu="L4", card=card))

    assert (8.9, card.has_fp8) == tuple(
        CARD_AMOUNTS[name].of(situation) for name in ("compute_capability", "card_has_fp8")
    )


def test_an_unknown_card_says_nothing():
    assert {None} == {amount.of(a_situation()) for amount in CARD_AMOUNTS.values()}
