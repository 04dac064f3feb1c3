"""Fixes in the form of the file in which a deployment is written down."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from bot.catalog.load import load_lazily
from bot.deployment import Deployment, Manifest, ManifestStyle, Speculation
from bot.diagnosis.fixes.command import command_line
from bot.diagnosis.fixes.manifests import variables_in
from bot.reading.read import read


def said(command: str | None, manifest: Manifest, changed: list[str], **facts: Any) -> str:
    deployment = Deployment(**{"model": "org/m", "launcher": "compose", **facts}, command=command, manifest=manifest)
    return command_line(deployment, load_lazily().flags, changed)


def test_a_list_keeps_what_it_had_and_is_yaml():
    command = "vllm serve --model org/m --max-model-len 131072 --chat-template 'a: b' -tp 2 --port 80"
    text = said(command, Manifest("list", "args"), ["max_model_len"], max_model_len=8192)

    items = ["--model=org/m", "--chat-template=a: b", "-tp", "2", "--port=80", "--max-model-len=8192"]
    assert {"args": items} == {key: list(map(str, value)) for key, value in yaml.safe_load(text).items()}
    assert all(isinstance(item, str) for item in yaml.safe_load(text)["args"])


def test_a_list_with_the_program_keeps_it():
    text = said(
        "vllm serve org/m --port 80", Manifest("list", "command", is_whole=True), ["max_model_len"], max_model_len=8192
    )

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
    assert expected == said(command, Manifest("list", "args"), ["model"], model="org/q")


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (Manifest("keys", "engine_kwargs", "snake"), "engine_kwargs:\n  max_model_len: 8192\n  kv_cache_dtype: fp8"),
        (
            Manifest("keys", "vllmConfig", "camel"),
            "vllmConfig:\n  maxModelLen: 8192\n  extraArgs:  # beside those that it has\n    - --kv-cache-dtype=fp8",
        ),
        (Manifest("keys", "engineArgs", "kebab"), "engineArgs:\n  max-model-len: 8192\n  kv-cache-dtype: fp8"),
    ],
)
def test_settings_by_name_are_said_in_the_spelling_of_their_file(manifest: Manifest, expected: str):
    changed = ["max_model_len", "kv_cache_dtype"]

    assert expected == said(None, manifest, changed, launcher=None, max_model_len=8192, kv_cache_dtype="fp8")


def test_switches_models_and_records_by_name_are_yaml():
    speculation = Speculation(method="ngram", tokens=2)
    text = said(
        None, Manifest("keys", "engine_kwargs", "snake"), ["model", "enforce_eager", "hybrid_kv_cache", "speculation"],
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
        (Manifest("array", "CMD"), 'CMD ["org/m", "--a", "b c", "--max-model-len", "8192"]'),
        (
            Manifest("array", "ENTRYPOINT", is_whole=True),
            'ENTRYPOINT ["vllm", "serve", "org/m", "--a", "b c", "--max-model-len", "8192"]',
        ),
    ],
)
def test_an_instruction_of_a_dockerfile_is_json(manifest: Manifest, expected: str):
    assert expected == said("vllm serve org/m --a 'b c'", manifest, ["max_model_len"], max_model_len=8192)


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (Manifest("assigned", "args"), 'args = ["org/m", "--a", "b c", "--max-model-len", "8192"]'),
        (Manifest("json", "command"), '"command": ["org/m", "--a", "b c", "--max-model-len", "8192"]'),
        (Manifest("line", "ExecStart=-"), "ExecStart=-vllm serve org/m --a 'b c' --max-model-len 8192"),
    ],
)
def test_a_fix_comes_in_the_form_of_its_file(manifest: Manifest, expected: str):
    assert expected == said("vllm serve org/m --a 'b c'", manifest, ["max_model_len"], max_model_len=8192)


def test_settings_in_json_are_json():
    text = said(
        None, Manifest("json-keys", "vllmConfig", "camel"), ["model", "max_model_len", "enforce_eager", "dtype"],
        max_model_len=8192, enforce_eager=True, dtype="half",
    )  # fmt: skip

    assert {
        "modelURL": "org/m",
        "vllmConfig": {"maxModelLen": 8192, "dtype": "half", "extraArgs": ["--enforce-eager=true"]},
    } == json.loads(f"{{{text}}}")


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("array", "ENV A='b c'"),
        ("line", "Environment=A='b c'"),
        ("json", '"environment": [{"name": "A", "value": "b c"}],'),
        ("assigned", "# in its environment: A='b c'"),
    ],
)
def test_variables_come_in_the_form_of_the_file(style: ManifestStyle, expected: str):
    assert expected == variables_in(Manifest(style, "x"), "serve", ["A='b c'"])


@pytest.mark.parametrize(
    "text",
    [
        'args = ["--model", "org/m", "--max-model-len", "8192", "--a", "b \\"c"]',
        '"command": ["--model", "org/m", "--max-model-len", "8192", "--a", "{\\"b\\": 1}"],',
        "ExecStart=/opt/bin/vllm serve org/m --max-model-len 8192 --a 'b c'",
        "[Service]\nExecStart=/bin/bash -c 'cd /a && exec vllm serve org/m --max-model-len 8192'",
        "[program:vllm]\ncommand=vllm serve org/m --max-model-len 8192",
    ],
)
def test_what_is_offered_for_a_file_reads_as_the_file_with_the_fix(text: str):
    before = deployed(text).with_(max_model_len=4096)
    after = deployed(command_line(before, load_lazily().flags, ["max_model_len"]))

    assert before.with_(command=None) == after.with_(command=None)


def deployed(text: str) -> Deployment:
    found = read(text)
    return Deployment(**{name: found.value(name) for name in found.facts if name in Deployment.model_fields})
