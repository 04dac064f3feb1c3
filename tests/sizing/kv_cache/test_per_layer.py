"""What layers keep of a token, on one GPU."""

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment, Speculation
from bot.model_shape import Layer, LayerKind, LayerRun, LinearState, ModelShape, Wiring
from bot.sizing.defaults import with_defaults
from bot.sizing.kv_cache import per_layer
from bot.sizing.resolved import resolve


def run(shape: ModelShape, **facts):
    return resolve(with_defaults(Deployment(shape=shape, **({"vllm_version": "0.19.0"} | facts)))[0])


@pytest.mark.parametrize(("ranks", "size"), [(1, 4096), (2, 2048), (8, 512), (16, 512), (32, 512)])
def test_kv_heads_are_dealt_out_and_then_replicated(llama_8b, ranks, size):
    ((spec, count),) = per_layer.specs(run(llama_8b, tensor_parallel=ranks))

    assert (spec.token_bytes, count) == (size, 32)


@pytest.mark.parametrize("ranks", [1, 8])
def test_a_latent_is_not_split(deepseek_v3, ranks):
    assert {1152} == {spec.token_bytes for spec, _ in per_layer.specs(run(deepseek_v3, tensor_parallel=ranks))}


def test_v0_padded_a_latent_to_256_bytes(deepseek_v3):
    found = run(deepseek_v3, vllm_version="0.7.3", engine="V0")

    assert 1280 == per_layer.specs(found)[0][0].token_bytes


def test_values_narrower_than_keys_count_from_0_14(llama_8b):
    layer = Layer(kind=LayerKind.FULL, kv_heads=4, head_dim=192, v_head_dim=128)
    shape = llama_8b.model_copy(update={"runs": (LayerRun(layer=layer, count=9),)})

    sizes = [per_layer.specs(run(shape, vllm_version=version))[0][0].token_bytes for version in ("0.13.0", "0.14.0")]
    assert sizes == [4 * 384 * 2, 4 * 320 * 2]


def test_an_index_of_keys_is_kept_beside_the_latent(deepseek_v3):
    sparse = Layer(kind=LayerKind.MLA, has_indexer=True)
    shape = deepseek_v3.model_copy(update={"runs": (LayerRun(layer=sparse, count=61),)})

    ((spec, _),) = per_layer.specs(run(shape, kv_cache_dtype="fp8"))
    assert (spec.token_bytes, spec.index_bytes) == (656 + 132, 132)


@pytest.mark.parametrize("kind", [LayerKind.SHARED, LayerKind.NONE])
def test_layers_that_borrow_or_do_not_attend_keep_nothing(llama_8b, kind):
    shape = llama_8b.model_copy(
        update={"runs": (*llama_8b.runs, LayerRun(layer=Layer(kind=kind), count=10))},
    )

    assert 32 == sum(count for _, count in per_layer.specs(run(shape)))


@pytest.mark.parametrize(("model", "layers"), [("google/gemma-3n-E4B-it", 35), ("google/gemma-3n-E2B-it", 30)])
def test_the_last_layers_of_gemma_3n_borrow(model, layers):
    shape = find_model(model).shape

    assert (layers, 20) == (shape.layers, sum(count for _, count in per_layer.specs(run(shape))))


@pytest.mark.parametrize(
    ("speculation", "layers"),
    [
        (Speculation(method="ngram", tokens=4), 61),
        (Speculation(method="mtp", tokens=1), 62),
        (Speculation(method="deepseek_mtp", tokens=1), 62),
        (Speculation(method="eagle", tokens=3), 62),
        (None, 61),
    ],
)
def test_a_draft_adds_its_own_layers(deepseek_v3, speculation, layers):
    assert layers == sum(count for _, count in per_layer.specs(run(deepseek_v3, speculation=speculation)))


def test_a_draft_model_adds_all_of_its_layers(llama_8b):
    draft = llama_8b.model_copy(update={"runs": (LayerRun(layer=Layer(kind=LayerKind.FULL), count=16),)})
    speculation = Speculation(method="draft_model", tokens=4, shape=draft)

    assert 48 == sum(count for _, count in per_layer.specs(run(llama_8b, speculation=speculation)))


def test_a_draft_model_keeps_its_own_heads(llama_8b):
    draft = llama_8b.model_copy(
        update={"runs": (LayerRun(layer=Layer(kind=LayerKind.FULL), count=16),), "kv_heads": 2, "head_dim": 64}
    )
    kept = per_layer.specs(run(llama_8b, speculation=Speculation(method="draft_model", tokens=4, shape=draft)))

    assert [(4096, 128, 32), (512, 64, 16)] == [(spec.token_bytes, spec.head_dim, count) for spec, count in kept]


def test_dflash_drafts_with_a_few_layers_of_its_own(qwen3_next):
    *_, (spec, count) = per_layer.specs(run(qwen3_next, speculation=Speculation(method="dflash", tokens=5)))

    assert (8 * 128 * 2 * 2, 128, 5) == (spec.token_bytes, spec.head_dim, count)


