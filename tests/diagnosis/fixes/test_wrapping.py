"""A command in what it was given to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.deployment import Deployment, Wrapper
from bot.diagnosis.fixes.command import command_line
from bot.evidence import Evidence
from bot.reading.read import read
from tests.diagnosis.conftest import FLAGS

WRAPPERS = (
    "bash -c '{}'", "sh -lc 'cd /a && {}'", "ssh -t me@h '{}; date'", "tmux new -d -s v '{}'", "kubectl exec v-0 -- bash -c '{}'",
    "docker exec -it v sh -c '{} 2>&1 | tee log'", "nohup bash -c '{}' > log 2>&1 &", "ssh h {}",
)  # fmt: skip


def deployed(found: Evidence) -> Deployment:
    return Deployment(**{name: found.value(name) for name in found.facts if name in Deployment.model_fields})


def offered(text: str) -> str:
    return command_line(deployed(read(text)).with_(max_model_len=4096), FLAGS, ["max_model_len"])


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_fix_comes_in_what_ran_the_command(wrapper: str):
    expected = wrapper.format("vllm serve org/m --port 80 --max-model-len 4096")

    assert expected.replace("ssh h vllm", "ssh h 'vllm").removesuffix("4096") in offered(
        wrapper.format("vllm serve org/m --max-model-len 8192 --port 80")
    )


@given(
    wrapper=st.sampled_from(WRAPPERS[:-1]),
    name=st.text(st.sampled_from('ab /."$-_'), min_size=1, max_size=12)
    .map(str.strip)
    .filter(lambda name: name[:1] not in {"", "-"}),
)
def test_what_is_offered_reads_as_the_command_with_the_fix(wrapper: str, name: str):
    """Whatever has to be quoted in it."""
    command = f"vllm serve org/m --max-model-len 8192 --served-model-name {_quoted(name)} --port 80"
    before = deployed(read(wrapper.format(command)))
    after = deployed(read(command_line(before.with_(max_model_len=4096), FLAGS, ["max_model_len"])))

    assert before.with_(max_model_len=4096, command=None) == after.with_(command=None)


def _quoted(name: str) -> str:
    letters = "".join(f"\\{letter}" if letter in '\\"$' else letter for letter in name)
    return f'"{letters}"'


def test_what_cannot_be_quoted_again_is_said_with_the_command():
    said = offered('docker exec v bash -c "vllm serve org/m --max-model-len 8192 --a $A --b \\$B"')

    assert "# within: docker exec v bash -c …" == said.splitlines()[0]
    assert said.splitlines()[1].startswith("vllm serve org/m ")


def test_a_secret_beside_the_command_is_hidden():
    said = offered("bash -c 'HF_TOKEN=abcdefgh1234 python warm.py && vllm serve org/m --max-model-len 8192'")

    assert "abcdefgh1234" not in said
    assert "YOUR_SECRET" in said


@pytest.mark.parametrize("value", ["'a $B'", "'a `b`'", "'a $1'"])
def test_what_the_outer_shell_fills_in_is_never_offered_as_a_literal(value: str):
    said = offered(f'bash -c "vllm serve org/m --max-model-len 8192 --chat-template {value}"')

    assert "# within: bash -c …" == said.splitlines()[0]


def test_what_nothing_is_to_fill_in_stays_so():
    said = offered('bash -c "vllm serve org/m --max-model-len 8192 --served-model-name a\\$B"')

    assert "bash -c 'vllm serve org/m --served-model-name a$B --max-model-len 4096'" == said.replace("\\\n", "")


def test_what_does_not_read_as_the_command_is_not_offered():
    around = Wrapper(before="bash -c", lead="docker run -it image")
    deployment = Deployment(command="vllm serve org/m", model="org/m", wrappers=(around,))

    assert ["# within: bash -c …", "vllm serve org/m"] == command_line(deployment, FLAGS, []).splitlines()


@pytest.mark.parametrize("command", ["'{}'", '"{} --port $PORT --seed \\$S"'])
def test_a_secret_before_what_runs_the_command_is_hidden(command: str):
    text = f"docker exec -e HF_TOKEN=abcdefgh1234 v bash -c {command}"
    said = offered(text.format("vllm serve org/m --max-model-len 8192"))

    assert "abcdefgh1234" not in said
    assert "HF_TOKEN=YOUR_SECRET" in said
