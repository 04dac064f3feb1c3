"""What a vision tower takes while it runs; figures are of start-up logs less what else they held."""

import pytest

from bot.deployment import Deployment
from bot.model_shape import ModelShape, Vision
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead.tower_peak import tower_peak
from bot.sizing.resolved import resolve

QWEN2_5 = Vision(hidden=1280, intermediate=3420, layers=32, patch=14)


def run(model_type, vision=None, **facts):
    shape = ModelShape(
        name="made up", model_type=model_type, dtype="bfloat16", runs=(), heads=32, kv_heads=16, head_dim=128,
        hidden=4096, vocab=150_000, vision=vision,
    )  # fmt: skip
    return resolve(with_defaults(Deployment(shape=shape, **({"vllm_version": "0.19.0"} | facts)))[0])


@pytest.mark.parametrize(
    ("model_type", "vision", "version", "patches", "pixels", "logged"),
    [
        ("qwen2_5_vl", QWEN2_5, "0.23.0", 458_752, 1176, 15.4),  # 7 pairs of frames on a card of 80 GB
        ("qwen2_5_vl", QWEN2_5, "0.9.0.1", 65_536, 1176, 2.2),  # an L4
        ("qwen3_5", Vision(parameters=333_514_240), "0.22.0", 65_536, 1536, 1.77),
        ("qwen3_5", Vision(parameters=456_010_480), "0.19.0", 65_536, 1536, 1.96),  # an L40S
    ],
)
def test_start_up_logs_hold_about_as_much(model_type, vision, version, patches, pixels, logged):
    found = tower_peak(run(model_type, vision, vllm_version=version), patches, pixels, 0)

    assert found.amount / 2**30 == pytest.approx(logged, rel=0.05)
    assert found.low < logged * 2**30 < found.high


@pytest.mark.parametrize(
    ("model_type", "parameters", "elements"),
    [
        ("qwen3_5", 98_000_000, 12 * 768),
        ("qwen3_5", 333_514_240, 12 * 1024),
        ("qwen3_5", None, 12 * 1152),
        ("qwen2_vl", 675_759_104, 11 * 1280),
        ("qwen2_5_vl", None, 5 * 1280 + 3 * 3420),
        ("internvl_chat", 337_000_000, 12 * 1024),
        ("internvl", None, 12 * 1024),
        ("internvl_chat", 5_700_000_000, 12 * 3200),
    ],
)
def test_a_tower_known_by_its_count_has_the_sizes_of_its_family(model_type, parameters, elements):
    found = tower_peak(run(model_type, Vision(parameters=parameters)), 1000, 0, 0)

    assert 2000 * elements == found.amount


def test_ranks_share_the_heads_unless_each_has_the_whole_tower():
    wide = run("qwen2_vl", tensor_parallel=4)
    whole = run("qwen2_vl", tensor_parallel=4, encoder_tensor_parallel="data")

    assert 2000 * 5 * 1280 == tower_peak(wide, 1000, 0, 0).amount
    assert 2000 * 11 * 1280 == tower_peak(whole, 1000, 0, 0).amount


def test_heads_that_cannot_be_dealt_out_are_whole_on_every_rank():
    large = run("internvl_chat", Vision(parameters=5_700_000_000), tensor_parallel=8)

    assert 2000 * 10 * 3200 == tower_peak(large, 1000, 0, 0).amount


def test_0_11_rotated_queries_and_keys_at_once_in_32_bits():
    before, then, since = (
        tower_peak(run("qwen2_vl", vllm_version=version), 1000, 0, 0).amount
        for version in ("0.10.2", "0.11.0", "0.12.0")
    )

    assert [13 * 1280, 20 * 1280, 11 * 1280] == [amount / 2000 for amount in (before, then, since)]


def test_the_gated_layer_of_qwen2_5_holds_two_inputs_more_from_0_10_2_on():
    before, since = (
        tower_peak(run("qwen2_5_vl", vllm_version=version), 1000, 0, 0) for version in ("0.10.1", "0.10.2")
    )

    assert [2000 * 13 * 1280, 2000 * (5 * 1280 + 3 * 3420)] == [before.amount, since.amount]


def test_what_outlives_the_layers_comes_on_top():
    assert tower_peak(run("qwen3_5"), 1000, 0, 0).amount + 5 == tower_peak(run("qwen3_5"), 1000, 0, 5).amount
