"""Predictions held against start-up logs, from the command line."""

from __future__ import annotations

import gzip
import json
import os

import pytest
from click.testing import CliRunner

from bot.cli.main import program

LOG = """INFO 03-02 10:00:00 [api_server.py:1] vLLM API server version 0.19.0
INFO 03-02 10:00:00 [utils.py:1] non-default args: {'model': 'meta-llama/Llama-3.1-8B', 'max_model_len': 8192, \
'gpu_memory_utilization': 0.9}
INFO 03-02 10:00:30 [gpu_model_runner.py:1] Model loading took 14.99 GiB memory and 12.1 seconds
INFO 03-02 10:01:00 [gpu_worker.py:1] Available KV cache memory: %s GiB
"""


def run(*arguments: str):
    return CliRunner().invoke(program, ["calibrate", *arguments], catch_exceptions=False)


def terms(*arguments: str) -> dict[str, dict]:
    return {row["term"]: row for row in json.loads(run(*arguments, "--json").stdout)["terms"]}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "one.log").write_text(LOG % "54.40")
    (tmp_path / "chat.txt").write_text("good morning")
    return tmp_path


def test_a_folder_is_read_log_by_log(folder):
    weights = terms(str(folder), "--gpu", "H100")["weights"]

    assert (1, 1) == (weights["logs"], weights["inside"])


def test_a_figure_far_off_is_outside(folder):
    (folder / "one.log").write_text(LOG % "20.00")

    assert 0 == terms(str(folder), "--gpu", "H100")["kv_available"]["share_inside"]


def test_what_is_left_out_says_why(folder):
    left_out = json.loads(run(str(folder), "--json").stdout)["left_out"]

    assert {"chat.txt": "no figure that we predict"} == left_out


def test_the_reply_counts_what_is_missing_and_how_to_add_it(folder):
    printed = run(str(folder)).stdout

    assert "1 log left out: no figure that we predict" in printed
    assert "1 log used in part: no GPU" in printed
    assert "--gpu NAME" in printed


@pytest.mark.parametrize("name", ["one.json", "facts.json"])
def test_a_file_beside_the_log_adds_what_it_leaves_out(folder, name):
    (folder / name).write_text('{"gpu": "H100"}')

    assert "kv_available" in terms(str(folder))


def test_what_the_log_names_outranks_what_holds_for_all(folder):
    assert 1 == terms(str(folder), "--fact", "model=Qwen/Qwen3-0.6B")["weights"]["inside"]


def test_a_path_in_the_log_gives_way_to_a_name(folder):
    (folder / "one.log").write_text((LOG % "54.40").replace("meta-llama/Llama-3.1-8B", "/mnt/models"))

    assert 1 == terms(str(folder), "--fact", "model=meta-llama/Llama-3.1-8B")["weights"]["inside"]


CONFIG_LINE = (
    "INFO 03-02 10:00:01 [core.py:1] Initializing a V1 LLM engine (v0.19.0) with config: "
    "model='meta-llama/Llama-3.1-8B', dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=1\n"
)


@pytest.mark.parametrize("listed", ["{'model': 'meta-llama/Llama-3.1-8B', 'max_model_len': 8192}", "{}"])
def test_what_a_list_of_arguments_leaves_out_is_as_by_default(folder, listed):
    lines = (LOG % "54.40").splitlines(keepends=True)
    lines[1:2] = [f"INFO 03-02 10:00:00 [utils.py:1] non-default args: {listed}\n", CONFIG_LINE]
    (folder / "one.log").write_text("".join(lines))

    assert "kv_available" in terms(str(folder), "--gpu", "H100")


def test_without_a_list_of_arguments_anything_may_have_been_set(folder):
    lines = (LOG % "54.40").splitlines(keepends=True)
    (folder / "one.log").write_text("".join([lines[0], CONFIG_LINE, *lines[2:]]))

    assert "kv_available" not in terms(str(folder), "--gpu", "H100")


def test_notes_that_are_no_object_are_one_sentence(folder):
    (folder / "one.json").write_text("[]")
    done = run(str(folder))

    assert 1 == done.exit_code
    assert "wanted one object of facts" in done.output


