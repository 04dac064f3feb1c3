"""Commands as they were launched."""

from __future__ import annotations

from typing import Any

import pytest

from bot.catalog.flags import Flag, Flags
from bot.catalog.load import load_lazily
from bot.deployment import Deployment, Speculation, read_version
from bot.diagnosis.fixes.command import command_line
from tests.diagnosis.conftest import FLAGS


def launched(command: str, **facts: Any) -> Deployment:
    return Deployment(model="org/m", command=command, **facts)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("vllm serve org/m", "vllm serve org/m --max-model-len 8192"),
        ("vllm serve org/m --max-model-len 131072 --port 80", "vllm serve org/m --port 80 --max-model-len 8192"),
        ("vllm serve org/m --max-model-len=131072", "vllm serve org/m --max-model-len 8192"),
        ("vllm serve org/m --max_model_len 131072", "vllm serve org/m --max-model-len 8192"),
        ("vllm serve org/m 2>&1 | tee log", "vllm serve org/m --max-model-len 8192 2>&1 | tee log"),
        ("nohup vllm serve org/m > a.log 2>&1 &", "nohup vllm serve org/m --max-model-len 8192 > a.log 2>&1 &"),
        ('M=org/m; vllm serve "$M" --port ${P:-80}', 'M=org/m; vllm serve "$M" --port ${P:-80} --max-model-len 8192'),
        ("vllm serve $(cat m) --host `hostname -i`", "vllm serve $(cat m) --host `hostname -i` --max-model-len 8192"),
        ("docker run -v ~/m:/m v --model org/m", "docker run -v ~/m:/m v --model org/m --max-model-len 8192"),
        ("vllm serve org/m --api-key $KEY", "vllm serve org/m --api-key $KEY --max-model-len 8192"),
        ("env HF_TOKEN=a$b vllm serve org/m", "env HF_TOKEN=YOUR_SECRET vllm serve org/m --max-model-len 8192"),
        (
            "docker run --gpus all -e HF_TOKEN=hf_abc vllm/vllm-openai --model org/m --trust-remote-code",
            "docker run --gpus all -e HF_TOKEN=YOUR_SECRET vllm/vllm-openai --model org/m --trust-remote-code --max-model-len 8192",
        ),
        ("vllm serve org/m --api-key sk-1 -tp 2", "vllm serve org/m --api-key YOUR_SECRET -tp 2 --max-model-len 8192"),
        (
            """LD_PRELOAD="/a b.so" CUDA_VISIBLE_DEVICES='0,$(id)' vllm serve org/m --chat-template 'a b'""",
            "LD_PRELOAD='/a b.so' CUDA_VISIBLE_DEVICES='0,$(id)' vllm serve org/m --chat-template 'a b' --max-model-len 8192",
        ),
        (
            "vllm serve org/m --trust-remote-code --max-model-len 131072 --port 80",
            "vllm serve org/m --trust-remote-code --port 80 --max-model-len 8192",
        ),
        ("vllm serve --model org/m --port 80", "vllm serve org/m --port 80 --max-model-len 8192"),
        ("vllm serve --port 80 --model=org/m", "vllm serve org/m --port 80 --max-model-len 8192"),
        ("vllm serve --port 80 org/m", "vllm serve org/m --port 80 --max-model-len 8192"),
        ("vllm serve -O3 org/m", "vllm serve org/m -O3 --max-model-len 8192"),
        ("docker run -e 'A=b c' v --model org/m", "docker run -e A='b c' v --model org/m --max-model-len 8192"),
        (
            "vllm serve org/m --max-num-batched-tokens 4096 --tokenizer org/t",
            "vllm serve org/m --max-num-batched-tokens 4096 --tokenizer org/t --max-model-len 8192",
        ),
    ],
)
def test_a_changed_fact_takes_the_place_of_the_old_one(command: str, expected: str):
    assert expected == command_line(launched(command, max_model_len=8192), FLAGS, ["max_model_len"])


def test_another_model_takes_the_place_of_the_old_one():
    deployment = launched("vllm serve org/big --port 80").with_(model="org/m-FP8")

    assert "vllm serve org/m-FP8 --port 80" == command_line(deployment, FLAGS, ["model"])


@pytest.mark.parametrize("command", ["vllm serve --model org/m --port 80", "vllm serve --port 80 org/m"])
def test_another_model_takes_the_place_of_the_old_one_wherever_it_stood(command: str):
    deployment = Deployment(model="org/m-FP8", command=command)

    assert "vllm serve org/m-FP8 --port 80" == command_line(deployment, FLAGS, ["model"])


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("vllm serve --model=org/m --port=80", "vllm serve org/m-FP8 --port=80"),
        ("vllm serve --config run.yaml", "vllm serve org/m-FP8 --config run.yaml"),
        ("python -m vllm.entrypoints.openai.api_server --model=org/m --port 80", None),
        ("docker run v --model org/m --port 80", "docker run v --model org/m-FP8 --port 80"),
    ],
)
def test_another_model_costs_no_other_argument(command: str, expected: str | None):
    deployment = Deployment(model="org/m-FP8", command=command)

    assert (expected or command.replace("org/m", "org/m-FP8")) == command_line(
        deployment, load_lazily().flags, ["model"]
    )


