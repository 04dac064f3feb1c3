"""Whatever sizing says that vLLM would answer is a problem that the knowledge base explains."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import bot.sizing
from bot.catalog.load import Knowledge


def foretold() -> Iterator[str]:
    """Yield the id in every `problem=…` of the sizing room, whether it stands there or is chosen just before."""
    for path in Path(bot.sizing.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            told = [node.value] if isinstance(node, ast.keyword) and node.arg == "problem" else []
            if isinstance(node, ast.Assign) and "problem" in map(ast.unparse, node.targets):
                told.append(node.value)
            yield from (part.value for each in told for part in ast.walk(each) if is_id(part))


def is_id(part: ast.AST) -> bool:
    return isinstance(part, ast.Constant) and isinstance(part.value, str) and "-" in part.value


def test_every_problem_that_is_foretold_has_its_file(knowledge: Knowledge):
    ids = set(foretold())

    assert len(ids) > 10
    assert set() == ids - set(knowledge.problems)
