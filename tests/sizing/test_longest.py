"""The longest context where its length decides how much is left for the KV cache."""

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bot.catalog.gpus import find_gpu
from bot.catalog.index import index
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.sizing.checks.refusals import refuse
from bot.sizing.size import size

CATALOGUED = st.sampled_from([head.id for head in index().heads if head.downloads > 0])


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


def test_the_longest_context_is_looked_for_on_both_sides_of_where_v0_chunks():
    """Whole prompts hold up to 23,000 tokens, chunked ones from 32,769 to 56,000."""
    shape, card = find_model("Qwen/Qwen2.5-7B-Instruct-1M").shape, find_gpu("L4").card
    found = size(Deployment(shape=shape, card=card, vllm_version="0.6.6", gpu_memory_utilization=0.86))

    assert 32_768 < found.longest_context < 60_000


def test_a_longer_context_takes_a_longer_video_into_the_profile():
    shape, card = find_model("Qwen/Qwen2.5-VL-7B-Instruct").shape, find_gpu("RTX 3090").card
    told = Deployment(shape=shape, card=card, vllm_version="0.23.0", gpu_memory_utilization=0.95, max_num_seqs=8)
    longest = size(told).longest_context

    assert [True, False] == [has_room(told.with_(max_model_len=length)) for length in (longest, longest + 16)]
    assert longest == size(told.with_(max_model_len=4096)).longest_context
