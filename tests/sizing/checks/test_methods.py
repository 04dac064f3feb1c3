"""Which releases and cards have a quantization method, and which checkpoints it loads."""

import pytest
from packaging.version import Version

from bot.deployment import Deployment, Gpu
from bot.model_shape import Quantization
from bot.sizing.checks.methods import METHODS, last_release, method_of, refuse


def stored(shape, method, algorithm=None, **facts):
    held = Quantization(method=method, bits=4, algorithm=algorithm)
    return Deployment(shape=shape.model_copy(update={"quantization": held}), **facts)


def problems(deployment):
    return [refusal.problem for refusal in refuse(deployment)]


def a_card(capability):
    return Gpu(name="Card", compute_capability=capability)


@pytest.mark.parametrize(
    ("method", "version", "refusals"),
    [
        ("bitsandbytes", "0.27.1", 0),
        ("bitsandbytes", "0.28.0", 1),
        ("gguf", "0.23.0", 0),
        ("gguf", "0.24.0", 1),
        ("gguf", "0.5.4", 1),
        ("mxfp4", "0.8.5", 1),
        ("mxfp4", "0.10.1", 0),
        ("awq", "0.2.2", 0),
        ("frob", "0.33.0", 0),
    ],
)
def test_a_method_comes_and_goes_with_releases(llama_8b, method, version, refusals):
    found = problems(stored(llama_8b, method, vllm_version=version))

    assert ["quant-format-mismatch"] * refusals == found


def test_a_refusal_names_the_last_release_with_the_method(llama_8b):
    (refusal,) = refuse(stored(llama_8b, "bitsandbytes", vllm_version="0.33.0"))

    assert refusal.message.startswith("vLLM 0.33.0 has no bitsandbytes any more, 0.27.1 was the last with it")


@pytest.mark.parametrize(("arguments", "refusals"), [((), 1), (("--allow-deprecated-quantization",), 0)])
def test_a_deprecated_method_must_be_allowed(llama_8b, arguments, refusals):
    deployment = stored(llama_8b, "fbgemm_fp8", vllm_version="0.15.0", other_arguments=arguments)

    assert refusals == len(problems(deployment))


@pytest.mark.parametrize(
    ("method", "algorithm", "capability", "version", "refusals"),
    [
        ("fp8", None, 8.0, "0.5.0", 1),
        ("fp8", None, 8.0, "0.5.1", 0),
        ("fp8", None, 7.5, "0.13.0", 1),
        ("fp8", None, 7.5, "0.14.0", 0),
        ("compressed-tensors", "pack-quantized", 7.5, "0.11.0", 1),
        ("compressed-tensors", "pack-quantized", 7.5, "0.12.0", 0),
        ("compressed-tensors", "int-quantized", 7.0, "0.11.0", 1),
        ("compressed-tensors", None, 7.0, "0.11.0", 0),
        ("modelopt", "NVFP4", 9.0, "0.8.5", 1),
        ("modelopt", "NVFP4", 9.0, "0.9.0", 0),
        ("modelopt", "FP8", 8.6, "0.26.0", 1),
        ("modelopt", "FP8", 8.6, "0.27.0", 0),
        ("modelopt", "FP8", 7.5, "0.33.0", 1),
        ("modelopt", "MXFP8", 9.0, "0.19.0", 1),
        ("modelopt", "MXFP8", 9.0, "0.20.0", 0),
    ],
)
def test_a_method_needs_a_card(llama_8b, method, algorithm, capability, version, refusals):
    deployment = stored(llama_8b, method, algorithm, card=a_card(capability), vllm_version=version)

    assert ["quant-unsupported-on-gpu"] * refusals == problems(deployment)


def test_without_a_version_the_latest_counts(llama_8b):
    assert [] == problems(stored(llama_8b, "fp8", card=a_card(7.5)))


@pytest.mark.parametrize("asked", ["awq", "gptq_marlin", "compressed-tensors"])
def test_a_flag_quantizes_no_checkpoint_that_must_be_stored_so(llama_8b, asked):
    (refusal,) = refuse(Deployment(shape=llama_8b, model=llama_8b.name, quantization=asked))

    assert f"Cannot find the config file for {asked}" in refusal.message


@pytest.mark.parametrize("asked", ["fp8", "bitsandbytes", "experts_int8"])
def test_a_method_that_quantizes_while_loading_takes_any_checkpoint(llama_8b, asked):
    assert [] == problems(Deployment(shape=llama_8b, quantization=asked))


def test_of_a_folder_nobody_knows_how_it_is_stored(llama_8b):
    assert [] == problems(Deployment(shape=llama_8b, model="/models/llama", quantization="awq"))


@pytest.mark.parametrize(("asked", "refusals"), [("gptq", 1), ("awq", 0), ("awq_marlin", 0), ("AWQ", 0)])
def test_a_flag_must_not_contradict_the_checkpoint(llama_8b, asked, refusals):
    assert ["quant-format-mismatch"] * refusals == problems(stored(llama_8b, "awq", quantization=asked))


def test_what_a_name_alone_tells_contradicts_nothing(llama_8b):
    held = Quantization(method="awq", bits=4, is_known=False)
    shape = llama_8b.model_copy(update={"quantization": held})

    assert [] == problems(Deployment(shape=shape, quantization="gptq"))


def test_the_scheme_names_the_method(llama_8b):
    found = [
        method_of(stored(llama_8b, "compressed-tensors", "NVFP4")),
        method_of(stored(llama_8b, "modelopt", "MIXED_PRECISION")),
        method_of(stored(llama_8b, "modelopt", "FP8")),
        method_of(Deployment(shape=llama_8b)),
    ]

    assert ["compressed-tensors nvfp4", "modelopt_mixed", "modelopt", None] == found


def test_the_last_release_is_that_which_takes_the_method_unasked(llama_8b):
    found = [last_release(stored(llama_8b, method)) for method in ("bitsandbytes", "fbgemm_fp8", "awq")]

    assert [Version("0.27.1"), Version("0.14.1"), None] == found


@pytest.mark.parametrize("name", METHODS)
def test_a_method_comes_before_it_goes_and_newer_releases_stand_first(name):
    found = METHODS[name]
    releases = [since for since, _ in found.least]

    assert sorted(releases, reverse=True) == releases
    assert found.since is None or found.until is None or found.since < found.until
