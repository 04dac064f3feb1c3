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
        ("", None, "no whole number"),
        ("0.5", None, "no whole number"),
        ("0", None, "found '0'; give at least 1 token"),
        ("-0", None, "at least 1 token"),
        ("1e400", None, "larger than anything"),
        ("9" * 30, None, "larger than anything"),
        ("9" * 5000, None, r"larger than anything|5,000 characters"),
        ("1e12", None, "at most 100,000,000"),
        ("8ｋ", None, "write it like 32768 or 32K"),
        ("10**30", None, "write it like 32768 or 32K"),
        *(
            (None, share, "a share from 0.0001 to 1")
            for share in ("3", "most", "nan", "inf", "-0", "0,5", "1e-300", "")
        ),
        (None, "1e400", "found '1e400'; give a share"),
        (None, "1_0", "found '1_0'; give a share"),
    ],
)
def test_a_load_that_cannot_be_is_one_sentence(context: str | None, share: str | None, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_load(context, share)


@pytest.mark.parametrize(
    ("context", "share", "load"),
    [
        ("８k", None, Load(context_tokens=8000)),
        ("1_000", None, Load(context_tokens=1000)),
        (None, "10%", Load(active_share=0.1)),
        (None, "0.0001", Load(active_share=0.0001)),
        (None, "１", Load(active_share=1.0)),
    ],
)
def test_a_load_is_read_as_people_write_it(context: str | None, share: str | None, load: Load) -> None:
    assert load == read_load(context, share)


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