def test_a_new_command_says_what_was_stated():
    deployment = Deployment(model="org/m", tensor_parallel=2, gpu="L4", other_arguments=("--trust-remote-code",))

    assert "vllm serve org/m --tensor-parallel-size 2 --trust-remote-code" == command_line(deployment, FLAGS)


def test_switches_are_spelled_for_yes_and_for_no():
    said = [command_line(Deployment(model="m", enforce_eager=value), FLAGS) for value in (True, False)]

    assert ["vllm serve m --enforce-eager", "vllm serve m --no-enforce-eager"] == said


@pytest.mark.parametrize("command", ["vllm serve --enforce-eager org/m", "vllm serve --enforce-eager true org/m"])
def test_a_switch_takes_no_model_along(command: str):
    deployment = launched(command, enforce_eager=False)

    assert "vllm serve org/m --no-enforce-eager" == command_line(deployment, FLAGS, ["enforce_eager"])


def test_a_flag_that_the_version_lacks_is_dropped():
    deployment = launched("vllm serve org/m --swap-space 4", vllm_version=read_version("0.33.0"), max_model_len=8192)

    assert "vllm serve org/m --max-model-len 8192" == command_line(deployment, FLAGS, ["max_model_len"])


def test_a_flag_of_dockers_is_not_vllms():
    command = "docker run --device all -e A=b vllm/vllm-openai:v0.33.0 --model org/m --device cuda"
    flags = Flags.of([Flag(name="--device", until=read_version("0.9.2")), *FLAGS.rows])
    deployment = launched(command, vllm_version=read_version("0.33.0"), max_model_len=8192)

    said = command_line(deployment, flags, ["max_model_len"])

    assert "docker run --device all -e A=b vllm/vllm-openai:v0.33.0 --model org/m --max-model-len 8192" == said


def test_a_length_that_vllm_fits_itself_replaces_the_old_one():
    deployment = launched("vllm serve org/m --max-model-len 9", auto_max_model_len=True)

    assert "vllm serve org/m --max-model-len -1" == command_line(deployment, FLAGS, ["auto_max_model_len"])


def test_speculation_is_said_as_json():
    flags = Flags.of([Flag(name="--speculative-config", fact="speculation", type="json")])
    deployment = launched("vllm serve org/m", speculation=Speculation(method="ngram", tokens=4))

    said = command_line(deployment, flags, ["speculation"])

    assert """vllm serve org/m --speculative-config '{"method": "ngram", "num_speculative_tokens": 4}'""" == said


def test_a_model_without_a_place_is_named():
    assert "python server.py --model org/m" == command_line(launched("python server.py"), FLAGS, ["model"])
    assert "x --model=org/m" == command_line(launched("x --model=org/old"), FLAGS, ["model"])


def test_a_torn_quotation_is_no_obstacle():
    assert "--max-model-len 8192" in command_line(
        launched("vllm serve 'org/m", max_model_len=8192), FLAGS, ["max_model_len"]
    )


def test_a_variable_before_the_program_gives_way_to_the_changed_fact():
    flags = Flags.of([Flag(name="VLLM_BACKEND", fact="attention_backend"), Flag(name="--port")])
    plain = launched("VLLM_BACKEND=X A=b vllm serve org/m --port 80")
    inside = launched("docker run -e VLLM_BACKEND=X -e A=b v --model org/m")

    assert "A=b vllm serve org/m --port 80" == command_line(plain, flags, ["attention_backend"])
    assert "docker run -e A=b v --model org/m" == command_line(inside, flags, ["attention_backend"])


def test_what_a_file_may_tell_is_not_told_again():
    deployment = launched("vllm serve --config run.yaml", enforce_eager=True, max_model_len=8192)

    assert "vllm serve --config run.yaml --max-model-len 8192" == command_line(deployment, FLAGS, ["max_model_len"])


def test_a_setting_within_another_gives_way_to_the_changed_fact():
    flags = Flags.of([Flag(name="--attention-backend", fact="attention_backend")])
    deployment = launched("vllm serve org/m --attention-config.backend=A -tp 2", attention_backend="B")

    assert "vllm serve org/m -tp 2 --attention-backend B" == command_line(deployment, flags, ["attention_backend"])
