"""The inverses of a budget, tied to the budget itself."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.catalog.index import index
from bot.catalog.models import find_model
from bot.deployment import Deployment, Gpu
from bot.model_shape import Layer, LayerKind, LayerRun, ModelShape
from bot.sizing import limits
from bot.sizing.size import size
from bot.sizing.terms import Measured
from bot.units import Bytes

KINDS = st.sampled_from(
    [
        ((LayerKind.FULL, None, 32),),
        (
            (LayerKind.SLIDING, 1024, 5),
            (LayerKind.FULL, None, 1),
            (LayerKind.SLIDING, 1024, 5),
            (LayerKind.FULL, None, 1),
        ),
        ((LayerKind.SLIDING, 4096, 32),),
        ((LayerKind.CHUNKED, 8192, 3), (LayerKind.FULL, None, 1)),
    ]
)


@st.composite
def deployments(draw):
    pairs = draw(KINDS)
    head_dim = draw(st.sampled_from([64, 128]))
    heads = draw(st.sampled_from([8, 16, 32]))
    shape = ModelShape(
        name="made up",
        hidden=heads * head_dim,
        vocab=draw(st.sampled_from([32_000, 151_936])),
        intermediate=draw(st.sampled_from([8192, 14_336])),
        heads=heads,
        kv_heads=draw(st.sampled_from([1, 4, 8])),
        head_dim=head_dim,
        max_position=131_072,
        dtype="bfloat16",
        runs=tuple(LayerRun(layer=Layer(kind=kind, window=window), count=count) for kind, window, count in pairs),
    )
    return Deployment(
        shape=shape,
        card=Gpu(name="made up", torch_memory=Bytes.gib(draw(st.sampled_from([14, 22, 79]))), compute_capability=8.9),
        vllm_version=draw(st.sampled_from(["0.7.3", "0.8.5", "0.10.2", "0.14.0", "0.19.0", "0.26.0", "0.33.0"])),
        gpu_memory_utilization=draw(st.sampled_from([0.5, 0.8, 0.9])),
        max_model_len=draw(st.sampled_from([2048, 8192, 40_000, 131_072])),
    )


CATALOGUED = st.sampled_from([head.id for head in index().heads if head.downloads > 0])


@st.composite
def catalogued(draw):
    shape = find_model(draw(CATALOGUED)).shape
    assume(shape is not None)
    return Deployment(
        shape=shape,
        card=Gpu(name="made up", torch_memory=Bytes.gib(79), compute_capability=9.0),
        vllm_version=draw(st.sampled_from(["0.8.5", "0.10.2", "0.13.0", "0.19.0", "0.33.0"])),
        max_model_len=draw(st.sampled_from([2048, 8192, 32_768])),
    )


POOLS = st.floats(0.5, 60).map(lambda amount: Measured(kv_available=Bytes.gib(amount)))


@given(st.one_of(deployments(), catalogued()), POOLS)
@settings(max_examples=80, deadline=None)
def test_the_longest_context_fits_and_one_block_more_does_not(deployment, measured):
    longest = limits.longest_context(deployment, measured)
    block = size(deployment, measured).block_size

    if longest:
        assert size(deployment.with_(max_model_len=longest), measured).fits
    if longest + block <= (deployment.shape.max_position or deployment.max_model_len):
        assert not size(deployment.with_(max_model_len=longest + block), measured).fits


@given(deployments())
@settings(max_examples=40, deadline=None)
def test_the_longest_context_holds_without_a_measured_pool_too(deployment):
    longest = limits.longest_context(deployment)

    if longest:
        assert (
            size(deployment.with_(max_model_len=longest)).kv_needed
            <= size(deployment.with_(max_model_len=longest)).kv_available
        )


@given(st.one_of(deployments(), catalogued()), st.floats(1, 40), st.floats(0.1, 20))
@settings(max_examples=60, deadline=None)
def test_more_memory_is_never_fewer_tokens(deployment, amount, more):
    less = size(deployment, Measured(kv_available=Bytes.gib(amount)))

    assert less.kv_tokens <= size(deployment, Measured(kv_available=Bytes.gib(amount + more))).kv_tokens


@given(st.one_of(deployments(), catalogued()), POOLS, st.integers(1, 60_000), st.integers(1, 60_000))
@settings(max_examples=60, deadline=None)
def test_a_longer_context_is_never_more_requests(deployment, measured, length, more):
    short = size(deployment.with_(max_model_len=length), measured)

    assert short.concurrency >= size(deployment.with_(max_model_len=length + more), measured).concurrency


@given(st.one_of(deployments(), catalogued()), POOLS)
@settings(max_examples=60, deadline=None)
def test_a_smaller_kv_dtype_is_never_fewer_tokens(deployment, measured):
    wide, narrow = (size(deployment.with_(kv_cache_dtype=dtype), measured) for dtype in ("bfloat16", "fp8"))

    assert narrow.kv_tokens >= wide.kv_tokens


@given(deployments(), POOLS)
@settings(max_examples=40, deadline=None)
def test_ranks_beyond_the_kv_heads_do_not_help_the_kv_cache(deployment, measured):
    heads = deployment.shape.kv_heads
    equal, beyond = (
        size(deployment.with_(tensor_parallel=ranks), measured).bytes_per_block for ranks in (heads, heads * 2)
    )

    assert equal == beyond


def test_most_sequences_are_held_at_full_length(llama_on_h100):
    most = limits.most_sequences(llama_on_h100)

    assert size(llama_on_h100.with_(max_num_seqs=most)).concurrency >= most
    assert size(llama_on_h100.with_(max_num_seqs=most + 1)).concurrency < most + 1


def test_no_sequence_is_held_where_nothing_fits(llama_on_h100):
    assert 0 == limits.most_sequences(llama_on_h100.with_(gpu_memory_utilization=0.2))


def test_the_fewest_gpus_hold_a_request_and_half_do_not(llama_8b, l4):
    deployment = Deployment(shape=llama_8b, card=l4, vllm_version="0.19.0", max_model_len=131_072)
    fewest = limits.fewest_gpus(deployment)

    assert size(deployment.with_(tensor_parallel=fewest)).fits
    assert not size(deployment.with_(tensor_parallel=fewest // 2)).fits


def test_no_number_of_gpus_helps_where_nothing_divides(gemma_27b, t4):
    deployment = Deployment(shape=gemma_27b, card=t4, vllm_version="0.19.0", max_model_len=131_072)

    assert limits.fewest_gpus(deployment, most=2) is None


def test_the_lowest_utilization_holds_a_request_and_one_step_less_does_not(llama_on_h100):
    lowest = limits.lowest_utilization(llama_on_h100)

    assert size(llama_on_h100.with_(gpu_memory_utilization=lowest)).fits
    assert not size(llama_on_h100.with_(gpu_memory_utilization=lowest - 0.01)).fits


def test_no_utilization_helps_a_context_that_never_fits(llama_8b, l4):
    deployment = Deployment(shape=llama_8b, card=l4, vllm_version="0.19.0", max_model_len=131_072)

    assert limits.lowest_utilization(deployment) is None


@pytest.mark.parametrize("facts", [{"vllm_version": "0.7.3"}, {"vllm_version": "0.19.0", "chunked_prefill": False}])
def test_whole_prompts_pay_for_a_longer_context_with_a_larger_batch(llama_8b, l4, facts):
    whole = Deployment(shape=llama_8b, card=l4, gpu_memory_utilization=0.95, max_model_len=4096, **facts)
    longest = limits.longest_context(whole)

    assert size(whole.with_(max_model_len=longest)).fits
    assert not size(whole.with_(max_model_len=longest + 16)).fits


def test_the_fewest_stages_hold_a_request_and_one_less_does_not(llama_8b, l4):
    deployment = Deployment(shape=llama_8b, card=l4, vllm_version="0.19.0", max_model_len=131_072)
    stages = limits.fewest_stages(deployment)

    assert size(deployment.with_(pipeline_parallel=stages)).fits
    assert not size(deployment.with_(pipeline_parallel=stages - 1)).fits


def test_no_number_of_stages_helps_where_one_layer_is_too_large(llama_8b, l4):
    tiny = l4.model_copy(update={"torch_memory": Bytes.gib(1)})

    assert limits.fewest_stages(Deployment(shape=llama_8b, card=tiny, vllm_version="0.19.0"), most=4) is None


def test_what_cannot_be_sized_does_not_start(llama_on_h100):
    assert limits.starts(llama_on_h100)
    assert not limits.starts(Deployment())


@pytest.mark.parametrize(
    "figure", [{"kv_tokens": 100_000}, {"kv_available": Bytes.gib(12.2)}, {"concurrency": 6.1}], ids=str
)
def test_the_lowest_utilization_starts_from_the_cache_of_a_log(llama_on_h100, figure):
    told = llama_on_h100.with_(max_model_len=16_384, gpu_memory_utilization=0.9)
    lowest = limits.lowest_utilization(told, Measured.model_validate(figure))

    spare = size(told, Measured.model_validate(figure)).kv_available - size(told).kv_needed
    assert pytest.approx(0.9 - spare / size(told).total, abs=0.011) == lowest
