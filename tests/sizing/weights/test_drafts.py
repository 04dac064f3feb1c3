"""What speculative decoding adds to the weights."""

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment, Speculation
from bot.model_shape import Quantization
from bot.sizing.weights.drafts import draft_parts, prediction_layer, prediction_layers, say_draft
from bot.sizing.weights.layer import count_parameters
from bot.sizing.weights.per_gpu import weights_per_gpu
from bot.sizing.weights.tensors import Split, count

LLAMA = find_model("meta-llama/Llama-3.1-8B").shape
DEEPSEEK = find_model("deepseek-ai/DeepSeek-V3").shape
SMALL = find_model("meta-llama/Llama-3.2-1B").shape


def added(model, /, **said):
    told = Deployment(shape=model, vllm_version="0.19.0", tensor_parallel=said.pop("ranks", 1))
    return weights_per_gpu(told.with_(speculation=Speculation(**said))) - weights_per_gpu(told)


def test_a_draft_model_is_loaded_whole():
    parts = draft_parts(Speculation(shape=SMALL), LLAMA, Split(as_stored=True))

    assert sum(times * count(tensors) for tensors, times in parts) == count_parameters(SMALL)


def test_a_draft_model_is_stored_in_its_own_way():
    quantized = find_model("RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w4a16").shape

    assert 2 * count_parameters(SMALL) == pytest.approx(added(quantized, shape=SMALL), rel=0.01)


@pytest.mark.parametrize("method", ["ngram", "suffix", "mlp_speculator"])
def test_speculation_of_a_kind_that_is_not_counted_has_no_weights(method):
    assert () == draft_parts(Speculation(method=method), LLAMA, Split())


def test_each_head_of_medusa_has_a_block_and_an_output():
    """The files of Vicuna-7B's five heads have 1.48 GB."""
    vicuna = find_model("lmsys/vicuna-7b-v1.5").shape

    assert pytest.approx(1.48e9, rel=0.01) == int(added(vicuna, method="medusa", model="acme/medusa", tokens=5))


def test_the_outputs_of_medusa_are_cut_over_the_gpus_and_its_blocks_are_not():
    one, two = (added(LLAMA, method="medusa", model="acme/medusa", tokens=1, ranks=ranks) for ranks in (1, 2))

    assert 2 * 128_256 * 4096 / 2 == pytest.approx(int(one - two), rel=0.01)


def test_the_head_of_eagle_is_a_layer_and_a_joining_matrix():
    """A layer of Llama-3.1-8B, without its first norm, and 2 × 4096²."""
    layer = (4096 * (4096 + 2 * 1024 + 4096) + 3 * 4096 * 14_336) * 2

    assert layer + 2 * 2 * 4096**2 == pytest.approx(added(LLAMA, method="eagle", model="acme/head"), rel=0.001)


def test_the_third_eagle_attends_to_twice_the_width_and_chooses_from_32_000_tokens():
    first, third = (added(LLAMA, method=method, model="acme/head") for method in ("eagle", "eagle3"))

    assert 2 * (4096**2 + 4096 * 6144 + 32_000 * 4096) == pytest.approx(third - first, rel=0.001)


def test_a_head_is_known_by_its_name_and_cut_over_the_gpus():
    one, two = (added(LLAMA, model="acme/Llama-3.1-8B-EAGLE3", ranks=ranks) for ranks in (1, 2))

    assert one / 2 < two < one


def test_the_prediction_layer_of_deepseek_makes_up_the_difference_to_its_checkpoint():
    layer = count(prediction_layers(DEEPSEEK, Split()))

    assert abs(count_parameters(DEEPSEEK) + layer - DEEPSEEK.parameters) < 0.004 * DEEPSEEK.parameters


@pytest.mark.parametrize("name", ["Qwen/Qwen3-Next-80B-A3B-Instruct", "XiaomiMiMo/MiMo-7B-Base", "Qwen/Qwen3.5-9B"])
def test_one_prediction_layer_is_all_that_the_checkpoint_has_beside_the_model(name):
    shape = find_model(name).shape
    beside = (shape.vision.parameters or 0) if shape.vision else 0

    assert shape.parameters - count_parameters(shape) - beside == count(prediction_layers(shape, Split(as_stored=True)))


def test_the_prediction_layers_of_mimo_slide_and_are_dense():
    flash = find_model("XiaomiMiMo/MiMo-V2.6-Flash-RL").shape

    beside = flash.parameters - flash.vision.parameters - count_parameters(flash)
    assert beside == count(prediction_layers(flash, Split(as_stored=True)))
    assert ("sliding", "dense") == (prediction_layer(flash).kind, prediction_layer(flash).mlp)


def test_a_model_that_does_not_say_how_many_prediction_layers_it_has_has_one():
    untold = DEEPSEEK.model_copy(update={"mtp_layers": 0})

    assert count(prediction_layers(DEEPSEEK, Split())) == count(prediction_layers(untold, Split()))


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ({"method": "eagle3", "model": "acme/head"}, "acme/head is counted as one dense layer"),
        ({"method": "draft_model", "model": "acme/small"}, "The sizes of acme/small are not known"),
        ({"method": "medusa", "model": "acme/medusa"}, "The sizes of acme/medusa are not known"),
        ({"method": "medusa", "model": "acme/medusa", "tokens": 5}, "acme/medusa is counted as 5 heads"),
    ],
)
def test_what_is_not_counted_is_said(said, word):
    assert say_draft(Deployment(speculation=Speculation(**said))).startswith(word)


@pytest.mark.parametrize("said", [{"method": "mtp"}, {"method": "ngram"}, {"shape": SMALL}])
def test_what_is_counted_needs_no_word(said):
    assert say_draft(Deployment(speculation=Speculation(**said))) is None


@pytest.mark.parametrize(
    ("excluded", "is_left_out"), [(("mtp*",), True), (("model.layers.{0,32}*",), True), (("model.layers.{0}*",), False)]
)
def test_prediction_layers_stay_in_16_bits_where_the_checkpoint_says_so(excluded, is_left_out):
    packed = Quantization(method="fp8", bits=8, excluded=excluded)
    shape = LLAMA.model_copy(update={"quantization": packed, "mtp_layers": 1})
    parameters = count(prediction_layers(shape, Split()))

    assert is_left_out is (added(shape, method="mtp") > 1.95 * parameters)
