"""Batches that a prompt does not fit."""

import pytest

from bot.deployment import Deployment
from bot.sizing.checks.batches import doubts, refuse
from bot.sizing.checks.refusals import refuse as refuse_all
from bot.sizing.defaults import with_defaults


def a_batch(shape, **facts):
    return Deployment(**{"shape": shape, "max_num_batched_tokens": 512, "max_num_seqs": 64, **facts})


def doubts_of(asked):
    return doubts(asked, with_defaults(asked)[0])


@pytest.mark.parametrize(
    ("version", "chunked", "refusals"),
    [
        ("0.7.3", None, 0),  # 131,072 tokens turn it on
        ("0.7.3", False, 1),
        ("0.8.5", False, 0),
        ("0.11.0", False, 0),
        ("0.11.1", False, 1),
        ("0.33.0", None, 0),
        (None, False, 1),
    ],
)
def test_without_chunks_the_longest_prompt_must_fit_the_batch(llama_8b, version, chunked, refusals):
    found = list(refuse(a_batch(llama_8b, vllm_version=version, chunked_prefill=chunked)))

    assert ["max_num_batched_tokens"] * refusals == [refusal.name for refusal in found]


def test_v0_takes_whole_prompts_by_default(llama_8b):
    (refusal,) = refuse(a_batch(llama_8b, vllm_version="0.7.3", max_model_len=8192))

    assert refusal.message.startswith("max_num_batched_tokens (512) is smaller than max_model_len (8,192)")


def test_a_context_that_vllm_fits_itself_is_refused_nothing(llama_8b):
    assert [] == list(refuse(a_batch(llama_8b, chunked_prefill=False, auto_max_model_len=True)))


def test_a_batch_that_a_log_shows_running_is_not_refused(llama_8b):
    assert () == refuse_all(a_batch(llama_8b, chunked_prefill=False), is_loaded=True)


def test_a_flag_that_v1_does_not_hear_is_said(llama_8b):
    said = [
        list(doubts_of(a_batch(llama_8b, vllm_version=version, chunked_prefill=False)))
        for version in ("0.11.0", "0.11.1")
    ]

    assert ([True], 0) == (["changes nothing before 0.11.1" in text for text in said[0]], len(said[1]))


def test_chunks_that_are_cut_are_no_doubt(llama_8b):
    assert [] == list(doubts_of(a_batch(llama_8b, chunked_prefill=True)))


def test_chunks_of_a_prompt_that_cannot_be_cut_are_doubted(encoder):
    assert [True] == ["cannot be cut" in said for said in doubts_of(a_batch(encoder, chunked_prefill=True))]
