import json

import pytest
from packaging.version import Version

from bot.catalog.places import KNOWLEDGE
from bot.catalog.statements import statements_in

ROWS = [
    json.loads(line) for line in (KNOWLEDGE / "releases" / "statements.jsonl").read_text(encoding="utf-8").splitlines()
]


def releases(file: str, says: str, line: int) -> list[tuple[str, str]]:
    (statement,) = [each for each in statements_in(file) if each.says == says]
    return [(str(span.since), str(span.until)) for span in statement.releases_at(line)]


@pytest.mark.parametrize(
    ("file", "says", "line", "spans"),
    [
        ("core.py", "EngineCore failed to start.", 396, [("0.8.5", "0.8.5.post1")]),
        ("gpu_worker.py", "Available KV cache memory: ", 692, [("0.31.0", "0.31.0")]),
        ("gpu_worker.py", "CUDA graph memory profiling is ", 472, [("0.18.0", "0.18.1"), ("0.20.0", "0.20.2")]),
        ("gpu_worker.py", "Available KV cache memory: ", 1, []),
    ],
)
def test_a_statement_stands_on_a_line_in_a_few_releases(file, says, line, spans):
    assert spans == releases(file, says, line)


def test_of_other_files_nothing_is_known():
    assert () == statements_in("somewhere.py")


def test_a_file_logs_a_statement_in_one_row():
    rows = [(row["file"], row["says"]) for row in ROWS]

    assert sorted(set(rows)) == sorted(rows)


def test_every_span_runs_from_the_older_release_to_the_newer():
    spans = [span.split("–") for row in ROWS for spans in row["lines"].values() for span in spans.split(", ")]

    assert [] == [span for span in spans if Version(span[0]) > Version(span[-1]) or len(span) > 2]
