"""The examples in docstrings say what the code does."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = re.compile(r"^\s+>>> ", re.MULTILINE)
SHOWING = [path.relative_to(ROOT) for path in sorted((ROOT / "bot").rglob("*.py")) if EXAMPLE.search(path.read_text())]


@pytest.mark.parametrize("path", SHOWING, ids=str)
def test_examples_give_what_they_show(path: Path):
    module = importlib.import_module(".".join(path.with_suffix("").parts))
    examples = doctest.testmod(module)

    assert examples.attempted > examples.failed == 0
