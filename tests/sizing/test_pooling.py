"""Models that write, served to embed or to score."""

import pytest

from bot.deployment import Deployment
from bot.sizing.checks.refusals import refuse
from bot.sizing.pooling import as_served
from bot.sizing.size import size


@pytest.mark.parametrize(
    "arguments",
    [("--task", "embed"), ("--task=reward",), ("--runner", "pooling"), ("--seed", "1", "--convert", "classify")],
)
def test_what_is_served_to_embed_or_score_has_no_output_matrix(llama_8b, arguments):
    assert not as_served(Deployment(shape=llama_8b, other_arguments=arguments)).shape.wiring.has_lm_head


@pytest.mark.parametrize("arguments", [(), ("--task", "generate"), ("--runner", "generate"), ("--task",)])
def test_what_is_served_to_write_keeps_it(llama_8b, arguments):
    assert as_served(Deployment(shape=llama_8b, other_arguments=arguments)).shape.wiring.has_lm_head


def test_an_output_matrix_less_is_loaded(llama_8b, h100):
    told = Deployment(shape=llama_8b, card=h100, vllm_version="0.19.0")
    embedding = told.with_(other_arguments=("--runner", "pooling"))

    weights = [size(one).term("weights").amount for one in (told, embedding)]
    assert 2 * 128_256 * 4096 == pytest.approx(weights[0] - weights[1], rel=0.001)


@pytest.mark.parametrize("name", ["encoder", "speech"])
def test_a_prompt_that_cannot_be_cut_is_not_cut_by_a_flag(name, request):
    told = Deployment(shape=request.getfixturevalue(name), chunked_prefill=True)

    assert as_served(told).chunked_prefill is None


def test_a_batch_shorter_than_a_prompt_that_cannot_be_cut_is_refused(encoder, l4):
    told = Deployment(shape=encoder, card=l4, vllm_version="0.19.0", chunked_prefill=True, max_num_batched_tokens=1024)

    assert ["max_num_batched_tokens"] == [refusal.name for refusal in refuse(told)]
