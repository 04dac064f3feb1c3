"""Whole replies in every look, held against what was read and approved."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from bot.consult import ask
from bot.diagnosis.verdict import Diagnosis
from bot.reply import block_kit, markdown, terminal
from bot.reply.answer import answer
from bot.reply.compose import compose
from bot.reply.shortening import shorten

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in (HERE / "pastes").glob("*.log"))
IS_UPDATE = "UPDATE_GOLDEN" in os.environ


@cache
def diagnosis(case: str) -> Diagnosis:
    return ask((HERE / "pastes" / f"{case}.log").read_text())


def as_json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


LOOKS: Mapping[str, Callable[[Diagnosis], str]] = {
    "txt": lambda found: terminal.render(compose(found), 100),
    "md": lambda found: markdown.render(compose(found)),
    "json": lambda found: as_json(answer(found)),
    "blocks.json": lambda found: as_json(block_kit.render(shorten(compose(found)), "1700000000.000100")),
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("case", CASES)
def test_a_reply_reads_as_it_was_approved(case: str, look: str):
    golden = HERE / f"{case}.{look}"
    said = LOOKS[look](diagnosis(case))
    if IS_UPDATE:
        golden.write_text(said)

    assert golden.read_text() == said


def test_every_golden_file_has_its_paste():
    wanted = {f"{case}.{look}" for case in CASES for look in LOOKS}

    assert wanted == {path.name for path in HERE.iterdir() if path.suffix in {".txt", ".json"}} | {
        path.name for path in HERE.glob("*.md") if path.name != "README.md"
    }
