from __future__ import annotations

import gzip
import io
import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot import consult
from bot.cli.ask import STREAM_FROM
from bot.cli.main import program

NO_BLOCKS = "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`."
LOW = f"vllm serve Qwen/Qwen2.5-7B-Instruct --gpu-memory-utilization 0.4\nRTX 4090, nothing else on it\n{NO_BLOCKS}\n"
KEYS = {
    "problem", "role", "match", "also", "cause", "causes", "facts", "gpus", "mig_devices", "processes", "driver", "cuda",
    "logged", "budget", "fixes", "questions", "confidence",
}  # fmt: skip
BUDGET_KEYS = {
    "total_gib", "allowance_gib", "terms", "weights_gib", "kv_available_gib", "kv_bytes_per_token", "kv_tokens",
    "concurrency", "longest_context", "fits",
}  # fmt: skip


class Pipe(io.StringIO):
    """A stream that gives no more at once than a short text."""

    def read(self, size: int | None = -1, /) -> str:
        assert size in range(STREAM_FROM + 1)
        return super().read(size)


def ask(*arguments: str, paste: str | bytes = "") -> Result:
    return CliRunner().invoke(program, ["ask", *arguments], input=paste)


def answered(*arguments: str, paste: str | bytes = LOW) -> dict:
    return json.loads(ask("--json", *arguments, paste=paste).stdout)


def test_a_paste_on_standard_input_is_answered():
    said = ask(paste=LOW)

    assert 0 == said.exit_code
    assert said.stdout.startswith("Nothing is left for the KV cache\n")


def test_a_file_is_answered_like_standard_input(tmp_path: Path):
    (tmp_path / "paste.txt").write_text(LOW)

    assert ask(paste=LOW).stdout == ask(str(tmp_path / "paste.txt")).stdout


def test_json_has_the_keys_that_programs_rely_on():
    answer = answered()

    assert set() == KEYS - set(answer)
    assert set() == BUDGET_KEYS - set(answer["budget"])
    assert {"name", "gib", "measured", "formula"} <= set(answer["budget"]["terms"][0])
    assert {"id", "command", "set", "fits", "kv_tokens", "concurrency", "costs"} <= set(answer["fixes"][0])
    assert {"id", "verdict", "because", "waits_for"} <= set(answer["causes"][0])


def test_questions_have_the_keys_that_programs_rely_on():
    assert {"fact", "text", "choices"} <= set(answered(paste=NO_BLOCKS)["questions"][0])


def test_memory_in_json_is_in_gib():
    assert pytest.approx(23.64 * 0.4, abs=0.02) == answered()["budget"]["allowance_gib"]


def test_markdown_folds_the_details():
    assert "<details>" in ask("--markdown", paste=LOW).stdout


def test_details_are_shown_on_demand():
    assert "All causes considered" not in ask(paste=LOW).stdout
    assert "All causes considered" in ask("--details", paste=LOW).stdout


def test_a_stated_fact_counts():
    assert "L40S" == answered("--fact", "gpu=L40S", paste=NO_BLOCKS)["facts"]["gpu"]


@pytest.mark.parametrize(
    ("fact", "wanted"),
    [
        ("colour=red", "write NAME=VALUE"),
        ("gpu", "write NAME=VALUE"),
        ("max_model_len=long", "context length: 'long' is no whole number"),
    ],
)
def test_a_fact_that_is_none_is_refused_with_what_was_wanted(fact: str, wanted: str):
    said = ask("--fact", fact, paste=NO_BLOCKS)

    assert 2 == said.exit_code
    assert wanted in " ".join(said.stderr.split())


def test_words_in_place_of_a_file_are_told_where_to_go():
    done = CliRunner().invoke(program, ["ask", "CUDA out of memory"])

    assert "pipe them: echo 'CUDA out of memory' | vllm-triage ask" in done.output


def test_a_missing_file_is_named(tmp_path: Path):
    said = ask(str(tmp_path / "none.txt"))

    assert (1, "") == (said.exit_code, said.stdout)
    assert "none.txt: No such file or directory" in said.stderr


def test_a_directory_is_no_paste(tmp_path: Path):
    said = ask(str(tmp_path))

    assert 1 == said.exit_code
    assert "Is a directory" in said.stderr


BAD = {
    "nothing": "",
    "blank lines": "\n \n\t\n",
    "box drawing": "│┌─┐└┘├┤┬┴┼═║\n" * 200,
    "binary": bytes(range(256)) * 40,
    "a megabyte of noise": random.Random(7).randbytes(1_000_000),
    "forty thousand characters": "word " * 8_000,
    "one long line": "x" * 200_000,
    "half a surrogate": b"\xed\xa0\x80\xff\xfe",
}


@pytest.mark.timeout(10)
@pytest.mark.parametrize("paste", BAD.values(), ids=BAD)
def test_whatever_is_pasted_is_answered_or_declined(paste: str | bytes):
    said = ask(paste=paste)

    assert (0, "") == (said.exit_code, said.stderr)
    assert "not a vLLM problem I know" in said.stdout


