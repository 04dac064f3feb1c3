"""The largest image and the longest video of a family."""

import pytest

from bot.deployment import Deployment
from bot.model_shape import ModelShape
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead.media import image_of, pads, video_of
from bot.sizing.resolved import resolve


def run(model_type, vocab=151_936, **facts):
    shape = ModelShape(
        name="made up", model_type=model_type, dtype="bfloat16", runs=(), heads=32, kv_heads=16, head_dim=128,
        hidden=4096, vocab=vocab,
    )  # fmt: skip
    filled, assumptions = with_defaults(Deployment(shape=shape, **({"max_num_batched_tokens": 8192} | facts)))
    return resolve(filled, frozenset(assumption.name for assumption in assumptions))


def video(model_type, version, **facts):
    found = run(model_type, vllm_version=version, **facts)
    return video_of(image_of(found), found)


def test_a_text_model_has_no_image():
    assert image_of(run("llama")) is None


@pytest.mark.parametrize(
    ("version", "length", "counted", "made"),
    [
        ("0.8.5", 128_000, 98_304, 16_384),  # profiled with what fits the batch
        ("0.10.2", 128_000, 114_688, 16_384),
        ("0.11.0", 32_768, 32_768, 32_768),
        ("0.23.0", 128_000, 114_688, 114_688),
        ("0.23.0", 1_000_000, 114_688, 114_688),
    ],
)
def test_a_video_of_qwen2_5_vl_grows_with_the_context(version, length, counted, made):
    found = video("qwen2_5_vl", version, max_model_len=length)

    assert (counted, made, made * 4) == (found.budgeted, found.tokens, found.patches)


def test_a_short_context_takes_an_image_of_qwen2_5_vl():
    assert video("qwen2_5_vl", "0.23.0", max_model_len=32_767) is None


@pytest.mark.parametrize("model_type", ["qwen2_5_vl", "internvl_chat", "gemma4"])
def test_where_no_video_is_allowed_an_image_is_taken(model_type):
    limits = {"image": 1, "video": 0}

    assert video(model_type, "0.23.0", max_model_len=128_000, multimodal_limits=limits) is None


def test_omni_shrinks_the_frames_that_it_counts_whole():
    found = video("qwen2_5_omni", "0.10.2", max_model_len=32_768)

    assert (32_768, 768) == (found.budgeted, found.tokens)


@pytest.mark.parametrize(
    ("version", "counted"), [("0.10.2", 0), ("0.11.0", 153_600), ("0.12.0", 153_600), ("0.13.0", 0)]
)
def test_two_releases_count_the_time_stamps_of_qwen3_vl(version, counted):
    found = video("qwen3_vl", version, max_model_len=8192)

    assert counted == (found.budgeted if found else 0)
    assert found is None or (12_288, 49_152, 49_152 * 1536) == (found.tokens, found.patches, found.pixels)


def test_a_version_that_nobody_stated_does_not_pad():
    assert [True, False] == [pads(run("qwen3_vl", vllm_version="0.11.0")), pads(run("qwen3_vl", engine="V1"))]


@pytest.mark.parametrize(
    ("facts", "tokens", "counted"),
    [
        ({"vllm_version": "0.11.0", "max_model_len": 28_000}, 109 * 256, 28_558),  # a log prints 28,511
        ({"vllm_version": "0.10.2", "max_model_len": 28_000}, 8192, 28_558),
        ({"vllm_version": "0.8.5", "max_model_len": 28_000}, 0, 0),
        ({"vllm_version": "0.33.0", "max_model_len": 3000}, 0, 0),  # a whole image is more
        ({"vllm_version": "0.33.0", "max_model_len": 28_000, "vocab": 92_553}, 0, 0),  # InternLM has no such token
    ],
)
def test_a_video_of_internvl_fills_the_context(facts, tokens, counted):
    found = video("internvl_chat", facts.pop("vllm_version"), **facts)

    assert (tokens, counted) == ((found.tokens, found.budgeted) if found else (0, 0))


def test_gemma_4_takes_a_video_of_32_small_frames():
    found = video("gemma4", "0.19.0", max_model_len=8192)

    assert (2496, 2240) == (found.budgeted, found.tokens)
