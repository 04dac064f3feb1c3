from __future__ import annotations

import pytest

from bot.sizing.size import size


def test_requests_between_two_lengths_lie_between_their_counts(llama_on_h100):
    budget = size(llama_on_h100.with_(max_model_len=32_768))

    assert budget.requests_of(12_288) == pytest.approx(budget.kv_tokens / 12_288, rel=0.001)


def test_requests_of_the_full_length_are_the_concurrency(llama_on_h100):
    budget = size(llama_on_h100.with_(max_model_len=30_000))

    assert budget.concurrency == budget.requests_of(30_000)


def test_requests_of_more_than_the_full_length_are_counted_by_their_tokens(llama_on_h100):
    budget = size(llama_on_h100.with_(max_model_len=8192))

    assert budget.kv_tokens / 16_384 == budget.requests_of(16_384)
