"""Titles, headings and sentences."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.roles import roles_of
from bot.diagnosis.words.writing import COPY, Writing, bare, label, read_writing
from tests.diagnosis.makers import NEEDED, lines_of


def _read(text: str) -> Writing:
    lines = lines_of(text)
    return read_writing(tuple(zip(lines, roles_of(lines), strict=True)))


def test_a_title_is_no_heading():
    assert Writing("# One", frozenset({"two", "three"}), "it stands here") == _read(
        "# One\n\n## Two\n**Three**\nit stands here"
    )


def test_what_is_quoted_or_copied_leaves_a_sign():
    assert _read('it says "no room" here').said == f"it says {COPY} here"
    assert _read("it ended (ValueError: 3 (of 4) left), as before").said == f"it ended ({COPY}), as before"
    assert COPY in _read(f"it says\n{NEEDED}").said
    assert "room" not in _read("it ends\nValueError: no room").said


def test_what_follows_a_quotation_is_said():
    assert "Starting it again worked" in _read("AssertionError: it shrank`. Starting it again worked").said
    assert "gpu" not in _read("ValueError: raise `gpu` when starting").said


@pytest.mark.parametrize(
    ("text", "name"), [("## **Purpose** (optional)", "purpose"), ("2. Next steps:", "next steps"), ("【现象】", "现象")]
)
def test_a_heading_is_read_without_its_marks(text: str, name: str):
    assert bare(text) == name


def test_a_label_stands_before_a_colon():
    assert label("Cause: the share") == "cause"
    assert label("原因：显存") == "原因"
