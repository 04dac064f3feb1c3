"""What must hold for every model of the catalogue, on every card and in every version."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bot import consult
from bot.catalog.gpus import find_gpu
from bot.catalog.index import index
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.model_shape import LayerKind
from bot.sizing import limits
from bot.sizing.checks.refusals import refuse
from bot.sizing.size import size
from bot.sizing.sweep import sweep
from bot.units import Bytes

MODELS = st.sampled_from([head.id for head in index().heads])
CARDS = st.sampled_from(["T4", "L4", "A10G", "RTX 4090", "L40S", "A100-40GB", "A100-80GB", "H100", "H200", "B200"])
VERSIONS = st.sampled_from(
    ["0.6.3", "0.8.5", "0.9.2", "0.10.2", "0.11.0", "0.14.0", "0.19.0", "0.21.0", "0.26.0", "0.33.0"]
)
WIDTHS = st.sampled_from([1, 1, 2, 4, 8])
LENGTHS = st.integers(256, 65_536)
OFTEN = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


@st.composite
def deployments(draw: st.DrawFn) -> Deployment:
    """Draw a deployment that vLLM would accept, its batch stated so that no default depends on the card."""
    shape = find_model(draw(MODELS)).shape
    assume(shape is not None)
    length = min(draw(LENGTHS), shape.max_position or 65_536)
    deployment = Deployment(
        model=shape.name,
        shape=shape,
        card=find_gpu(draw(CARDS)).card,
        vllm_version=draw(VERSIONS),
        tensor_parallel=draw(WIDTHS),
        max_model_len=length,
        max_num_seqs=draw(st.sampled_from([16, 256])),
        max_num_batched_tokens=draw(st.sampled_from([2048, 8192])),
        chunked_prefill=True,
    )
    assume(not refuse(deployment))
    return deployment


@given(deployments(), st.floats(0.3, 0.9), st.floats(0.01, 0.09))
@OFTEN
def test_a_larger_share_of_the_card_is_never_fewer_tokens(deployment, share, more):
    less = size(deployment.with_(gpu_memory_utilization=share))

    assert less.kv_tokens <= size(deployment.with_(gpu_memory_utilization=share + more)).kv_tokens


@given(deployments(), st.floats(8, 140), st.floats(0.1, 60))
@OFTEN
def test_a_larger_card_is_never_fewer_tokens(deployment, memory, more):
    less = size(deployment.with_(gpu_memory=Bytes.gib(memory)))

    assert less.kv_tokens <= size(deployment.with_(gpu_memory=Bytes.gib(memory + more))).kv_tokens


@given(deployments(), LENGTHS)
@OFTEN
def test_a_longer_context_is_never_more_sequences(deployment, more):
    short = size(deployment)

    assert short.concurrency >= size(deployment.with_(max_model_len=deployment.max_model_len + more)).concurrency


@given(deployments())
@OFTEN
def test_the_longest_context_fits_and_one_block_more_does_not(deployment):
    longest = limits.longest_context(deployment)
    block = size(deployment).block_size

    if longest:
        assert size(deployment.with_(max_model_len=longest)).kv_needed <= size(deployment).kv_available
    if longest + block <= (deployment.shape.max_position or deployment.max_model_len):
        assert not size(deployment.with_(max_model_len=longest + block)).fits


@given(deployments(), LENGTHS, st.sampled_from([32, 512]))
@OFTEN
def test_a_patch_and_a_sweep_agree(deployment, length, sequences):
    length = min(length, deployment.shape.max_position or length)
    patch = {"max_model_len": length, "max_num_seqs": sequences}
    (row,) = sweep(deployment, {name: [value] for name, value in patch.items()})
    budget = size(deployment.with_(**patch))

    assert (budget.fits, budget.kv_available, budget.kv_tokens, budget.concurrency, budget.longest_context) == (
        row.fits,
        row.kv_available,
        row.kv_tokens,
        row.concurrency,
        row.longest_context,
    )


@given(deployments())
@OFTEN
def test_ranks_beyond_the_kv_heads_do_not_help_the_kv_cache(deployment):
    shape = deployment.shape
    kinds = {kind for run in shape.runs for kind in (run.layer.kind, run.layer.beside or run.layer.kind)}
    assume(kinds <= {LayerKind.FULL, LayerKind.SLIDING, LayerKind.MLA})  # states are cut further
    heads = max([shape.kv_heads, *(run.layer.kv_heads or 0 for run in shape.runs)])
    equal, beyond = (size(deployment.with_(tensor_parallel=ranks)) for ranks in (heads, 2 * heads))

    assert beyond.kv_bytes_per_token >= equal.kv_bytes_per_token


@given(deployments())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_every_fix_offered_fits_when_sized_again(deployment):
    facts = {
        "model": deployment.model,
        "gpu": deployment.card.name,
        "gpu_count": deployment.tensor_parallel,
        "vllm_version": str(deployment.vllm_version),
    }
    diagnosis = consult.size(facts=facts).diagnosis

    for prescription in diagnosis.prescriptions:
        if prescription.budget:
            assert size(prescription.deployment).fits, prescription.title
            assert not [refusal for refusal in refuse(prescription.deployment) if refusal.name in prescription.patch]