def test_a_long_file_is_streamed_with_a_bar_and_answered(tmp_path: Path):
    (tmp_path / "vllm.log").write_text("INFO 03-02 09:14:07 some line\n" * (STREAM_FROM // 28) + LOW)
    said = ask(str(tmp_path / "vllm.log"))

    assert said.stdout.startswith("Nothing is left for the KV cache")
    assert "Reading" in said.stderr


def test_a_long_pipe_is_streamed_without_losing_a_line(monkeypatch: pytest.MonkeyPatch):
    """A text that is not short is never held as a whole; the line that the first look cuts stays one."""
    paste = "INFO 03-02 09:14:07 some line\n" * (STREAM_FROM // 28) + LOW
    monkeypatch.setattr("bot.cli.ask.standard_input", lambda: Pipe(paste))
    monkeypatch.setattr("bot.consult.ask", lambda *_: pytest.fail("held as a whole"))
    streamed: list[str] = []
    ask_lines = consult.ask_lines
    monkeypatch.setattr(
        "bot.consult.ask_lines",
        lambda lines, *rest: ask_lines((streamed.append(line) or line for line in lines), *rest),
    )
    said = ask()

    assert said.stdout.startswith("Nothing is left for the KV cache")
    assert paste.splitlines(keepends=True) == streamed


def test_every_line_of_jsonl_has_its_answer():
    rows = [{"id": "a", "text": NO_BLOCKS, "facts": {"gpu": "L4"}}, {"id": "b", "text": "thanks, works now"}]
    lines = ask("--jsonl", paste="\n".join(map(json.dumps, rows))).stdout.splitlines()

    assert [("a", "kv-cache-no-memory"), ("b", None)] == [
        (answer["id"], answer["problem"]) for answer in map(json.loads, lines)
    ]


def test_bad_lines_of_jsonl_are_named_and_the_others_answered():
    lines = ask("--jsonl", paste='{"id": 1\n[1]\n{"id": 3}\n\n{"id": 4, "text": ""}').stdout.splitlines()

    assert [
        "line 1 is no JSON: Expecting ',' delimiter at column 9",
        'line 2: wanted an object with "text"',
        'line 3: wanted an object with "text"',
        None,
    ] == [json.loads(line).get("error") for line in lines]


def test_odd_facts_in_jsonl_do_not_stop_the_answer():
    row = {
        "id": 1,
        "text": NO_BLOCKS,
        "facts": {"gpu": ["L4"], "max_model_len": "long", "colour": "red", "weights_gib": {}},
    }

    assert "kv-cache-no-memory" == json.loads(ask("--jsonl", paste=json.dumps(row)).stdout)["problem"]


def test_json_that_nests_too_deep_is_named():
    assert "line 1" in json.loads(ask("--jsonl", paste="[" * 100_000).stdout)["error"]


def test_facts_that_are_no_object_are_named():
    row = {"id": 1, "text": NO_BLOCKS, "facts": "gpu=L4"}

    assert "line 1" in json.loads(ask("--jsonl", paste=json.dumps(row)).stdout)["error"]


@pytest.mark.parametrize(
    "row", ['{"id": "\\ud800", "text": "a"}', '{"id": 1, "text": "a", "facts": {"\\udfff": "\\ud800"}}']
)
def test_half_a_character_in_a_row_costs_no_other_row_its_answer(row: str):
    said = ask("--jsonl", paste=f'{row}\n{{"id": "next", "text": "a"}}\n')

    assert 0 == said.exit_code
    assert [json.loads(row)["id"], "next"] == [json.loads(line)["id"] for line in said.stdout.splitlines()]


@pytest.mark.parametrize("number", ["1" * 5000, "NaN", "-Infinity"])
def test_a_number_that_is_none_is_an_error_of_its_row(number: str):
    said = ask("--jsonl", paste=f'{{"id": {number}, "text": "a"}}\n{{"id": 2, "text": "a"}}\n')

    first, second = map(json.loads, said.stdout.splitlines())
    assert "line 1 is no JSON that can be read" in first["error"]
    assert 2 == second["id"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_a_file_that_powershell_wrote_is_read(encoding: str, tmp_path: Path):
    (tmp_path / "log.txt").write_bytes(LOW.replace("\n", "\r\n").encode(encoding))

    assert ask(paste=LOW).stdout == ask(str(tmp_path / "log.txt")).stdout


def test_a_compressed_log_is_not_taken_for_a_problem_unknown(tmp_path: Path):
    (tmp_path / "log.gz").write_bytes(gzip.compress(LOW.encode()))

    said = ask(str(tmp_path / "log.gz"))

    assert 1 == said.exit_code
    assert "is compressed; unpack it: zcat" in said.stderr


def test_facts_of_a_row_that_are_none_are_named_with_its_answer():
    rows = [
        {"id": 1, "text": NO_BLOCKS, "facts": {"max_model_len": "long", "colour": "red", "gpu": None}},
        {"id": 2, "text": NO_BLOCKS},
    ]
    first, second = map(json.loads, ask("--jsonl", paste="\n".join(map(json.dumps, rows))).stdout.splitlines())

    assert "context length: 'long' is no whole number" in first["unused"][0]
    assert "'colour' is no fact I know" == first["unused"][1]
    assert ("kv-cache-no-memory", []) == (second["problem"], second["unused"])
