"""What `vllm-triage size` is given beside words: a card's memory, standard input, files that are not there."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from bot.cli.main import program


def run(*arguments: str, stdin: str | None = None):
    return CliRunner().invoke(program, ["size", *arguments], input=stdin, catch_exceptions=False)


def answer(*arguments: str, stdin: str | None = None) -> dict:
    return json.loads(run(*arguments, "--json", stdin=stdin).stdout)


@pytest.mark.parametrize("amount", ["80GB", "80 GiB", "80g"])
def test_a_card_may_be_named_by_its_memory_alone(amount: str):
    in_words = answer("llama-3.1-8b on a card with 80GB")

    assert in_words == answer("llama-3.1-8b", "--gpu", amount)
    assert 80 == in_words["budget"]["total_gib"]


def test_a_dash_stands_for_standard_input():
    assert answer("llama-3.1-8b on L4") == answer("-", stdin="llama-3.1-8b on L4\n")
    assert answer("llama-3.1-8b on L4") == answer("-", "--gpu", "L4", stdin="llama-3.1-8b")


def test_a_file_that_is_not_there_is_told_in_words():
    done = run("on L4", "--config", "/nowhere/config.json")

    assert 1 == done.exit_code
    assert "Error: cannot read /nowhere/config.json: No such file or directory\n" == done.stderr


@pytest.mark.parametrize("text", ["llama-3.1-8b on 5000000xL4", "llama-3.1-8b on 5000000 x L4", "5000000x L4 qwen3-8b"])
def test_too_many_cards_are_one_complaint(text: str):
    found = answer(text)

    assert ["gpu_count is 5,000,000; no deployment has more than 65,536"] == [
        refusal["message"] for refusal in found["refusals"]
    ]
    assert ([], []) == (found["unused"], found["questions"])


@pytest.mark.parametrize(
    ("argument", "code"),
    [
        ("--max-model-len", 4),
        ("--max-model-len 8192 --max-model-len 1.5", 4),
        ("--nnodes -1", 3),
        ("--max-cudagraph-capture-size -1", 3),
        ("--enable-lora --max-loras 0", 3),
    ],
)
def test_a_value_that_vllm_does_not_take_is_told_by_the_exit_code(argument, code):
    assert code == run("qwen3-8b", "on", "L40S", *argument.split()).exit_code


def test_a_description_is_no_log():
    done = run("-", stdin="x" * 1_000_001)

    assert (1, True) == (done.exit_code, "a log is for `vllm-triage ask`" in done.output)


def test_a_config_that_is_no_text_is_told_in_words(tmp_path):
    (tmp_path / "config.json").write_bytes(b"\xff\xff\xff\xff")

    assert "it is no text" in run("on", "L4", "--config", str(tmp_path / "config.json")).output


def test_an_option_within_the_description_is_one_all_the_same():
    apart = run("qwen3-8b on L40S", "--context", "16K", "--sweep", "max_num_seqs=8,16").output

    assert apart == run("qwen3-8b on L40S --context 16K --sweep max_num_seqs=8,16").output


def test_a_word_given_by_name_is_looked_up_as_a_flag_s_is():
    row = json.dumps({"facts": {"model": "qwen3-8b", "gpu": "L40S", "load_format": "lots"}})

    assert "lots is no value of --load-format that I know" in json.loads(run("--jsonl", stdin=row).stdout)["unused"][0]
