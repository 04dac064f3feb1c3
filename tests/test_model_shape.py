from __future__ import annotations

from bot.model_shape import Layer, LayerKind, LayerRun, LinearState, ModelShape


def a_shape(*runs: tuple[Layer, int], **facts) -> ModelShape:
    laid = tuple(LayerRun(layer=layer, count=count) for layer, count in runs)
    return ModelShape(name="org/m", hidden=64, vocab=128, heads=4, kv_heads=2, head_dim=16, runs=laid, **facts)


def test_layers_are_counted_over_all_runs():
    shape = a_shape(
        (Layer(kind=LayerKind.SLIDING), 5), (Layer(kind=LayerKind.FULL), 1), (Layer(kind=LayerKind.SLIDING), 2)
    )

    assert 8 == shape.layers


def test_each_kind_of_layer_is_named_once():
    window, full = Layer(kind=LayerKind.SLIDING), Layer(kind=LayerKind.FULL)

    shape = a_shape((window, 5), (full, 1), (window, 2))

    assert (window, full) == shape.kinds


def test_a_model_reads_both_ways_only_where_every_layer_does():
    encoder, full = Layer(kind=LayerKind.ENCODER), Layer(kind=LayerKind.FULL)

    assert a_shape((encoder, 12)).reads_both_ways
    assert not a_shape((encoder, 12), (full, 1)).reads_both_ways


def test_one_layer_that_attends_to_an_encoder_hears_it():
    plain, hearing = Layer(kind=LayerKind.FULL), Layer(kind=LayerKind.FULL, beside=LayerKind.CROSS)

    assert a_shape((plain, 2), (hearing, 2)).hears_an_encoder
    assert not a_shape((plain, 4)).hears_an_encoder


def test_a_state_beside_attention_is_kept_too():
    assert a_shape((Layer(kind=LayerKind.FULL, beside=LayerKind.MAMBA2), 4)).keeps_states
    assert not a_shape((Layer(kind=LayerKind.FULL), 4)).keeps_states


def test_unknown_states_name_what_a_kind_needs_and_nobody_told():
    mamba = Layer(kind=LayerKind.MAMBA2)

    assert ("state", "heads", "head_dim") == a_shape((mamba, 4)).unknown_states
    assert ("heads",) == a_shape((mamba, 4), linear=LinearState(state=128, head_dim=64)).unknown_states
    assert () == a_shape((Layer(kind=LayerKind.FULL), 4)).unknown_states