def test_a_list_adds_what_logs_leave_out(folder):
    rows = [
        {"id": "log", "file": "one.log", "facts": {"gpu": "H100"}},
        {"id": "note", "facts": {"model": "Qwen/Qwen3-8B", "gpu": "L40S"}, "logged": {"weights_gib": 15.27}},
    ]
    (folder / "runs.jsonl").write_text("\n".join(map(json.dumps, rows)))

    assert 2 == terms(str(folder / "runs.jsonl"))["weights"]["logs"]


def test_a_log_that_is_gone_is_left_out(folder):
    (folder / "runs.jsonl").write_text('{"file": "two.log"}')

    assert "cannot be read" in json.loads(run(str(folder / "runs.jsonl"), "--json").stdout)["left_out"]["two.log"]


def test_a_file_of_another_kind_is_left_out_and_the_logs_are_read(folder):
    (folder / "packed.log").write_bytes(gzip.compress(b"log"))
    (folder / "noise.log").write_bytes(bytes(range(256)) * 1000)
    (folder / "empty.log").touch()
    (folder / "latest.log").symlink_to(folder / "one.log")
    with (folder / "zeros.log").open("wb") as sparse:
        sparse.truncate(1 << 24)
    (folder / os.fsdecode(b"\xff.log")).write_text(LOG % "54.40")
    answer = json.loads(run(str(folder), "--gpu", "H100", "--json").stdout)

    assert 2 == answer["terms"][0]["logs"]
    assert {"chat.txt", "packed.log", "noise.log", "empty.log", "zeros.log"} == answer["left_out"].keys()
    assert "is compressed: unpack it with zcat" == answer["left_out"]["packed.log"]


def test_what_of_the_notes_cannot_be_used_is_said(folder):
    (folder / "one.json").write_text('{"gpu": "H100", "max_num_seqs": "lots"}')

    assert "one.log: max_num_seqs: 'lots' is no whole number" in run(str(folder)).stderr


def test_a_line_that_is_no_run_is_one_sentence(folder):
    (folder / "runs.jsonl").write_text("[]")
    done = run(str(folder / "runs.jsonl"))

    assert 1 == done.exit_code
    assert 'wanted an object with "file", "facts" or "logged"' in done.output


@pytest.mark.parametrize("look", [[], ["--markdown"]])
def test_the_table_says_whether_the_ranges_are_honest(folder, look):
    printed = run(str(folder), "--gpu", "H100", *look).stdout

    assert "hold what 1 log printed" in printed or "too narrow" in printed
    assert "weights" in printed


def test_details_show_each_log(folder):
    printed = run(str(folder), "--gpu", "H100", "--details").stdout

    assert "one.log" in printed
    assert "chat.txt" in printed


def test_a_card_that_nobody_knows_is_no_card_of_all_logs(folder):
    done = run(str(folder), "--gpu", "H1000")

    assert 2 == done.exit_code
    assert "I do not know the GPU 'H1000'" in done.stderr


def test_no_error_is_less_than_none(folder):
    assert "-0.000" not in run(str(folder), "--gpu", "H100").stdout


def test_without_a_usable_log_it_says_so(tmp_path):
    assert "No logs are there" in run(str(tmp_path)).stdout

    (tmp_path / "other.log").write_text("nothing of vLLM's\n")
    assert "No log prints a figure" in run(str(tmp_path)).stdout


@pytest.mark.parametrize("weights", ["0.0000", "-1.00"])
def test_weights_that_no_run_has_are_left_out_and_named(folder, weights):
    (folder / "one.log").write_text((LOG % "54.40").replace("14.99", weights))
    told = json.loads(run(str(folder), "--gpu", "H100", "--json").stdout)

    assert "weights" not in {row["term"] for row in told["terms"]}
    assert told["in_part"]["one.log"].startswith("prints what no run has: weights ")


def test_a_card_of_all_logs_may_be_named_by_its_memory(folder):
    (folder / "one.log").write_text(LOG % "54.40")
    done = run(str(folder), "--gpu", "80GB", "--json")

    assert "I took the card for one of 80 GiB" in done.stderr
    assert "kv_available" in {row["term"] for row in json.loads(done.stdout)["terms"]}


def test_a_kv_cache_below_zero_is_said_to_be_missing(folder):
    assert "so much is missing before its first block" in run(str(folder), "--gpu", "T4", "--details").stdout
    assert "so much is missing" not in run(str(folder), "--gpu", "H100", "--details").stdout
