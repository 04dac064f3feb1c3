"""How much a description asks a deployment to serve."""

import pytest

from bot.diagnosis.wordings.load_words import find_load


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("32 requests", 32),
        ("64 concurrent", 64),
        ("64 in parallel", 64),
        ("64 in flight", 64),
        ("batch size 64", 64),
        ("batch_size=64", 64),
        ("20 users at the same time", 20),
        ("100 users, 10 active", 10),
        ("1 user", 1),
    ],
)
def test_what_runs_at_the_same_time_needs_no_remark(text, count):
    found = find_load(f"qwen3-14b on L40S, {text}")

    assert (count, ()) == (found.concurrency, found.sentences)


@pytest.mark.parametrize(
    ("text", "count", "usual"),
    [
        ("20 users", 20, 2),
        ("1,500 people", 1_500, 150),
        ("2k active users", 2_000, 200),
        ("40-60 users", 60, 6),
        ("1 million users", 1_000_000, 100_000),
        ("1000 DAU", 1_000, 100),
    ],
)
def test_people_count_as_a_request_each_and_how_many_usually_wait_is_said(text, count, usual):
    found = find_load(f"qwen3-14b on L40S for {text}")

    assert (count, f"I took {text} for {count:,} requests at the same time.") == (
        found.concurrency,
        found.sentences[0].partition(" Usually")[0],
    )
    assert f"'{usual:,} concurrent users' sizes that." in found.sentences[0]


@pytest.mark.parametrize(
    ("text", "running"),
    [
        ("50 rps", 500),
        ("20 QPS", 200),
        ("3000 rpm", 500),
        ("50 req/s", 500),
        ("5 requests a minute", 1),
        ("1M requests per day", 116),
    ],
)
def test_a_rate_is_turned_into_requests_at_the_same_time_and_not_counted(text, running):
    found = find_load(f"qwen3-14b on L40S, {text}")

    assert None is found.concurrency
    assert f"Write it like '{running:,} concurrent requests'." in found.sentences[0]


def test_a_rate_beside_a_number_at_once_needs_no_remark():
    assert (64, ()) == find_load("50 rps, 64 in flight")[:2]


def test_a_speed_is_told_from_a_number_of_requests():
    found = find_load("qwen3-14b on L40S at 2000 tokens/s")

    assert (None, True) == (found.concurrency, found.sentences[0].startswith("2000 tokens/s is a speed"))


@pytest.mark.parametrize("text", ["0 users", "for our users", "1.5 users", "10 requests per user", "on 2 L40S, tp 2"])
def test_what_is_no_number_of_requests_is_none(text):
    assert (None, ()) == find_load(text)[:2]


def test_the_rest_is_the_description_without_it():
    assert "qwen3-14b on L40S" == " ".join(find_load("qwen3-14b on L40S 200 users 50 rps batch size 8").rest.split())
