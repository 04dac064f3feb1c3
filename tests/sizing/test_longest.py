"""The longest context where its length decides how much is left for the KV cache."""

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bot.catalog.gpus import find_gpu
from bot.catalog.index import index
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.sizing.checks.refusals import refuse
from bot.sizing.longest import largest
from bot.sizing.size import size

CATALOGUED = st.sampled_from([head.id for head in index().heads if head.downloads > 0])


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 80))
def test_the_largest_is_the_last_that_holds(low, high, last):
    assert max((number for number in range(low, high + 1) if number <= last), default=0) == largest(
        low, high, lambda number: number <= last
    )


@st.composite
def whole_prompts(draw):
    """Draw a deployment whose batch must take a whole prompt: its context decides how much is left for the KV cache."""
    shape = find_model(draw(CATALOGUED)).shape
    assume(shape is not None and shape.max_position)
    version, chunks = draw(st.sampled_from([("0.4.2", None), ("0.6.6", None), ("0.6.6", False), ("0.10.2", False)]))
    deployment = Deployment(
        shape=shape,
        card=find_gpu(draw(st.sampled_from(["T4", "L4", "RTX 4090", "A100-80GB"]))).card,
        vllm_version=version,
        chunked_prefill=chunks,
        max_model_len=draw(st.sampled_from([None, 4096, 29_000, 45_000])),
    )
    assume(not refuse(deployment))
    return deployment


def has_room(deployment):
    budget = size(deployment)
    return budget.kv_needed <= budget.kv_available


@given(whole_prompts(), st.floats(0.01, 1))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_a_whole_prompt_s_longest_context_fits_and_nothing_longer_does(deployment, share):
    longest, most = size(deployment).longest_context, deployment.shape.max_position
    other = max(1, int(most * share))

    assert longest == 0 or has_room(deployment.with_(max_model_len=longest))
    assert other <= longest or not has_room(deployment.with_(max_model_len=other))


def test_a_context_that_v0_profiles_in_chunks_may_be_longer_than_one_it_does_not():
    long = Deployment(
        shape=find_model("Qwen/Qwen2.5-7B-Instruct-1M").shape, card=find_gpu("L4").card, vllm_version="0.6.6"
    )

    assert [False, True] == [has_room(long.with_(max_model_len=length)) for length in (30_000, 32_769)]
    assert size(long.with_(max_model_len=30_000)).longest_context > 32_768
