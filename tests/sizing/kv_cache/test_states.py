"""States of layers that do not keep tokens."""

import pytest

from bot.model_shape import LayerKind, LinearState
from bot.sizing.kv_cache.states import StateWidths, exports_checkpoint, own_dtype, state_bytes

HALF = StateWidths(2, 2)


def test_a_gated_delta_layer_of_qwen3_next_keeps_1_097_728_bytes(qwen3_next):
    assert 1_097_728 == state_bytes(LayerKind.GATED_DELTA, qwen3_next.linear, 1, HALF, 0)


def test_ranks_share_a_state(qwen3_next):
    assert state_bytes(LayerKind.GATED_DELTA, qwen3_next.linear, 2, HALF, 0) == 1_097_728 // 2


def test_speculative_tokens_lengthen_the_convolution_window(qwen3_next):
    plain = state_bytes(LayerKind.GATED_DELTA, qwen3_next.linear, 1, HALF, 0)

    assert plain + 2 * 8192 * 2 == state_bytes(LayerKind.GATED_DELTA, qwen3_next.linear, 1, HALF, 2)


def test_mamba1_keeps_a_window_and_a_state_for_each_channel():
    linear = LinearState(conv_kernel=4, inner=8192, state=16)

    assert state_bytes(LayerKind.MAMBA1, linear, 1, HALF, 0) == 8192 * 3 * 2 + 8192 * 16 * 2


def test_mamba2_copies_its_groups_to_ranks_that_would_have_none():
    linear = LinearState(conv_kernel=4, inner=8192, state=128, groups=1, heads=128, head_dim=64)
    channels = (8192 + 2 * 8 * 128) // 8

    assert channels * 3 * 2 + 128 // 8 * 64 * 128 * 4 == state_bytes(LayerKind.MAMBA2, linear, 8, StateWidths(2, 4), 0)


def test_linear_attention_keeps_a_square_for_each_head():
    assert state_bytes(LayerKind.LINEAR, LinearState(heads=64, head_dim=128), 1, HALF, 0) == 64 * 128 * 128 * 2


def test_a_short_convolution_keeps_its_window_only():
    assert state_bytes(LayerKind.SHORT_CONV, LinearState(conv_kernel=3, inner=2048), 1, HALF, 0) == 2048 * 2 * 2


@pytest.mark.parametrize("kind", [LayerKind.FULL, LayerKind.NONE])
def test_other_layers_keep_no_state(kind):
    assert 0 == state_bytes(kind, LinearState(), 1, HALF, 0)


@pytest.mark.parametrize(
    ("model_type", "stated", "release", "dtype"),
    [
        ("nemotron_h", "float32", (0, 12, 0), None),
        ("nemotron_h", "float32", (0, 13, 0), "float32"),
        ("nemotron_h", None, (0, 19, 1), "float16"),
        ("nemotron_h", None, (0, 20, 0), "float32"),
        ("falcon_h1", None, (0, 33, 0), None),
    ],
)
def test_nemotrons_config_is_heeded_from_0_13_on(model_type, stated, release, dtype):
    assert dtype == own_dtype(LayerKind.MAMBA2, LinearState(state_dtype=stated), model_type, release)


def test_a_state_of_kda_is_kept_in_32_bits():
    assert "float32" == own_dtype(LayerKind.KDA, LinearState(), "kimi_linear", (0, 12, 0))


@pytest.mark.parametrize(
    ("kind", "architecture", "release", "expected"),
    [
        (LayerKind.MAMBA2, "NemotronHForCausalLM", (0, 31, 0), False),
        (LayerKind.MAMBA2, "NemotronHForCausalLM", (0, 32, 0), True),
        (LayerKind.KDA, "KimiK3ForConditionalGeneration", (0, 29, 0), True),
        (LayerKind.KDA, "KimiLinearForCausalLM", (0, 33, 0), False),
        (LayerKind.GATED_DELTA, "Qwen3_5ForConditionalGeneration", (0, 32, 0), False),
        (LayerKind.GATED_DELTA, "Qwen3_5ForConditionalGeneration", (0, 33, 0), True),
        (LayerKind.GATED_DELTA, "Qwen4ExpForConditionalGeneration", (0, 33, 0), False),
        (LayerKind.GATED_DELTA, None, (0, 33, 0), False),
        (LayerKind.SHORT_CONV, "Qwen3_5ForConditionalGeneration", (0, 33, 0), False),
    ],
)
def test_a_checkpoint_is_written_inside_a_prefill_from_a_release_on(
    qwen3_next, h100, kind, architecture, release, expected
):
    shape = qwen3_next.model_copy(update={"architecture": architecture})

    assert expected is exports_checkpoint(kind, shape, release, h100)


def test_delta_rules_write_checkpoints_in_their_fast_kernels_only(qwen3_next, l4):
    shape = qwen3_next.model_copy(update={"architecture": "Qwen3NextForCausalLM"})

    assert [False, False] == [exports_checkpoint(LayerKind.GATED_DELTA, shape, (0, 33, 0), card) for card in (l4, None)]
