"""What a start takes that compiles first."""

import pytest

from bot.deployment import Deployment, Gpu
from bot.model_shape import Vision
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead import activations, beside
from bot.sizing.resolved import resolve
from bot.sizing.size import size
from bot.units import Bytes

CARD = Gpu(name="RTX 4090", torch_memory=Bytes.gib(23.5), compute_capability=8.9)


def run(shape, **facts):
    facts = {"vllm_version": "0.28.0", "max_num_batched_tokens": 2048, "max_num_seqs": 16} | facts
    return resolve(with_defaults(Deployment(shape=shape, card=CARD, **facts))[0])


def peak(shape, cache, **facts):
    return activations.activation(run(shape, compile_cache=cache, **facts))


@pytest.mark.parametrize(
    ("sizes", "facts", "logged"),
    [
        ({"hidden": 5120, "vocab": 248_320}, {"max_num_batched_tokens": 8192}, 2.59),  # Qwen3.8-27B on one RTX 8000
        ({"hidden": 2048, "vocab": 151_936, "intermediate": 2048}, {"max_num_batched_tokens": 8192}, 0.67),  # H100
        ({"hidden": 5120, "vocab": 151_936}, {}, 1.46),  # Qwen3-14B on one RTX 5090
    ],
)
def test_the_peak_of_a_first_start_is_the_table_of_embeddings(llama_8b, sizes, facts, logged):
    found = peak(llama_8b.model_copy(update={"intermediate": 4096} | sizes), "cold", **facts)

    assert found.low / 2**30 < logged + 0.01
    assert found.amount / 2**30 == pytest.approx(logged, rel=0.07)
    assert logged < found.high / 2**30
    assert "next one" in found.doubt


def test_each_rank_has_its_part_of_the_table(llama_8b):
    """Qwen3-32B on two RTX 4090 with 0.28 and 3,584 batched tokens: 0.47 GiB less for the KV cache than the next start."""
    shape = llama_8b.model_copy(update={"hidden": 5120, "vocab": 151_936, "intermediate": 25_600})
    facts = {"tensor_parallel": 2, "max_num_batched_tokens": 3584, "max_num_seqs": 40}
    cold, warm = (peak(shape, cache, **facts).amount for cache in ("cold", "warm"))

    assert (cold - warm) / 2**30 == pytest.approx(0.47, abs=0.1)


@pytest.mark.parametrize(("facts", "has_table"), [({}, False), ({"language_model_only": True}, True)])
def test_a_model_that_takes_images_is_handed_embeddings_and_compiles_without_the_table(llama_8b, facts, has_table):
    """Qwen3.8-27B with 0.27 and 0.28, compiling: peaks of 0.85 and 1.84 GiB, and a table of 2.37."""
    shape = llama_8b.model_copy(update={"hidden": 5120, "vocab": 248_320, "vision": Vision()})
    cold, warm = (
        peak(shape, cache, max_num_batched_tokens=8192, skip_mm_profiling=True, **facts).amount
        for cache in ("cold", "warm")
    )

    assert has_table is (cold - warm > 2**30)


def test_a_large_batch_hides_what_compiling_needs(llama_8b):
    cold, warm = (peak(llama_8b, cache, max_num_batched_tokens=32_768).amount for cache in ("cold", "warm"))

    assert cold == warm


def test_where_nobody_tells_the_range_allows_for_a_first_start(llama_8b):
    untold, cold, warm = (peak(llama_8b, cache) for cache in (None, "cold", "warm"))

    assert untold.amount == warm.amount
    assert untold.high == cold.high
    assert "first start" in untold.doubt


def test_the_table_is_looked_up_in_the_first_stage(llama_8b):
    facts = run(llama_8b, compile_cache="cold", pipeline_parallel=2, vllm_version="0.28.0")
    first, last = (activations.activation(facts, samples=samples).amount for samples in (False, True))

    assert first > last


@pytest.mark.parametrize(
    "facts", [{"enforce_eager": True}, {"optimization_level": 0}, {"compilation_mode": 0}, {"vllm_version": "0.18.0"}]
)
def test_nothing_is_compiled_eagerly_or_counts_before_0_19(llama_8b, facts):
    assert peak(llama_8b, "cold", **facts) == peak(llama_8b, "warm", **facts)


def test_loaded_code_may_stay(llama_8b):
    cold, warm = (beside.non_torch(run(llama_8b, compile_cache=cache), CARD.torch_memory) for cache in ("cold", "warm"))

    assert cold.low == warm.low
    assert (cold.high - warm.high) / 2**30 == pytest.approx(0.7)  # 0.53 and 0.64 GiB in two pairs of starts


def test_a_log_of_new_wording_needs_no_version_for_it(llama_on_h100):
    undated = llama_on_h100.with_(
        vllm_version=None, compile_cache="cold", version_since="0.28.0", max_num_seqs=8, max_num_batched_tokens=1024
    )

    assert "next one" in size(undated).term("activations").doubt
