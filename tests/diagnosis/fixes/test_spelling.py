"""Settings in the spelling of a version."""

from __future__ import annotations

import pytest

from bot.catalog.flags import Flag, Flags
from bot.deployment import Deployment, Speculation, read_version
from bot.diagnosis.fixes.spelling import can_be_said, said, said_before, without_secret, write
from bot.units import Bytes
from tests.diagnosis.conftest import FLAGS


def test_what_no_flag_sets_cannot_be_said():
    assert can_be_said(Deployment(), FLAGS, "max_model_len")
    assert not can_be_said(Deployment(), FLAGS, "nodes")


def test_what_a_version_takes_from_a_variable_is_said_before_the_program():
    flags = Flags.of(
        [
            Flag.model_validate({"name": "VLLM_BACKEND", "fact": "attention_backend", "until": "0.14.1"}),
            Flag.model_validate({"name": "--attention-backend", "fact": "attention_backend", "since": "0.11.1"}),
        ]
    )
    old, new = (
        Deployment(attention_backend="X", vllm_version=read_version(version)) for version in ("0.8.5", "0.16.0")
    )

    assert ["VLLM_BACKEND=X"] == list(said_before(old, flags, ["attention_backend"]))
    assert [] == list(said_before(new, flags, ["attention_backend"]))
    assert [True, True] == [can_be_said(each, flags, "attention_backend") for each in (old, new)]


@pytest.mark.parametrize(
    ("speculation", "expected"),
    [
        (Speculation(method="ngram", tokens=4), "--speculative-model [ngram] --num-speculative-tokens 4"),
        (Speculation(model="org/d", tokens=5), "--speculative-model org/d --num-speculative-tokens 5"),
        (Speculation(method="mtp", tokens=1), ""),
    ],
)
def test_without_its_flag_speculation_is_said_in_parts(speculation: Speculation, expected: str):
    assert expected == " ".join(said(Deployment(speculation=speculation), FLAGS, ["speculation"]))


def test_what_is_unknown_is_not_said():
    assert [] == list(said(Deployment(), FLAGS, ["max_model_len", "auto_max_model_len"]))


def test_a_switch_that_has_no_negation_cannot_be_said_to_be_off():
    flags = Flags.of([Flag(name="--lora", fact="lora", type="switch")])

    assert [] == list(said(Deployment(lora=False), flags, ["lora"]))


def test_a_secret_is_never_repeated():
    assert ["HF_TOKEN=YOUR_SECRET"] == list(without_secret(["HF_TOKEN=hf_abc"]))
    assert ["--api-key", "YOUR_SECRET"] == list(without_secret(["--api-key", "sk-1"]))


def test_whole_gib_are_written_as_people_do():
    assert ["6G", "1000"] == [write(Bytes.gib(6)), write(Bytes(1000))]
