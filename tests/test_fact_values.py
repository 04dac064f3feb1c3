"""What people and programs give, read as values of facts."""

from __future__ import annotations

import pytest

from bot.deployment import Speculation
from bot.fact_values import fact_value, quote


@pytest.mark.parametrize("raw", [{"B": 2, "A": "1"}, [("A", "1"), ["B", "2"]], "A=1 B=2"])
def test_variables_are_read_however_they_are_given(raw):
    assert (("A", "1"), ("B", "2")) == fact_value("environment", raw)


@pytest.mark.parametrize(
    ("name", "raw"), [("environment", 5), ("environment", ["A"]), ("multimodal_limits", "two"), ("speculation", "fast")]
)
def test_what_is_no_such_value_is_a_sentence(name, raw):
    with pytest.raises(ValueError, match="write"):
        fact_value(name, raw)


@pytest.mark.parametrize(("name", "raw"), [("wrappers", "x"), ("manifest", 3)])
def test_what_stands_around_a_command_is_set_by_nobody(name, raw):
    with pytest.raises(ValueError, match="read off a command") as refused:
        fact_value(name, raw)

    assert "pydantic" not in str(refused.value)


@pytest.mark.parametrize(
    "raw",
    [
        {"method": "mtp", "tokens": 3},
        '{"method": "mtp", "tokens": 3}',
        '{"method": "mtp", "num_speculative_tokens": 3}',
    ],
)
def test_speculation_reads_as_a_mapping_as_json_and_as_vllms_flag(raw):
    assert Speculation(method="mtp", tokens=3) == fact_value("speculation", raw)


@pytest.mark.parametrize("raw", ["mtp:3", "[" * 100_000, "{}[", 3])
def test_what_is_no_speculation_says_how_it_is_written(raw):
    with pytest.raises(ValueError, match="write it like"):
        fact_value("speculation", raw)


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("gpu_memory_utilization", 1e308),
        ("max_model_len", 10**400),
        ("gpu_memory", -(10**400)),
        ("gpu_memory", "9" * 400 + " GiB"),
        ("kv_available", 10**400),
    ],
)
def test_what_would_overflow_is_no_value(name, raw):
    with pytest.raises(ValueError, match=r"larger than|more memory than"):
        fact_value(name, raw)


@pytest.mark.parametrize("name", ["max_model_len", "gpu_memory_utilization", "enforce_eager", "engine", "speculation"])
def test_what_is_long_is_quoted_with_its_length(name):
    with pytest.raises(ValueError, match="characters") as told:
        fact_value(name, "lots" * 10_000)

    assert len(str(told.value)) < 160
    assert "40,000 characters" in str(told.value)


def test_one_of_a_few_words_is_taken_in_any_case_and_no_other_word_is():
    assert "V0" == fact_value("engine", "v0")
    with pytest.raises(ValueError, match="'V2' is none of V0, V1"):
        fact_value("engine", "V2")


def test_a_quotation_closes_as_it_opens_and_counts_what_was_given():
    assert "\"it's " == quote("it's " + "\n" * 50)[:6]
    assert quote("it's " + "\n" * 50).endswith('…" (55 characters)')
    assert quote([10] * 30).endswith("… (120 characters)")


@pytest.mark.parametrize("raw", [[1, 2, 4], "1 2 4", "[1, 2, 4]", "1,2,4"])
def test_several_counts_are_read_however_they_are_written(raw):
    assert (1, 2, 4) == fact_value("cudagraph_capture_sizes", raw)


@pytest.mark.parametrize("name", ["instances", "longest_request", "wanted_concurrency", "host_memory", "used"])
def test_what_a_person_tells_has_a_least(name):
    with pytest.raises(ValueError, match="is too little; it is at least"):
        fact_value(name, "-1 B" if name in {"host_memory", "used"} else "-1")


def test_a_part_of_a_byte_wants_a_unit():
    with pytest.raises(ValueError, match="has no unit; write it like 8 GiB"):
        fact_value("kv_cache_memory", "1.5")
