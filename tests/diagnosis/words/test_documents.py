"""Headings of documents, and those of people in trouble."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.documents import is_document
from bot.diagnosis.words.roles import roles_of
from tests.diagnosis.makers import NEEDED, lines_of


def _is_document(text: str) -> bool:
    lines = lines_of(text)
    return is_document(tuple(zip(lines, roles_of(lines), strict=True)))


@pytest.mark.parametrize(
    "text",
    [
        f"## Purpose\nsay more\n## Test Result\n{NEEDED}",
        f"Motivation\n{NEEDED}\nModifications\nnone",
        f"# What does this PR do?\n{NEEDED}",
        f"**Test plan**\n{NEEDED}",
        f"say more\n{NEEDED}\nFIX #812 (link of the issue)",
        f"say more\n{NEEDED}\nCloses https://example.org/a/b/issues/12",
        f"feat(core)!: say more\n{NEEDED}",
        f"4f3a2b1 fix: say more\n{NEEDED}",
        f"commit {'0a' * 20}\n{NEEDED}",
        f"say more\n{NEEDED}\nSigned-off-by: A <a@example.org>",
        f"## [1.2.0]\n### Added\n- a flag\n### Fixed\n- {NEEDED}",
        f"Checklist for a page:\n- [x] title\n- [x] cause\n- [ ] cure\n{NEEDED}",
    ],
)
def test_a_change_is_told_by_its_headings(text: str):
    assert _is_document(text)


@pytest.mark.parametrize(
    "text",
    [
        f"### Feature request\nsay more than\n{NEEDED}",
        f"Proposal: say more than\n{NEEDED}",
        f"Currently, there is no way to set a limit\n{NEEDED}",
        f"### Proposed Change.\nsay more than\n{NEEDED}",
        f"Root cause correction: it was the card\n{NEEDED}",
    ],
)
def test_a_wish_and_a_verdict_say_that_they_are_one(text: str):
    assert _is_document(text)


@pytest.mark.parametrize(
    "text",
    [
        "Symptom: no cache block is left\nMechanism: the share\nThe fix: raise it",
        f"## Problem\n{NEEDED}\n## Root cause\nthe share\n## Workaround\nraise it",
        f"| Error | Cause | Fix |\n|---|---|---|\n| {NEEDED} | the share | raise it |",
        f"Q: How do I read this?\n{NEEDED}\nA: as it stands",
        f"| Error | Count last week |\n|---|---|\n| {NEEDED} | 14 |",
    ],
)
def test_a_lesson_tells_what_is_seen_and_why_and_the_cure(text: str):
    assert _is_document(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        NEEDED,
        f"Purpose: a test\n{NEEDED}",
        f"## Motivation\na demo\n{NEEDED}",
        f"Changed:\nthe length\nRemoved:\na flag\n{NEEDED}",
        f"Fixes #12 did not do it\n{NEEDED}",
        f"- [x] I searched\n- [x] It is no discussion\n- [x] The bug is in the latest version\nChecklist\n{NEEDED}",
        f"| Attempt | Result |\n|---|---|\n| one | {NEEDED} |",
        f"Symptom: {NEEDED}\nMechanism: the share",
        f"There is no way to start it\n{NEEDED}",
        f"starts\nQ: 1+1\nA: 2\n{NEEDED}",
    ],
)
def test_one_heading_alone_makes_no_document(text: str):
    assert not _is_document(text)


@pytest.mark.parametrize(
    "call",
    [
        "How do I get around it?",
        "any idea",
        "We still get it",
        "can someone help me",
        "### Describe the bug",
        "### Your current environment",
        "for me it dies",
        "有人知道吗",
    ],
)
def test_whoever_calls_for_help_has_written_no_document(call: str):
    assert not _is_document(f"## Purpose\nsay more\n## Test Plan\n{NEEDED}\n\n{call}")


def test_a_cure_that_nobody_knows_is_asked_for():
    assert not _is_document(f"Symptom: {NEEDED}\nCause: unknown\nFix: ?")
