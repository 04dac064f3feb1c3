"""Fixes in the form of the file in which a deployment is written down."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bot.catalog.load import load_lazily
from bot.deployment import Deployment, Speculation
from bot.diagnosis.fixes.command import command_line


def said(command: str | None, manifest: tuple[str, ...], changed: list[str], **facts: Any) -> str:
    deployment = Deployment(**{"model": "org/m", "launcher": "compose", **facts}, command=command, manifest=manifest)
    return command_line(deployment, load_lazily().flags, changed)


def test_a_list_keeps_what_it_had_and_is_yaml():
    command = "vllm serve --model org/m --max-model-len 131072 --chat-template 'a: b' -tp 2 --port 80"
    text = said(command, ("list", "args"), ["max_model_len"], max_model_len=8192)

    items = ["--model=org/m", "--chat-template=a: b", "-tp", "2", "--port=80", "--max-model-len=8192"]
    assert {"args": items} == {key: list(map(str, value)) for key, value in yaml.safe_load(text).items()}
    assert all(isinstance(item, str) for item in yaml.safe_load(text)["args"])


def test_a_list_with_the_program_keeps_it():
    text = said("vllm serve org/m --port 80", ("list", "command", "whole"), ["max_model_len"], max_model_len=8192)

    assert ["vllm", "serve", "org/m", "--port=80", "--max-model-len=8192"] == yaml.safe_load(text)["command"]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("vllm serve --model=${M} --port 80", "args:\n  - --model=org/q\n  - --port=80"),
        ("vllm serve --model_id=org/m", "args:\n  - --model_id=org/q"),
        ("vllm serve --port 80", "# the model: org/q\nargs:\n  - --port=80"),
    ],
)
def test_another_model_stands_where_the_old_one_did(command: str, expected: str):
    assert expected == said(command, ("list", "args"), ["model"], model="org/q")


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (("keys", "engine_kwargs", "snake"), "engine_kwargs:\n  max_model_len: 8192\n  kv_cache_dtype: fp8"),
        (
            ("keys", "vllmConfig", "camel"),
            "vllmConfig:\n  maxModelLen: 8192\n  extraArgs:  # beside those that it has\n    - --kv-cache-dtype=fp8",
        ),
        (("keys", "engineArgs", "kebab"), "engineArgs:\n  max-model-len: 8192\n  kv-cache-dtype: fp8"),
    ],
)
def test_settings_by_name_are_said_in_the_spelling_of_their_file(manifest: tuple[str, ...], expected: str):
    changed = ["max_model_len", "kv_cache_dtype"]

    assert expected == said(None, manifest, changed, launcher=None, max_model_len=8192, kv_cache_dtype="fp8")


def test_switches_models_and_records_by_name_are_yaml():
    speculation = Speculation(method="ngram", tokens=2)
    text = said(
        None, ("keys", "engine_kwargs", "snake"), ["model", "enforce_eager", "hybrid_kv_cache", "speculation"],
        enforce_eager=True, hybrid_kv_cache=False, speculation=speculation,
    )  # fmt: skip

    assert {
        "model_source": "org/m",
        "engine_kwargs": {
            "enforce_eager": True,
            "disable_hybrid_kv_cache_manager": True,
            "speculative_config": {"method": "ngram", "num_speculative_tokens": 2},
        },
    } == yaml.safe_load(text)


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (("array", "CMD"), 'CMD ["org/m", "--a", "b c", "--max-model-len", "8192"]'),
        (
            ("array", "ENTRYPOINT", "whole"),
            'ENTRYPOINT ["vllm", "serve", "org/m", "--a", "b c", "--max-model-len", "8192"]',
        ),
    ],
)
def test_an_instruction_of_a_dockerfile_is_json(manifest: tuple[str, ...], expected: str):
    assert expected == said("vllm serve org/m --a 'b c'", manifest, ["max_model_len"], max_model_len=8192)
