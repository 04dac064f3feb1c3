"""Commands of the knowledge that start again what was launched."""

from __future__ import annotations

import pytest

from bot.deployment import AS_COMMAND, Deployment, Manifest
from bot.diagnosis.fixes.rerun import with_settings


def launched(command: str, launcher: str = "serve") -> Deployment:
    return Deployment.model_validate({"command": command, "launcher": launcher})


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("vllm serve MODEL", "vllm serve MODEL -tp 8 --trust-remote-code"),
        (
            "A=1 vllm serve ORG/MODEL --enforce-eager",
            "A=1 vllm serve ORG/MODEL -tp 8 --trust-remote-code --enforce-eager",
        ),
        ("vllm serve MODEL --tensor-parallel-size 2", "vllm serve MODEL --trust-remote-code --tensor-parallel-size 2"),
        ("vllm serve MODEL --tensor-parallel-size N -x", "vllm serve MODEL -tp 8 --trust-remote-code -x"),
        ("vllm serve MODEL 2>&1 | tail -1", "vllm serve MODEL -tp 8 --trust-remote-code 2>&1 | tail -1"),
        ("pgrep -af 'vllm serve|VLLM::'", "pgrep -af 'vllm serve|VLLM::'"),
    ],
)
def test_a_step_keeps_the_settings_that_it_does_not_change(run: str, expected: str):
    assert expected == with_settings(run, launched("vllm serve org/m -tp 8 --trust-remote-code"))


def test_a_record_stays_one_word():
    command = "vllm serve org/m --limit-mm-per-prompt '{\"image\":1}'"

    assert "vllm serve MODEL --limit-mm-per-prompt '{\"image\":1}' --port 1" == with_settings(
        "vllm serve MODEL --port 1", launched(command)
    )


def test_a_key_is_not_repeated():
    said = with_settings("vllm serve MODEL", launched("vllm serve org/m --api-key sk-live-0123456789"))

    assert "sk-live" not in said


@pytest.mark.parametrize(
    ("command", "launcher"),
    [("vllm serve org/m -tp 8", "serve"), ("docker run vllm/vllm-openai:v0.19.0 --model org/m -tp 8", "docker")],
)
def test_a_container_keeps_the_settings_too(command: str, launcher: str):
    run = "docker run --ipc=host vllm/vllm-openai:latest --model ORG/MODEL"

    assert f"{run} -tp 8" == with_settings(run, launched(command, launcher))


@pytest.mark.parametrize(
    ("command", "launcher", "manifest", "expected"),
    [
        (
            "docker run --gpus all vllm/vllm-openai:v0.19.0 --model org/m -tp 8", "docker", AS_COMMAND,
            "docker run -e A=1 --gpus all vllm/vllm-openai:v0.19.0 --model org/m -tp 8 --enforce-eager",
        ),
        (
            "sudo docker run vllm/vllm-openai --model org/m --enforce-eager", "docker", AS_COMMAND,
            "sudo docker run -e A=1 vllm/vllm-openai --model org/m --enforce-eager",
        ),
        (
            "vllm serve --model org/m -tp 8", "compose", Manifest("list", "command"),
            "environment:\n  A: '1'\ncommand:\n  - --model=org/m\n  - -tp\n  - '8'\n  - --enforce-eager",
        ),
        (
            "vllm serve org/m", "kubernetes", Manifest("list", "args", is_whole=True),
            "env:\n  - name: A\n    value: '1'\nargs:\n  - vllm\n  - serve\n  - org/m\n  - --enforce-eager",
        ),
        (
            "vllm serve --model org/m", "docker", Manifest("array", "CMD"),
            'ENV A=1\nCMD ["--model", "org/m", "--enforce-eager"]',
        ),
        ("kubectl run v --image=vllm/vllm-openai -- --model org/m", "docker", AS_COMMAND, "A=1 vllm serve MODEL --enforce-eager"),
    ],
)  # fmt: skip
def test_what_a_container_or_a_file_starts_stays_in_its_form(
    command: str, launcher: str, manifest: Manifest, expected: str
):
    deployment = launched(command, launcher).with_(manifest=manifest)

    assert expected == with_settings("A=1 vllm serve MODEL --enforce-eager", deployment)
