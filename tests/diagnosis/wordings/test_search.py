"""One scan for all wordings, whatever the engine."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.catalog.problem import Problem, Wording
from bot.diagnosis.wordings.finding import MOST_HITS
from bot.diagnosis.wordings.page import Page
from bot.diagnosis.wordings.scan_hyperscan import compile_database
from bot.diagnosis.wordings.search import Hit, Scanner
from bot.evidence import Line
from tests.diagnosis.conftest import PROBLEMS
from tests.diagnosis.makers import NEEDED, lines_of

ENGINES = ("hyperscan", "python")


def a_problem(*wordings: Wording) -> Problem:
    return Problem(id="p", title="A problem", summary="It is one.", wordings=wordings)


SCANNER = Scanner(
    [
        *PROBLEMS,
        a_problem(
            Wording(id="parts", pattern="load_model … out of memory", scope="paste"),
            Wording(id="short", pattern=r"oom \d"),
            Wording(id="branch", pattern=r"(?:weights|activations) of [\d.]+ GiB"),
        ),
    ]
)


def told(hits: tuple[Hit, ...]) -> list[tuple[str, str, int, dict[str, str]]]:
    return [(h.problem.id, h.wording.id, h.line.number, {n: c.text for n, c in h.values.items()}) for h in hits]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_message_gives_its_line_and_values(engine: str):
    (hit,) = SCANNER.scan(lines_of(f"ready\n{NEEDED}"), engine)

    assert ("cache-too-small", 2, "4.13") == (hit.problem.id, hit.line.number, hit.values["kv_available"].text)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "text",
    [
        NEEDED.replace("which is larger", "which is\nlarger"),
        NEEDED.replace("16.00 GiB KV", "16.00\nGiB KV"),
        NEEDED.upper(),
        NEEDED.replace(" ", "   "),
        "> " + NEEDED.replace(", (16.00", ",\n> (16.00"),
        "\n".join(NEEDED[start : start + 80] for start in range(0, len(NEEDED), 80)),
    ],
    ids=["wrapped", "wrapped-in-value", "shouted", "spaced", "quoted", "cut-at-80"],
)
def test_a_damaged_message_is_still_found(engine: str, text: str):
    assert "cache-too-small" in {hit.problem.id for hit in SCANNER.scan(lines_of(text), engine)}


@pytest.mark.parametrize("engine", ENGINES)
def test_parts_stand_on_different_lines_in_their_order(engine: str):
    assert ["parts"] == [hit.wording.id for hit in SCANNER.scan(lines_of("load_model(\nx\nOut of memory"), engine)]
    assert [] == told(SCANNER.scan(lines_of("Out of memory\nload_model("), engine))


@pytest.mark.parametrize("engine", ENGINES)
def test_parts_too_far_apart_are_no_match(engine: str):
    assert [] == told(SCANNER.scan(lines_of("load_model(" + "\nx" * 60 + "\nout of memory"), engine))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_message_of_every_worker_is_kept_a_few_times(engine: str):
    assert MOST_HITS == len(SCANNER.scan(lines_of("\n".join([NEEDED] * 50)), engine))


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("message", "blue then red", 0),
        ("message", "red then blue", 1),
        ("description", "blue then red", 1),
        ("description", "blue\n\n\n\n\nred", 0),
        ("description", "red\n\n\n\n\nblue", 1),
    ],
)
def test_people_say_things_in_any_order(kind: Literal["message", "description"], text: str, found: int):
    scanner = Scanner([a_problem(Wording(id="w", pattern="red … blue", scope="paste", kind=kind))])

    assert found == len(scanner.scan(lines_of(text)))


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("enable.lora … <crashes>", "vllm serve m --enable-lora\nit crashes", 0),
        ("<shown>enable.lora … <crashes>", "vllm serve m --enable-lora\nit crashes", 1),
        ("enable.lora … <crashes>", "with --enable-lora it crashes", 1),
        ("<vllm> … <crashes>", "vllm serve m --enable-lora\n\n\n\n\n\nit crashes", 1),
        ("<vllm> … <crashes>", "INFO 01-02 10:00:00 [gpu_worker.py:1] ready\n\n\n\n\n\nit crashes", 1),
        ("<vllm> … <crashes>", "my editor crashes", 0),
        ("<vllm> … <crashes>", "vllm starts without crashes", 0),
        ("<vllm> … <crashes>", "it is said at [vllm.py:1] crashes", 0),
    ],
)
def test_a_complaint_is_said_and_its_subject_known(pattern: str, text: str, found: int):
    scanner = Scanner([a_problem(Wording(id="w", pattern=pattern, scope="paste", kind="description"))])

    assert found == len(scanner.scan(lines_of(text)))


@pytest.mark.parametrize(
    ("text", "expected"), [("red and blue", True), ("It is red. It is blue.", False), ("Red. Now blue, red.", True)]
)
def test_a_hit_knows_whether_one_sentence_says_it(text: str, expected: bool):
    scanner = Scanner([a_problem(Wording(id="w", pattern="red … blue", scope="paste", kind="description"))])

    assert [expected] == [hit.is_whole for hit in scanner.scan(lines_of(text))]


STAGES = Scanner(
    [
        a_problem(
            Wording(id="frames", pattern="<oom> … , in capture_model", scope="paste", weight=26),
            Wording(id="loaded", pattern="<oom> … Model loading took", scope="paste", weight=4),
            Wording(id="captured", pattern="<oom> … Capturing graphs", scope="paste", weight=6),
        )
    ]
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("our 8B goes OOM\nModel loading took 15 GiB", ["loaded"]),
        ("Model loading took 15 GiB\nit went out of memory", ["loaded"]),
        ("it goes OOM\nCapturing graphs\nModel loading took 15 GiB", ["captured"]),
        ("torch.OutOfMemoryError: CUDA out of memory\nModel loading took 15 GiB", ["loaded"]),
        ("no OOM here, but slow\nModel loading took 15 GiB", []),
        ("the host killed it, OOM\nModel loading took 15 GiB", []),
        ("it hangs\nModel loading took 15 GiB", []),
    ],
)
def test_memory_that_ran_out_is_joined_with_the_stage_that_was_reached(text: str, found: list[str]):
    hits = STAGES.scan(lines_of(text))

    assert found == [hit.wording.id for hit in hits]
    assert all(hit.is_loose for hit in hits)


def test_a_frame_tells_the_stage_for_sure():
    (hit,) = STAGES.scan(lines_of('it goes OOM\nFile "/a.py", line 3, in capture_model'))

    assert not hit.is_loose


def test_advice_is_no_failure():
    scanner = Scanner([a_problem(Wording(id="w", pattern="running out of memory"))])

    assert [] == told(scanner.scan(lines_of("INFO: If you are running out of memory, wait.")))
    assert 1 == len(scanner.scan(lines_of("It is running out of memory. If so, wait.")))


def test_unrelated_lines_are_not_joined_to_a_message():
    text = "No available memory for\nINFO 01-02 10:00:00 [x.py:1] the cache blocks"

    assert [] == told(SCANNER.scan(lines_of(text)))


def test_a_pattern_without_text_of_its_own_is_always_tried():
    database = compile_database(["fine words", r"\d+ %"])

    assert {r"\d+ %"} == database.patterns_in(Page(()))


def test_in_a_long_text_people_s_words_are_looked_for_at_its_ends():
    said, log = "no traffic and the card is full", "INFO 01-02 10:00:00 [x.py:1] ready\n" * 500

    assert 1 == len(SCANNER.scan(lines_of(f"{said}\n{log}")))
    assert 1 == len(SCANNER.scan(lines_of(f"{log}{said}")))
    assert 0 == len(SCANNER.scan(lines_of(f"{log}{said}\n{log}")))


def test_a_retired_problem_is_not_looked_for():
    retired = PROBLEMS[1].model_copy(update={"status": "retired"})

    assert () == Scanner([retired]).scan(lines_of("No available memory for the cache blocks"))


PIECES = st.sampled_from(
    ["No available memory for", "the cache blocks", "max seq len (1), (1.0 GiB KV cache", "is needed,", "load_model", "\n",
     "out of memory", "oom 7", " ", "weights of 1.5 GiB", "> ", "ERROR 01-02 10:00:00 [core.py:7] ", "ValueError: ", "İ", "ſ", "K"]
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES | st.text(max_size=6), max_size=14).map("".join))
def test_both_engines_give_the_same_hits(text: str):
    lines = [Line(number=number, text=line) for number, line in enumerate(text.split("\n"), 1)]

    assert told(SCANNER.scan(lines, "python")) == told(SCANNER.scan(lines, "hyperscan"))


def test_a_subject_that_a_wrapped_sentence_names_is_known():
    scanner = Scanner([a_problem(Wording(id="w", pattern="<vllm> … <crashes>", scope="paste", kind="description"))])

    assert 1 == len(scanner.scan(lines_of("hi all,\nour vllm crashes")))
