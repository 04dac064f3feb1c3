"""What is spelt like a name that nobody knows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.catalog.gpu_rows import MEMORY, cards, squeeze
from bot.catalog.index import index
from bot.deployment import Gpu

MOST = 3
_LIKE_A_MODEL = 80.0  # likeness, of 100
_LIKE_A_CARD = 0.7  # of 1
_LONGER = re.compile(r"([a-z]*\d+)(?:[a-rt-z]|[a-z]{2})")


def close_models(name: str) -> tuple[str, ...]:
    """Return the models whose base name is spelt most like a name, none where it could be any word.

    >>> close_models("Qwen3-8BB")[0]
    'Qwen/Qwen3-8B'
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # for names that nobody knows only

    base = name.rpartition("/")[2].lower()
    if not any(sign.isdigit() for sign in base):
        return ()
    known = index().by_base
    found = process.extract(base, known.keys(), scorer=fuzz.ratio, score_cutoff=_LIKE_A_MODEL, limit=MOST)
    return tuple(known[match[0]][0].id for match in found)


def unlisted_letters(name: str) -> str | None:
    """Return the word of a card's name that goes on with letters where every listed name ends; a plural does not.

    >>> unlisted_letters("NVIDIA L40X")
    'L40X'
    """
    listed = {listed for row in cards() for listed in row.names}
    for word in re.split(r"[\s_-]+", name):
        plain = squeeze(word)
        longer = _LONGER.fullmatch(plain)
        if longer and plain not in listed and longer[1] in listed:
            return word
    return None


def told_apart(others: Sequence[Gpu]) -> str:
    """Return what tells cards of one name apart: their memory, where each states it in its name.

    >>> told_apart([Gpu(name="A100 SXM4 40GB"), Gpu(name="A100 PCIe 40GB")]), told_apart([Gpu(name="H100 MIG 1g.10gb")])
    ('one of 40 GB', 'H100 MIG 1g.10gb')
    """
    said = [None if " MIG " in card.name else MEMORY.search(card.name) for card in others]
    sizes = dict.fromkeys(f"{found[1]} GB" for found in said if found)
    return f"one of {' or '.join(sizes)}" if all(said) else ", ".join(card.name for card in others)


def close_cards(name: str) -> tuple[str, ...]:
    """Return the cards whose name is spelt most like a name.

    >>> close_cards("Jetson Orin")
    ('Jetson Orin NX 16GB', 'Jetson Orin Nano 8GB', 'Jetson AGX Orin 64GB')
    """
    from difflib import get_close_matches  # noqa: PLC0415  # for names that nobody knows only

    names = (row.card.name for row in cards() if not row.mig)
    known = {card.lower().removeprefix("geforce ").removeprefix("tesla "): card for card in names}
    return tuple(known[match] for match in get_close_matches(name.lower(), known, n=MOST, cutoff=_LIKE_A_CARD))
