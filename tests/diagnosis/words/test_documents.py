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
        f"Symptom\n\n{NEEDED}\n\nRoot cause\n\nthe weights\n\nFix (two ways)\n\n1. a shorter length",
        f"## Problem\n{NEEDED}\n## Root Cause\nthe share\n## Working Solution ✅ (on two cards)\nraise it",
        f"Fixing the length that is too long\n\nError Message\n\n{NEEDED}\n\nWhat happened\n\nYou asked for much.\n\nWhy this happens\n\nthe share",
        f"## 现象\n{NEEDED}\n## 根本原因\n缓存不足\n## 解决方案\n调小",
        f"## Problem\n{NEEDED}\n## Ursache\nder Anteil\n## Lösung (getestet)\nmehr davon",
        f"## Síntoma\n{NEEDED}\n## Causa raíz\nla caché\n## Solución\nmenos",
        f"## Симптом\n{NEEDED}\n## Причина\nвеса\n## Решение\nменьше",
        f"## Troubleshooting\n### At start\n{NEEDED}\n**Solutions:**\n1. less\n### Later\n{NEEDED}\n**Solutions:**\n1. more",
        f'faq:\n  - question: "I lowered it, what do I do next?"\n    answer: "Less of it."\n{NEEDED}',
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


@pytest.mark.parametrize(
    "text",
    [
        f"Symptom: {NEEDED}\nCause: unknown\nFix: ?",
        f"## Symptom\n{NEEDED}\n## Root cause\nunknown\n## Fix\nnone so far",
        f"Problem: {NEEDED}\nRoot cause: under investigation\nFix: pending",
        f"Symptom: {NEEDED}\nCause: not found yet\nWorkaround: a smaller model",
        f"Symptom: {NEEDED}\nCause: the length\nFix: half of it did not help",
        f"## Problem\n{NEEDED}\n## Root cause\nthe other container, not sure\n## Fix\nending it",
        f"Problem: {NEEDED}\nUrsache: unbekannt\nLösung: keine gefunden",
        f"Síntoma: {NEEDED}\nCausa: desconocida\nSolución: ninguna",
        f"Problème : {NEEDED}\nCause : inconnue\nSolution : aucune",
        f"Симптом: {NEEDED}\nПричина: неизвестна\nРешение: не нашёл",
        f"症状：{NEEDED}\n原因：不明\n対処：まだ",
        f"现象：{NEEDED}\n原因：不清楚\n解决方案：暂无",
    ],
)
def test_a_cure_that_nobody_knows_is_asked_for(text: str):
    assert not _is_document(text)
