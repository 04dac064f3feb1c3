"""What images add to the peak."""

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.model_shape import ModelShape, Vision
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead import activations, multimodal
from bot.sizing.resolved import resolve
from bot.sizing.size import size


def run(model_type, card, **facts):
    sizes = {"hidden": 5376, "vocab": 262_208, "intermediate": 21_504} | facts.pop("sizes", {})
    shape = ModelShape(
        name="made up", model_type=model_type, dtype="bfloat16", runs=(), heads=32, kv_heads=16, head_dim=128,
        vision=facts.pop("vision", None), **sizes,
    )  # fmt: skip
    facts = {"vllm_version": "0.19.0", "max_num_seqs": 1024, "max_num_batched_tokens": 8192} | facts
    return resolve(with_defaults(Deployment(shape=shape, card=card, **facts))[0])


@pytest.mark.parametrize(("hidden", "logged"), [(2560, 3.89), (3840, 3.94), (5376, 3.99)])
def test_gemma_3_profiles_with_32_images(h100, hidden, logged):
    found = run("gemma3", h100, sizes={"hidden": hidden, "intermediate": 4 * hidden})

    assert activations.activation(found).amount / 2**30 == pytest.approx(logged, abs=0.04)


def test_a_text_model_has_no_images(h100):
    assert multimodal.encoder_peak(run("llama", h100)) == multimodal.NOTHING


@pytest.mark.parametrize(
    "facts",
    [{"language_model_only": True}, {"skip_mm_profiling": True}, {"multimodal_limits": {"image": 0, "video": 0}}],
)
def test_flags_keep_the_tower_out(h100, facts):
    assert multimodal.encoder_peak(run("gemma3", h100, **facts)) == multimodal.NOTHING


def test_a_limit_a_prompt_bounds_the_images(h100):
    few = run("gemma3", h100, max_num_seqs=8, multimodal_limits={"image": 1})
    all_of_them = run("gemma3", h100)

    assert multimodal.encoder_peak(few).alive.amount * 4 == multimodal.encoder_peak(all_of_them).alive.amount


def test_an_image_larger_than_the_batch_peaks_in_the_tower(h100):
    vision = Vision(hidden=1024, intermediate=4096, layers=24, patch=16)
    small = {"hidden": 2048, "vocab": 151_936, "intermediate": 6144}
    found = run("qwen3_vl", h100, vision=vision, sizes=small, max_num_seqs=8, max_num_batched_tokens=2048)

    assert activations.activation(found).amount / 2**30 == pytest.approx(1.88, abs=0.01)


def test_images_that_fit_a_batch_go_through_the_tower_together(h100):
    one, two = (
        multimodal.encoder_peak(run("qwen3_5", h100, max_model_len=65_536, max_num_batched_tokens=tokens)).tower.amount
        for tokens in (16_384, 32_768)
    )

    assert 2 * one == two


def test_a_text_of_one_image_takes_one_at_a_time_from_each_request(h100):
    few = run("qwen3_5", h100, max_model_len=2048, max_num_seqs=1, max_num_batched_tokens=32_768)

    assert multimodal.encoder_peak(few) == multimodal.encoder_peak(run("qwen3_5", h100, max_model_len=2048))


@pytest.mark.parametrize(
    ("version", "tokens"),
    [("0.10.2", 16_384), ("0.11.0", 153_600 + 12_288), ("0.12.0", 153_600 + 12_288), ("0.13.0", 16_384)],
)
def test_two_releases_padded_a_video_of_qwen3_vl_to_what_they_counted(h100, version, tokens):
    vision = Vision(hidden=1152, intermediate=4304, layers=27, out_hidden=2048, patch=16)
    found = multimodal.encoder_peak(run("qwen3_vl_moe", h100, vision=vision, vllm_version=version)).alive.amount

    patches = 49_152 if tokens > 16_384 else 65_536
    assert patches * 1536 * 2 + tokens * 4 * 2048 * 2 == found  # 2.67 GiB; Qwen3-VL-30B with 0.11 printed as much


