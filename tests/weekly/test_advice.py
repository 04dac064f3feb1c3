from __future__ import annotations

from bot.weekly.advice import advice
from tests.weekly.makers import a_week, an_incident, plain

FLAGS = {"max_model_len": "--max-model-len", "tensor_parallel": "--tensor-parallel-size"}


def test_a_setting_that_would_have_helped_often_is_named_with_its_templates() -> None:
    cases = [
        an_incident(model=f"org/{model}", gpu="NVIDIA L4", patch={"max_model_len": length})
        for model, length in (("a", 32768), ("a", 16384), ("b", 8192), ("c", 4096))
    ]

    told = plain(advice(a_week(*cases, an_incident(), flags=FLAGS)))

    assert "Set --max-model-len in these 3 templates: 4 cases of 5." in told
    assert "a on L4: 16,384 (2 cases)" in told


def test_a_fix_of_two_settings_names_both() -> None:
    patch = {"tensor_parallel": 2, "max_model_len": 8192}

    told = plain(advice(a_week(*(an_incident(model="a", patch=patch) for _ in range(2)), flags=FLAGS)))

    assert "--max-model-len, --tensor-parallel-size" in told
    assert "8,192 and 2" in told


def test_a_single_case_is_no_pattern() -> None:
    assert [] == advice(a_week(an_incident(patch={"max_model_len": 4096})))


def test_a_template_of_a_private_channel_is_not_named() -> None:
    cases = [an_incident(channel="G1", model="secret", patch={"max_model_len": 4096}) for _ in range(2)]

    told = plain(advice(a_week(*cases)))

    assert "secret" not in told
    assert "2 cases" in told
