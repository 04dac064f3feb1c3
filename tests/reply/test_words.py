from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.deployment import Deployment
from bot.reply.words import cards, inner, per_token, requests, setting


@pytest.mark.parametrize(
    ("concurrency", "said"),
    [
        (0.2581, "0.26 requests"),
        (1.0, "1 request"),
        (1.004, "1 request"),
        (1.5, "1.5 requests"),
        (14.77, "14.8 requests"),
        (1234.5, "1,234 requests"),
    ],
)
def test_requests_are_said_without_idle_digits(concurrency: float, said: str):
    assert said == requests(concurrency)


@given(st.floats(0, 1, exclude_max=True))
def test_less_than_one_request_never_reads_as_one(concurrency: float):
    assert requests(concurrency) != "1 request"


def test_a_card_nobody_named_is_not_invented():
    assert cards(Deployment(gpu_count=2)) is None


def test_the_setting_leaves_out_what_is_unknown():
    assert "Llama-3.1-8B" == setting(Deployment(model="org/Llama-3.1-8B"))


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Give vLLM less of the card", "give vLLM less of the card"),
        ("A shorter context", "a shorter context"),
        ("KV cache in fp8", "KV cache in fp8"),
        ("CUDA graphs, off", "CUDA graphs, off"),
        ("", ""),
    ],
)
def test_a_title_goes_on_within_a_sentence(title: str, said: str):
    assert said == inner(title)


def test_small_caches_are_said_in_bytes():
    assert "900 B" == per_token(900)