def test_0_11_padded_every_image_to_the_budget(h100):
    padded, plain = (
        multimodal.encoder_peak(run("gemma3", h100, vllm_version=version)).alive.amount
        for version in ("0.11.2", "0.13.0")
    )

    assert plain + (32 * (8192 - 256) + 256) * 5376 * 2 == padded


def test_runner_v2_left_the_tower_out_before_0_27(h100):
    facts = {"environment": (("VLLM_USE_V2_MODEL_RUNNER", "1"),)}
    before, since = (
        multimodal.encoder_peak(run("qwen3_5", h100, vllm_version=version, **facts)) for version in ("0.26.0", "0.27.0")
    )

    assert (before, since.alive.amount) == (multimodal.NOTHING, 16_384 * 5376 * 2)


def test_v0_profiled_as_many_images_as_sequences_where_the_decoder_attends_to_them(h100):
    facts = {"vllm_version": "0.7.3", "max_num_seqs": 128, "max_num_batched_tokens": 65_536}
    found = activations.activation(run("mllama", h100, **facts))

    assert found.low / 2**30 < 36.63 < found.high / 2**30  # as printed for Llama 3.2 11B Vision
    assert found.amount / 2**30 == pytest.approx(36.63, rel=0.02)


def test_v0_profiled_no_more_sequences_than_images_fit_its_batch(h100):
    found = run("llava_next", h100, vllm_version="0.7.3", max_num_seqs=256, max_num_batched_tokens=5760)

    assert 2 == multimodal.profiled_sequences(found)


@pytest.mark.parametrize(("images", "least", "most"), [(1, 0.5, 1.1), (16, 11.0, 15.73)])
def test_v0_profiled_prompts_of_as_many_images_as_are_allowed(images, least, most):
    """InternVL3-78B with 16 images on 8 cards of 44.39 GiB with 0.6.6 prints 15.73 GiB; it normed in 32 bits."""
    told = Deployment(
        shape=find_model("OpenGVLab/InternVL3-78B").shape, card=find_gpu("L40S").card, vllm_version="0.6.6", engine="V0",
        tensor_parallel=8, max_model_len=8192, multimodal_limits={"image": images},
    )  # fmt: skip
    found = size(told).term("activations")

    assert least <= found.low.in_gib <= found.high.in_gib <= most


@pytest.mark.parametrize(
    ("model_type", "facts", "expected"),
    [
        ("qwen2_5_vl", {"max_num_seqs": 8}, True),
        ("gemma3", {"max_num_seqs": 1024}, False),
        ("gemma3", {"max_num_seqs": 8, "max_num_batched_tokens": 2048}, False),
        ("llama", {"max_num_seqs": 1}, False),
    ],
)
def test_images_reach_higher_than_text_where_a_tower_sees_many_patches(h100, model_type, facts, expected):
    assert expected is activations.images_set_the_peak(run(model_type, h100, **facts))


def test_v1_samples_from_every_sequence(h100):
    assert 256 == multimodal.profiled_sequences(run("llava_next", h100, max_num_seqs=256))


@pytest.mark.parametrize(
    ("model_type", "facts", "expected"),
    [
        ("qwen2_5_vl", {}, True),
        ("qwen2_5_vl", {"language_model_only": True}, False),
        ("internvl_chat", {}, True),
        ("gemma3", {}, False),
        ("gemma3", {"max_num_seqs": 1}, True),  # 32 images fit the batch; a request has what fits its length
        ("llava_next", {"vllm_version": "0.7.3"}, False),
        ("llama", {}, False),
    ],
)
def test_some_profiles_grow_with_the_context(h100, model_type, facts, expected):
    assert multimodal.grows_with_length(run(model_type, h100, **facts)) is expected
