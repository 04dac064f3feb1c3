"""The house keeps its shape: who imports whom, what is named how, how large things are, what must never be written down."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BOT = ROOT / "bot"
PURE = (
    "reading",
    "sizing",
    "diagnosis",
    "reply",
    "incident.py",
    "case.py",
    "evidence.py",
    "fact_values.py",
    "facts.py",
    "deployment.py",
    "model_shape.py",
    "frozen.py",
    "units.py",
)
SOURCES = sorted(BOT.rglob("*.py"))

LONGEST_FILE = 250
LONGEST_FUNCTION = 25
MOST_LINES_OF_A_TEST_FILE = 300

# Modules of the pure packages without a test file of their own, and where they are proved instead. The list only shrinks.
PROVED_ELSEWHERE = {
    "diagnosis/amounts/table.py": "a table; tests/diagnosis/amounts/test_memory.py walks it",
    "diagnosis/verdict.py": "types without behaviour",
    "reply/document.py": "types without behaviour",
    "reading/monitors/draft.py": "tests/reading/monitors read whole outputs through it",
    "reading/monitors/output.py": "tests/reading/monitors read whole outputs through it",
    "reading/vocabulary.py": "a table of words",
    "sizing/checks/layout.py": "tests/sizing/checks/test_refusals.py",
    "sizing/checks/support.py": "tests/sizing/checks/test_refusals.py",
    "sizing/resolved.py": "every test of sizing begins with it",
    "sizing/constants.py": "a table of figures with their sources",
    "sizing/checks/failure_messages.py": "a table of messages",
}
# Functions that may be longer.
LONG_FUNCTIONS = {
    "cli/size.py:command": "declares its options",
}
FORBIDDEN_NAMES = re.compile(r"utils?\b|manager|service|handler|helper", re.IGNORECASE)


def inside(path: Path) -> str:
    return path.relative_to(BOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def tracked() -> tuple[Path, ...]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return tuple(path for name in listed.decode().split("\0") if name and (path := ROOT / name).is_file())


def pure_modules() -> Iterator[str]:
    for path in set(SOURCES) & set(tracked()):
        name = inside(path)
        if name.split("/")[0] in PURE and path.name != "__init__.py":
            yield name


def untested() -> set[str]:
    def test_of(module: str) -> Path:
        path = Path(module)
        return ROOT / "tests" / path.parent / f"test_{path.name}"

    return {module for module in pure_modules() if not test_of(module).is_file()}


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield each function with the lines it has below its docstring."""
    for node in ast.walk(tree(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0]
            has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            docstring = (first.end_lineno or 0) - first.lineno + 1 if has_docstring else 0
            yield f"{inside(path)}:{node.name}", (node.end_lineno or 0) - node.lineno + 1 - docstring


def test_imports_go_one_way():
    checked = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, checked.stdout) == (checked.returncode, checked.stdout)


def test_the_code_map_names_every_room():
    rooms = {path.name for path in BOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    named = set(re.findall(r"`([a-z_]+(?:\.py|/))", (BOT / "ARCHITECTURE.md").read_text()))

    assert set() == rooms - {name.rstrip("/") for name in named} - {"__init__.py", "__main__.py"}


@pytest.mark.parametrize("library", ["slack_sdk", "sqlalchemy"])
def test_every_room_but_one_is_kept_from(library: str):
    rooms = {f"bot.{path.stem}" for path in BOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (kept,) = [set(each["source_modules"]) for each in contracts if library in each.get("forbidden_modules", ())]

    assert {"bot.slack" if library == "slack_sdk" else "bot.journal"} == rooms - kept - {"bot.__init__", "bot.__main__"}


def test_every_pure_module_has_its_test_file():
    assert set() == untested() - set(PROVED_ELSEWHERE)


def test_no_excuse_outlives_its_reason():
    assert set() == set(PROVED_ELSEWHERE) - untested()


def test_files_are_short():
    long = {inside(path): lines for path in SOURCES if (lines := len(path.read_text().splitlines())) > LONGEST_FILE}

    assert {} == long


def test_functions_are_short():
    long = {name: lines for path in SOURCES for name, lines in functions(path) if lines > LONGEST_FUNCTION}

    assert {} == {name: lines for name, lines in long.items() if name not in LONG_FUNCTIONS}
    assert set() == set(LONG_FUNCTIONS) - set(long)


def test_test_files_are_short():
    long = {
        path.name: lines
        for path in (ROOT / "tests").rglob("test_*.py")
        if (lines := len(path.read_text().splitlines()))
    }

    assert {} == {name: lines for name, lines in long.items() if lines > MOST_LINES_OF_A_TEST_FILE}


def test_names_say_what_a_thing_knows():
    classes = {
        node.name for path in SOURCES for node in ast.walk(tree(path)) if isinstance(node, ast.ClassDef)
    }  # of ours; a library's may be called what it likes
    named = {path.stem for path in SOURCES} | {path.parent.name for path in SOURCES} | classes

    assert set() == {name for name in named if FORBIDDEN_NAMES.search(name)}


@pytest.mark.parametrize("path", [path for path in SOURCES if path.name == "__init__.py"], ids=inside)
def test_a_package_begins_with_its_docstring_and_nothing_else(path: Path):
    assert ast.get_docstring(tree(path))
    assert 1 == len(tree(path).body)


# Put together here, so that this file does not hold what it looks for.
MACHINE = "|".join([r"\.\./" + "shared", "/work" + "/(?:main|shared)", "/tmp/" + "bash_jobs"])
ADDRESS = "|".join(
    ["--(?:extra-)?" + "index-url[= ]", "PIP_" + "INDEX_URL", "files.python" + "hosted", "--trusted-" + "host[= ]"]
)


@pytest.mark.parametrize("pattern", [MACHINE, ADDRESS], ids=["a path of one machine", "the address of a registry"])
def test_nothing_tracked_holds(pattern: str):
    found = re.compile(pattern.encode())

    assert [] == [path.relative_to(ROOT).as_posix() for path in tracked() if found.search(path.read_bytes())]
