"""States of layers that do not keep tokens."""

import pytest

from bot.deployment import LayerKind, LinearState
from bot.sizing.kv_cache.states import StateWidths, state_bytes

HALF = StateWidths(2, 2)


def test_a_gated_delta_layer_of_qwen3_next_keeps_1_097_728_bytes(qwen3_next):
    assert state_bytes(LayerKind.GATED_DELTA, qwen3_next.linear, 1, HALF, 0) == 1_097_728


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
    assert state_bytes(kind, LinearState(), 1, HALF, 0) == 0
