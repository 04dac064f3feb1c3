"""How much of a card's work is under way at once."""

import pytest

from bot.catalog.gpus import find_gpu
from bot.sizing.overhead.processors import multiprocessors, resident_threads


@pytest.mark.parametrize(("name", "threads"), [("H100", 132 * 2048), ("RTX 4090", 128 * 1536), ("T4", 40 * 1024)])
def test_a_card_holds_so_many_threads_at_once(name, threads):
    assert threads == resident_threads(find_gpu(name).card)


def test_an_unknown_card_has_as_many_multiprocessors_as_an_a100():
    assert multiprocessors(find_gpu("A100").card) == multiprocessors(None)
