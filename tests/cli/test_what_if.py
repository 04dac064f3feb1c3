"""What-ifs, speed and pictures from the command line."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from bot.cli.main import program

LLAMA = "llama-3.1-8b on H100, vllm 0.19"


def run(*arguments: str):
    return CliRunner().invoke(program, ["size", *arguments], catch_exceptions=False)


def rows(*arguments: str) -> list[dict]:
    return json.loads(run(*arguments, "--json").stdout)["rows"]


def test_every_combination_has_a_row():
    sets = [row["set"] for row in rows(LLAMA, "--sweep", "max_model_len=8K,16K", "--sweep", "tensor_parallel=1,2")]

    assert [(8192, 1), (8192, 2), (16384, 1), (16384, 2)] == [tuple(one.values()) for one in sets]


def test_a_row_says_what_a_sizing_says():
    (row,) = rows(LLAMA, "--sweep", "max_model_len=16384")
    budget = json.loads(run(f"{LLAMA} --max-model-len 16384", "--json").stdout)["budget"]

    assert (budget["kv_tokens"], budget["concurrency"]) == (row["kv_tokens"], row["concurrency"])


def test_a_wider_layout_takes_the_gpus_it_needs():
    (row,) = rows("llama-3.1-8b on one H100", "--sweep", "tensor_parallel=4")

    assert row["fits"]


def test_cards_and_models_are_swept_too():
    found = rows(LLAMA, "--sweep", "gpu=L4,H200", "--sweep", "max_model_len=8K", "--sweep", "model=qwen3-8b,qwen3-14b")

    assert [False, True] == [row["fits"] for row in found if row["set"]["model"] == "qwen3-14b"]


def test_another_card_has_its_own_memory():
    told, plain = (rows(f"llama-3.1-8b on {card}, vllm 0.19", "--sweep", "gpu=L4") for card in ("80 GB GPU", "H100"))

    assert plain == told


def test_what_does_not_start_says_why():
    (row,) = rows(LLAMA, "--sweep", "tensor_parallel=3")

    assert "must be divisible" in row["because"]


@pytest.mark.parametrize("look", [[], ["--markdown"]])
def test_a_table_is_printed(look):
    printed = run(LLAMA, "--sweep", "max_model_len=8K,16K", *look).stdout

    assert "2 of 2 combinations fit" in printed
    assert "16,384" in printed


@pytest.mark.parametrize(
    ("sweep", "sentence"),
    [
        ("max_model_len", "write it like max_model_len=8K,16K,32K"),
        ("max_model_len=", "write it like max_model_len=8K,16K,32K"),
        ("max_model_len=many", "is no whole number"),
        ("max_modle_len=8K", "did you mean max_model_len?"),
        ("max_num_seqs=" + ",".join(map(str, range(1, 10_003))), "are too many for one table"),
    ],
)
def test_a_sweep_that_cannot_be_is_one_sentence(sweep, sentence):
    done = run(LLAMA, "--sweep", sweep)

    assert 2 == done.exit_code
    assert sentence in " ".join(done.output.split())


def test_an_unknown_model_is_no_table():
    assert "I need to know more to size this" in run("parrot-7b on L4", "--sweep", "max_model_len=8K").stdout


def test_speed_and_people_are_in_the_json():
    served = json.loads(run(LLAMA, "--json", "--context", "2K", "--active-share", "0.05").stdout)["throughput"]

    assert (2048, 0.05) == (served["context_tokens"], served["active_share"])
    assert served["decode"]["low"] < served["decode"]["tokens_per_second"] < served["decode"]["high"]


def test_what_does_not_run_has_no_speed():
    assert json.loads(run("llama-3.1-70b on L4", "--json").stdout)["throughput"] is None


def test_speed_and_people_stand_among_the_details():
    assert "How fast, and for how many" in run(LLAMA, "--details").stdout
    assert "How fast, and for how many" not in run(LLAMA).stdout


@pytest.mark.parametrize("arguments", [("--active-share", "0"), ("--active-share", "2"), ("--context", "0")])
def test_a_load_that_cannot_be_is_one_sentence(arguments):
    done = run(LLAMA, *arguments)

    assert 2 == done.exit_code
    assert "found" in done.output
    assert "give a" in done.output


@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<svg"), ("a.png", b"\x89PNG")])
def test_a_picture_is_written(tmp_path, name, start):
    run(LLAMA, "--picture", str(tmp_path / name))

    assert start == (tmp_path / name).read_bytes()[: len(start)]


def test_a_picture_of_another_kind_is_one_sentence(tmp_path):
    done = run(LLAMA, "--picture", str(tmp_path / "a.gif"))

    assert "a picture is an .svg or a .png file" in done.output


def test_other_cards_are_as_many_as_were_named():
    (many,) = rows("4xL4 llama-3.1-70b, vllm 0.19", "--sweep", "gpu=H100")
    budget = json.loads(run("4xH100 llama-3.1-70b, vllm 0.19", "--json").stdout)["budget"]

    assert budget["kv_tokens"] == many["kv_tokens"]


def test_a_cloud_machine_has_the_cards_that_it_holds():
    (machine,) = rows("4xL4 llama-3.1-70b, vllm 0.19", "--sweep", "gpu=p5.48xlarge")
    budget = json.loads(run("8xH100 llama-3.1-70b, vllm 0.19", "--json").stdout)["budget"]

    assert budget["kv_tokens"] == machine["kv_tokens"]


def test_what_is_missing_is_asked_for():
    assert "Which GPU is it?" in run("llama-3.1-8b", "--sweep", "max_model_len=8K").stdout
