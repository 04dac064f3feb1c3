from __future__ import annotations

from bot.slack.sizes.suggest import MOST, suggest


def test_models_are_found_by_any_words_of_their_name() -> None:
    assert any("Llama-3.1-8B" in name for name in suggest("model", "llama 3.1 8b"))


def test_cards_are_found_in_any_case() -> None:
    assert any("H100" in name for name in suggest("gpu", "h100"))


def test_no_more_names_are_offered_than_anybody_reads() -> None:
    assert len(suggest("model", "a")) <= MOST


def test_nothing_is_offered_for_what_is_no_name() -> None:
    assert () == suggest("max_model_len", "8")


def test_nothing_is_offered_before_anything_is_typed() -> None:
    assert () == suggest("model", " ")
