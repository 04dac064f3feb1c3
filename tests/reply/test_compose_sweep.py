"""What-if tables as documents."""

from __future__ import annotations

import json

from bot.deployment import Deployment, Speculation, read_version
from bot.diagnosis.verdict import Question
from bot.reply.compose_sweep import answer_sweep, compose_sweep
from bot.reply.document import Ask, Document, Table, Title
from bot.sizing.sweep import SweepRow
from bot.units import Bytes

FITS = SweepRow({"max_model_len": 8192}, True, Bytes.gib(12.5), 81_920, 10.0, 40_960)
REFUSED = SweepRow({"max_model_len": 99_999}, False, because="it was made for 40,960 tokens. Ask for fewer " + "x" * 90)


def a_table(document: Document) -> Table:
    return next(part for part in document.parts if isinstance(part, Table))


def test_every_row_has_a_cell_for_every_header():
    table = a_table(compose_sweep(Deployment(), [FITS, REFUSED]))

    assert {len(table.headers)} == {len(row) for row in table.rows} | {len(table.numeric)}


def test_figures_stand_where_there_are_some():
    fits, refused = a_table(compose_sweep(Deployment(), [FITS, REFUSED])).rows

    assert ("8,192", "yes", "12.50", "81,920", "10.0", "40,960", "") == fits
    assert ("99,999", "no", "", "", "", "") == refused[:6]


def test_several_counts_are_said_one_after_the_other():
    row = SweepRow({"cudagraph_capture_sizes": (1, 2, 4)}, True, Bytes.gib(12.5), 81_920, 10.0, 40_960)

    assert "1 2 4" == a_table(compose_sweep(Deployment(), [row, row])).rows[0][0]
    assert '"cudagraph_capture_sizes": [1, 2, 4]' in json.dumps(answer_sweep([row]))


def test_a_remark_is_its_first_sentence():
    *_, remark = a_table(compose_sweep(Deployment(), [REFUSED])).rows[0]

    assert "it was made for 40,960 tokens" == remark


def test_the_summary_counts_what_fits():
    assert "1 of 2 combinations fit" == compose_sweep(Deployment(), [FITS, REFUSED]).summary


def test_without_rows_it_says_what_is_missing():
    assert "I need to know more to size this" == compose_sweep(Deployment(), []).summary


def test_programs_get_numbers():
    fits, refused = answer_sweep([FITS, REFUSED])

    assert (12.5, 10.0) == (fits["kv_available_gib"], fits["concurrency"])
    assert (None, None) == (refused["kv_available_gib"], refused["concurrency"])


def aside(**settings) -> str | None:
    deployment = Deployment(model="Qwen/Qwen3-14B", gpu="NVIDIA L40S", gpu_count=1)
    row = SweepRow(settings, True, Bytes.gib(12.5), 81_920, 10.0, 40_960)
    return next(part for part in compose_sweep(deployment, [row]).parts if isinstance(part, Title)).aside


def test_the_title_counts_cards_where_every_row_has_as_many():
    assert "Qwen3-14B on 1 × L40S" == aside(max_model_len=8192)


def test_the_title_counts_no_cards_where_rows_differ():
    assert "Qwen3-14B on L40S" == aside(tensor_parallel=2)


def test_the_title_names_neither_what_the_rows_name():
    assert "Qwen3-14B" == aside(gpu="L4")


def test_a_check_that_fails_is_said_in_a_few_words():
    row = SweepRow(
        {"max_model_len": 8192}, False, Bytes.gib(1), 1, 0.1, 1, "vLLM's long message. And more", "kv-cache-no-memory"
    )

    assert "nothing is left for the KV cache" == a_table(compose_sweep(Deployment(), [row])).rows[0][-1]


def test_no_reason_is_cut():
    long = "a reason that needs more than sixty letters until it comes to its point: 64 over 3"
    row = SweepRow({"max_model_len": 8192}, False, because=long)

    assert long == a_table(compose_sweep(Deployment(), [row])).rows[0][-1]


def wide_aside(rows: list[SweepRow]) -> str | None:
    deployment = Deployment(model="Qwen/Qwen3-14B", gpu="NVIDIA L40S", gpu_count=4)
    return next(part for part in compose_sweep(deployment, rows).parts if isinstance(part, Title)).aside


def test_the_title_counts_the_cards_that_all_layouts_make_do_with():
    two, four, eight = (SweepRow({"tensor_parallel": ranks}, fits=True) for ranks in (2, 4, 8))

    assert ("Qwen3-14B on 4 × L40S", "Qwen3-14B on L40S") == (wide_aside([two, four]), wide_aside([four, eight]))


def test_the_title_counts_cards_of_several_kinds():
    l4, machine = SweepRow({"gpu": "L4"}, True, gpu_count=4), SweepRow({"gpu": "p5.48xlarge"}, True, gpu_count=8)

    assert ("Qwen3-14B on 4 GPUs", "Qwen3-14B") == (wide_aside([l4]), wide_aside([l4, machine]))


def test_without_rows_the_questions_are_asked():
    question = Question(name="gpu", text="Which GPU is it?")

    assert [question] == [
        part.question for part in compose_sweep(Deployment(), [], [question]).parts if isinstance(part, Ask)
    ]


def test_a_program_reads_every_setting():
    settings = {"vllm_version": read_version("0.9.2"), "speculation": Speculation(method="ngram", tokens=3)}
    (row,) = answer_sweep([SweepRow(settings, fits=True)])

    assert {"vllm_version": "0.9.2", "speculation": {"method": "ngram", "tokens": 3}} == json.loads(json.dumps(row))[
        "set"
    ]
