"""How vLLM takes a GGUF file."""

import pytest
from packaging.version import Version

from bot.diagnosis.gguf import may_load, say_gguf
from bot.model_shape import Quantization

NAMED = Quantization(method="gguf", algorithm="Q8_0")


@pytest.mark.parametrize(
    ("version", "model", "said"),
    [
        ("0.5.4", "m-Q8_0.gguf", "loads no GGUF"),
        ("0.11.2", "org/m-GGUF:Q8_0", "as a file only"),
        ("0.24.0", "m-Q8_0.gguf", "vllm-gguf-plugin"),
        (None, "org/m-GGUF:Q8_0", "from 0.12.0 on as REPOSITORY:TYPE"),
    ],
)
def test_what_a_release_does_not_load_is_said(version, model, said):
    assert said in (say_gguf(model, NAMED, version and Version(version)) or "")


@pytest.mark.parametrize(("version", "model"), [("0.12.0", "org/m-GGUF:Q8_0"), ("0.11.2", "m-Q8_0.gguf")])
def test_what_it_loads_is_not_worth_a_word(version, model):
    assert None is say_gguf(model, NAMED, Version(version))


def test_a_repository_without_a_type_says_which_file_was_counted():
    assert "I took the Q4_K_M file" in (say_gguf("org/m-GGUF", Quantization(method="gguf"), None) or "")


@pytest.mark.parametrize(
    ("version", "model", "expected"),
    [
        ("0.5.4", "m-Q8_0.gguf", False),
        ("0.5.5", "m-Q8_0.gguf", True),
        ("0.11.2", "org/m-GGUF:Q8_0", False),
        ("0.12.0", "org/m-GGUF:Q8_0", True),
        ("0.24.0", "org/m-GGUF:Q8_0", True),
        (None, "org/m-GGUF:Q8_0", True),
    ],
)
def test_a_release_loads_files_or_references(version, model, expected):
    assert expected is may_load(model, NAMED, version and Version(version))
    assert may_load(model, None, version and Version(version))


def test_other_weights_are_no_matter_of_gguf():
    assert None is say_gguf("org/m", Quantization(method="awq", bits=4), None)
