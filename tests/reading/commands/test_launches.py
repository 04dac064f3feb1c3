from __future__ import annotations

import pytest

from bot.evidence import Line
from bot.reading.commands.launches import find_extents, find_launches
from bot.reading.read import read


@pytest.mark.parametrize(
    "text",
    [
        "cd /opt && {} && echo ok",
        "source venv/bin/activate; {}; echo --max-num-seqs 4",
        '{} || echo "failed with --max-num-seqs 4"',
        "while true; do {}; sleep 5; done",
        "({})",
        "{{ {}; }}",
        "*{}*",
        "_{}_",
        "**`{}`**",
        "I ran “{}” and then",
        "tmux new -d -s v '{}'",
        "bash -c 'source a/bin/activate && {}'",
        "(venv) me@host:~/work$ {}",
        "root@host:/# {}",
        "{} # as before",
        "{} #full context",
    ],
)
def test_a_command_is_told_apart_from_what_stands_around_it(text: str):
    command = "CUDA_VISIBLE_DEVICES=0 vllm serve acme/m-8b --max-model-len 131072"
    found = read(text.format(command))

    assert (command, None, 131_072) == tuple(map(found.value, ("command", "max_num_seqs", "max_model_len")))


@pytest.mark.parametrize(
    "command",
    [
        "time vllm serve acme/m-8b --port 80",
        'sudo -E env "PATH=$PATH" vllm serve acme/m-8b --port 80',
        "sudo -u me /opt/bin/vllm serve acme/m-8b --port 80",
        "env A=b vllm serve acme/m-8b --port 80",
        "kubectl exec -it pod-0 -- vllm serve acme/m-8b --port 80",
        "srun --gres=gpu:2 vllm serve acme/m-8b -tp 2",
        "uv run --with vllm vllm serve acme/m-8b --port 80",
        "nohup vllm serve acme/m-8b --port 80 > vllm.log 2>&1 &",
        "vllm serve acme/m-8b --port 80 2>&1 | tee --append log",
        "M=acme/m-8b; vllm serve $M --port 80",
        'vllm serve acme/m-8b --host `hostname -i` --api-key "$(cat key)" --port $((80 + 1))',
    ],
)
def test_a_command_is_kept_with_what_starts_it_and_where_its_output_goes(command: str):
    assert command == read(f"{command}\nValueError: no").value("command")


def test_what_is_exported_stays_so_where_the_command_s_words_need_it():
    found = read("export PORT=80; vllm serve acme/m-8b --port $PORT")

    assert "export PORT=80; vllm serve acme/m-8b --port $PORT" == found.value("command")


def test_what_is_exported_before_a_command_stands_before_its_program():
    found = read("export A=1 B=2 && vllm serve acme/m-8b --port 80")

    assert "A=1 B=2 vllm serve acme/m-8b --port 80" == found.value("command")


def test_of_two_commands_in_a_line_each_has_its_own_flags():
    text = "vllm serve acme/a-7b -tp 2 --port 1 & vllm serve acme/b-8b --max-num-seqs 4 --port 2"
    commands = [" ".join(word.text for word in each.words) for each in find_launches([Line(number=1, text=text)])]

    assert text.split(" & ") == commands
    assert ("acme/b-8b", None, 4) == tuple(map(read(text).value, ("model", "tensor_parallel", "max_num_seqs")))


def test_of_two_commands_the_last_that_names_a_model_counts_and_what_varies_it():
    text = "vllm serve acme/a-7b -tp 2 --enforce-eager\n\nvllm serve acme/b-8b\n\nalso `vllm serve --max-num-seqs 4`"
    found = read(text)

    assert ("acme/b-8b", None, None, 4) == tuple(
        map(found.value, ("model", "tensor_parallel", "enforce_eager", "max_num_seqs"))
    )
    assert () == found.conflicts


def test_a_container_tells_of_the_machine_on_which_another_command_runs():
    found = read("docker run -it --gpus 2 vllm/vllm-openai:v0.9.1 bash\nvllm serve acme/m-8b")

    assert ("0.9.1", 2, "acme/m-8b") == (
        str(found.value("vllm_version")),
        found.value("gpu_count"),
        found.value("model"),
    )


def test_a_benchmark_of_a_server_is_not_the_server():
    found = read("vllm serve acme/m-8b -tp 2\nvllm bench serve --model acme/m-8b --max-concurrency 8 --port 80")

    assert "vllm serve acme/m-8b -tp 2" == found.value("command")


def test_a_value_of_several_lines_is_one():
    found = read(
        'vllm serve acme/m-8b --speculative-config \'{\n  "method": "ngram",\n  "num_speculative_tokens": 3\n}\' -tp 2'
    )

    assert ("ngram", 2) == (found.value("speculation").method, found.value("tensor_parallel"))


@pytest.mark.parametrize(
    ("text", "around"),
    [
        ("we run vllm serve acme/m-7b -tp 2 on an L4", ["we run ", " on an L4"]),
        ("vllm serve acme/m-7b && sleep 60 && curl -m 4; echo on an L4", []),
        ("vllm serve acme/m-7b -tp 2 | tee log", []),
        ("vllm serve acme/m-7b && echo done, on an L4", [" on an L4"]),
        ("vllm serve acme/m-7b & sleep 60, on an L4", [" on an L4"]),
        ("| vllm serve acme/m-7b | L4 |", ["| ", " | L4 |"]),
        ("so `vllm serve acme/m-7b` and `vllm serve acme/m-8b` fail", ["so `", "` and `", "` fail"]),
    ],
)
def test_a_sentence_is_what_no_command_takes(text: str, around: list[str]):
    left, start = [], 0
    for begin, end in sorted(find_extents(Line(number=1, text=text))):
        left += [text[start:begin]]
        start = max(start, end)
    left += [text[start:]]

    assert around == [part for part in left if part.strip()]


def test_of_two_commands_the_one_counts_that_the_failure_speaks_of():
    text = "vllm serve acme/a-8b --max-model-len 131072\nvllm serve acme/b-1b --port 1\nmodel's max seq len (131072) is too long"

    assert ("acme/a-8b", 131_072) == tuple(map(read(text).value, ("model", "max_model_len")))


def test_commands_within_one_sentence_are_told_apart():
    text = "I tried vllm serve acme/a-8b -tp 2, then vllm serve acme/a-8b --enforce-eager; both die"
    found = read(text)

    assert ("vllm serve acme/a-8b --enforce-eager", None) == (found.value("command"), found.value("tensor_parallel"))
