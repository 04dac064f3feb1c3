"""Programs that are given a command as one word."""

import pytest

from bot.deployment import Wrapper
from bot.reading.commands.wrappers import behind_host, open_word
from bot.reading.read import read

COMMAND = "vllm serve acme/m-8b --max-model-len 8192"


@pytest.mark.parametrize(
    ("text", "wrapper"),
    [
        ("bash -c '{}'", Wrapper(before="bash -c")),
        ('bash -lc "{}"', Wrapper(before="bash -lc", quote='"')),
        ("ssh -t me@h 'cd /a && {}; date'", Wrapper(before="ssh -t me@h", lead="cd /a && ", tail="; date")),
        ("tmux send-keys -t 0 '{}' C-m", Wrapper(before="tmux send-keys -t 0", after="C-m")),
        ("nohup bash -c '{}' > log 2>&1 &", Wrapper(before="nohup bash -c", after="> log 2>&1 &")),
        ("gcloud compute ssh box --command '{}'", Wrapper(before="gcloud compute ssh box --command")),
        ("we use `bash -c '{}'` here", Wrapper(before="bash -c")),
        ("docker exec -it v sh -c '{}'", Wrapper(before="docker exec -it v sh -c")),
        ("ssh -p 22 h {}", Wrapper(before="ssh -p 22 h")),
        ("ssh h {} > log 2>&1 &", Wrapper(before="ssh h", after="> log 2>&1 &")),
        ("ssh h {} --port $PORT", Wrapper(before="ssh h", quote='"')),
        ("bash -c '{}' on one L4", Wrapper(before="bash -c")),
        ('bash -c "{} --port $PORT"', Wrapper(before="bash -c", quote='"')),
        ('bash -c "{} --a $A --b \\$B"', Wrapper(before="bash -c", quote="")),
        ('bash -c "{} --b \\$B"', Wrapper(before="bash -c")),
        ("bash -c \"{} --chat-template 'a $B'\"", Wrapper(before="bash -c", quote="")),
        ("bash -c \"{} --chat-template 'a `b`'\"", Wrapper(before="bash -c", quote="")),
        ('bash -c "{} --chat-template $1"', Wrapper(before="bash -c", quote='"')),
        ('bash -c "{} --a $A --chat-template \\\\\\"b"', Wrapper(before="bash -c", quote="")),
        ("ssh h {} --chat-template '$B'", Wrapper(before="ssh h", quote="")),
        ('ssh h {} --chat-template "a $B"', Wrapper(before="ssh h", quote="")),
        ("conda run -n v bash -c '{}'", Wrapper(before="conda run -n v bash -c")),
    ],
)
def test_what_runs_a_command_is_kept_beside_it(text: str, wrapper: Wrapper):
    found = read(text.format(COMMAND))

    assert (wrapper,) == found.value("wrappers")
    assert found.value("command").startswith(COMMAND)
    assert "serve" == found.value("launcher")


def test_of_several_the_innermost_is_the_first():
    found = read(f"ssh h 'bash -c \"{COMMAND}\"'")

    assert ["bash -c", "ssh h"] == [wrapper.before for wrapper in found.value("wrappers")]


@pytest.mark.parametrize("text", ["{}", 'I ran "{}" twice', "echo '{}' > start.sh", "srun {}", "ssh to the box and {}"])
def test_other_words_around_a_command_run_nothing(text: str):
    assert () == read(text.format(COMMAND)).value("wrappers")


def test_what_goes_on_in_the_word_as_a_sentence_is_no_command():
    assert () == read(f"bash -c '{COMMAND} which dies'").value("wrappers")


def test_a_container_that_runs_a_shell_is_the_launcher():
    found = read(f'docker run --gpus 2 --entrypoint bash vllm/vllm-openai:v0.11.0 -c "{COMMAND}"')

    assert ("docker", COMMAND, 2) == tuple(map(found.value, ("launcher", "command", "gpu_count")))


def test_a_quotation_that_is_closed_is_around_nothing():
    assert None is open_word("bash -c 'date' && ")


def test_only_ssh_has_a_host():
    assert 0 == behind_host(["bash", "-c", "vllm"])


@pytest.mark.parametrize(
    "text",
    [
        'CMD ["bash", "-c", "{}"]',
        'command: ["/bin/sh", "-lc", "{}"]',
        "command:\n  - /bin/sh\n  - -c\n  - |\n    {}\n",
        'command:\n- "bash"\n- "-c"\n- "{}"\n',
    ],
)
def test_a_shell_in_a_list_is_what_a_command_is_within(text: str):
    found = read(text.format(COMMAND))

    assert [""] == [wrapper.quote for wrapper in found.value("wrappers")]
    assert (COMMAND, 8192) == (found.value("command"), found.value("max_model_len"))


def test_a_list_without_a_shell_is_around_nothing():
    assert () == (read(f"- --shush\n- -c\n\n{COMMAND}").value("wrappers"))
