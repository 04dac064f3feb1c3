"""Marks around a program's line."""

from __future__ import annotations

import pytest

from bot.reading.noise.clean import clean
from bot.reading.noise.marks import first_word, take_off_marks

BODY = "ERROR 05-01 10:00:00 [core.py:9] boom"


@pytest.mark.parametrize(
    "line",
    [
        f"- {BODY}",
        f"  • {BODY}",
        f"12. {BODY}",
        f"b) {BODY}",
        f"> - {BODY}",
        f"- > {BODY}",
        f"- [x] {BODY}",
        f"| 3 | {BODY} |",
        f"`{BODY}`",
        f"- **{BODY}**",
        f"412:{BODY}",
        f"   412\t{BODY}",
        f"#9 12.345 {BODY}",
        f"1714557600.123 {BODY}",
        f"[10:42 AM] {BODY}",
        f":x: {BODY}",
        f"❌ {BODY}",
        f"- vllm-1  | 2026-05-01T10:00:00.1Z {BODY}",
    ],
)
def test_what_chats_and_editors_put_around_a_record_comes_off(line: str) -> None:
    (read,) = clean(line)

    assert ("boom", "ERROR") == (read.message, read.level)


@pytest.mark.parametrize(
    "line",
    ["ValueError: boom", "torch.cuda.OutOfMemoryError: boom", "Traceback (most recent call last):", '{"error": 1}'],
)
def test_marks_come_off_before_whatever_a_program_prints(line: str) -> None:
    assert line == take_off_marks(f"2. {line}")


@pytest.mark.parametrize(
    "line",
    [
        "- solved, thanks",
        "1. start it with --enforce-eager",
        "- --model org/m",
        "  - name: VLLM_USE_V1",
        "| 0  NVIDIA L4 | 5MiB |",
        "- an INFO record is missing",
        "10:42 it died",
        "**What happened**",
    ],
)
def test_marks_stay_where_no_program_wrote_behind_them(line: str) -> None:
    assert line == take_off_marks(line)


def test_a_line_begins_behind_marks_and_quotation_marks() -> None:
    assert (0, 2, 4, 4) == tuple(map(first_word, ("boom", "- boom", '1. "boom', "- **boom")))
