"""What is asked beside a deployment."""

from __future__ import annotations

import pytest

from bot.consult import at_hand
from bot.diagnosis.options import Load, read_fields, read_load, split_options


@pytest.mark.parametrize(
    ("typed", "sweeps"),
    [
        ("qwen3-8b on L4", ()),
        ("qwen3-8b on L4 --sweep max_model_len=8K,16K", ("max_model_len=8K,16K",)),
        ("--sweep=tp=1,2 qwen3-8b on L4", ("tp=1,2",)),
        ("qwen3-8b --sweep gpu=L4, L40S , A10 on L4", ("gpu=L4,L40S,A10",)),
        ("qwen3-8b —sweep tp=1,2 on L4", ("tp=1,2",)),
        ("qwen3-8b on L4 --sweep tp=1,2 --sweep max_num_seqs=8,16", ("tp=1,2", "max_num_seqs=8,16")),
    ],
)
def test_what_ifs_are_taken_out_of_a_description(typed: str, sweeps: tuple[str, ...]) -> None:
    options = split_options(typed)

    assert sweeps == options.sweeps
    assert "sweep" not in options.text
    assert "qwen3-8b" in options.text


def test_a_description_without_options_is_left_as_it_is() -> None:
    assert "two\nlines  of --seed 3" == split_options("two\nlines  of --seed 3").text


def test_a_load_is_taken_out_too() -> None:
    options = split_options("qwen3-8b on L4 --context 8K --active-share 0.2")

    assert ("qwen3-8b on L4", True) == (options.text, options.has_load)
    assert Load(context_tokens=8192, active_share=0.2) == read_load(options.context, options.active_share)


def test_a_load_that_nobody_stated_is_a_usual_one() -> None:
    assert Load() == read_load(None, None)


@pytest.mark.parametrize(
    ("context", "share", "sentence"),
    [
        ("many", None, "no whole number"),
        ("0", None, "at least 1"),
        (None, "3", "at most 1"),
        (None, "most", "no number"),
    ],
)
def test_a_load_that_cannot_be_is_one_sentence(context: str | None, share: str | None, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_load(context, share)


def test_fields_go_by_flags_and_by_facts() -> None:
    fields = read_fields(("tp=1,2", "max-model-len=8K", "kv_cache_dtype=auto,fp8"), at_hand().flags, 10)

    assert {"tensor_parallel": [1, 2], "max_model_len": [8192], "kv_cache_dtype": ["auto", "fp8"]} == fields


@pytest.mark.parametrize(
    ("sweep", "sentence"),
    [
        ("max_model_len", "write it like"),
        ("max_modle_len=8K", "did you mean max_model_len"),
        ("max_model_len=1,2,3,4,5", "too many"),
        ("model=acme/nothing-7b", "I do not know the model"),
        ("gpu=Parrot", "I do not know the GPU"),
    ],
)
def test_what_ifs_that_cannot_be_are_one_sentence(sweep: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_fields((sweep,), at_hand().flags, 4)