def test_a_layer_that_mixes_both_ways_keeps_both(llama_8b):
    both = Layer(kind=LayerKind.FULL, beside=LayerKind.MAMBA2)
    linear = LinearState(inner=2048, state=128, groups=1, heads=32, head_dim=64)
    shape = llama_8b.model_copy(update={"runs": (LayerRun(layer=both, count=24),), "linear": linear})

    found = per_layer.specs(run(shape))
    assert [("full", False, 24), ("mamba2", True, 24)] == [(spec.kind, spec.is_state, count) for spec, count in found]


def test_a_pooled_index_keeps_one_key_for_several_tokens(deepseek_v3):
    mla = deepseek_v3.mla.model_copy(update={"index_heads": 32, "index_head_dim": 128, "index_pool": 4})
    layer = LayerRun(layer=Layer(kind=LayerKind.MLA, has_indexer=True), count=11)
    ((spec, _),) = per_layer.specs(run(deepseek_v3.model_copy(update={"mla": mla, "runs": (layer,)})))

    assert (132 // 4, 1) == (spec.index_bytes, spec.tail_blocks)


def test_minimax_m3_keeps_an_index_key_beside_its_heads(llama_8b):
    layers = (
        LayerRun(layer=Layer(kind=LayerKind.FULL), count=3),
        LayerRun(layer=Layer(kind=LayerKind.FULL, has_indexer=True), count=57),
    )
    shape = llama_8b.model_copy(update={"model_type": "minimax_m3", "kv_heads": 4, "runs": layers})
    kept = per_layer.specs(run(shape, tensor_parallel=8))

    assert 60 * 512 + 57 * 256 == sum(spec.token_bytes * count for spec, count in kept)


def test_an_indexed_layer_of_qwen4_keeps_one_key_for_four_tokens(llama_8b):
    ((spec, _),) = per_layer.specs(run(llama_8b.model_copy(update={"model_type": "qwen4_exp"})))

    assert (64, 1) == (spec.index_bytes, spec.tail_blocks)


def test_turboquant_leaves_two_layers_at_either_end_whole(llama_8b):
    kept = per_layer.specs(run(llama_8b, kv_cache_dtype="turboquant_4bit_nc", vllm_version="0.33.0"))

    assert [(4096, 2), (8 * 134, 28), (4096, 2)] == [(spec.token_bytes, count) for spec, count in kept]


def test_turboquant_packs_every_layer_beside_state_layers(llama_8b):
    layers = (
        LayerRun(layer=Layer(kind=LayerKind.MAMBA2), count=6),
        LayerRun(layer=Layer(kind=LayerKind.FULL), count=2),
    )
    state = LinearState(inner=4096, state=128, groups=8, heads=64, head_dim=64)
    shape = llama_8b.model_copy(update={"runs": layers, "linear": state})
    kept = per_layer.specs(run(shape, kv_cache_dtype="turboquant_k8v4", vllm_version="0.33.0"))

    assert {0, 8 * 196} == {spec.token_bytes for spec, _ in kept}


@pytest.mark.parametrize("version", ["0.10.0", "0.10.1", "0.33.0"])
def test_a_model_that_reads_both_ways_keeps_nothing(encoder, version):
    """vLLM 0.9.2 `v1/worker/gpu_model_runner.py`: encoder-only attention does not need KV cache."""
    assert () == per_layer.specs(run(encoder, vllm_version=version))


@pytest.mark.parametrize(
    ("version", "engine", "layers"), [("0.8.5", "V0", 0), ("0.9.2", "V1", 32), ("0.4.3", "V0", 0), ("0.4.2", "V0", 32)]
)
def test_v0_keeps_nothing_for_a_decoder_that_embeds_and_v1_does(llama_8b, version, engine, layers):
    shape = llama_8b.model_copy(update={"wiring": Wiring(has_lm_head=False)})
    kept = per_layer.specs(run(shape, vllm_version=version, engine=engine))

    assert layers == sum(count for _, count in kept)


def test_v0_keeps_the_states_of_a_batch_beside_its_cache(llama_8b):
    """vLLM 0.8.5 `models/mamba_cache.py`: one tensor of (layers, sequences, state), of 2 × 8192 × 3 and 2 × 8192 × 16 bytes."""
    shape = llama_8b.model_copy(
        update={
            "runs": (LayerRun(layer=Layer(kind=LayerKind.MAMBA1), count=4),),
            "linear": LinearState(inner=8192, state=16),
        }
    )
    old, new = (run(shape, vllm_version=version, max_num_seqs=10) for version in ("0.8.5", "0.19.0"))

    assert [(), 10 * 4 * 2 * 8192 * 19] == [per_layer.specs(old), per_layer.states_beside(old)]
    assert [4, 0] == [sum(count for _, count in per_layer.specs(new)), per_layer.states_beside(new)]
