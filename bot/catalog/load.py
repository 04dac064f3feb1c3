"""Reads `knowledge/` into problems and flags, with the path and line of whatever is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from bot.catalog.faults import KnowledgeError, say_fault
from bot.catalog.flags import Flag, Flags
from bot.catalog.parsed import Parsed, line_of
from bot.catalog.places import KNOWLEDGE

if TYPE_CHECKING:
    from bot.catalog.problem import Problem

_Model = TypeVar("_Model", bound=BaseModel)


class Knowledge(NamedTuple):
    """All that the bot knows of the field, read once."""

    problems: Mapping[str, Problem]
    flags: Flags


def load_knowledge(root: Path = KNOWLEDGE) -> Knowledge:
    """Return everything under `root`.

    Raises:
        KnowledgeError: The first file that is wrong, with its line and field.
    """
    problems, parsed = dict[str, "Problem"](), _parsed(root)
    for path in _files(root / "problems"):
        problem = read_problem(path, parsed)
        if problem.id in problems:
            raise KnowledgeError(path, 1, "id", f"another file is called {problem.id}.yaml too; give one a new name")
        problems[problem.id] = problem
    parsed.keep()
    return Knowledge(MappingProxyType(problems), _read_flags(root))


def load_lazily(root: Path = KNOWLEDGE) -> Knowledge:
    """Return the same, each problem read and checked when it is first asked for.

    Raises:
        KnowledgeError: A file of flags is wrong; of a problem's file, when that is read.
    """
    return Knowledge(_Lazy(root / "problems", _parsed(root)), _read_flags(root))


def _parsed(root: Path, folder: str = "problems") -> Parsed:
    """Return what was parsed of a folder before; of knowledge that is tried somewhere nothing is kept."""
    return Parsed(folder if root == KNOWLEDGE else None)


class _Lazy(Mapping[str, "Problem"]):
    """Problems by id, read one at a time."""

    def __init__(self, folder: Path, parsed: Parsed) -> None:
        self._folder = folder
        self._parsed = parsed
        self._read: dict[str, Problem] = {}

    @cached_property
    def _paths(self) -> Mapping[str, Path]:
        return {path.stem: path for path in _files(self._folder)}

    def __getitem__(self, name: str) -> Problem:
        if name not in self._read:
            self._read[name] = read_problem(self._paths[name], self._parsed)
            self._parsed.keep_too()
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __contains__(self, name: object) -> bool:
        return name in self._paths


def read_problem(path: Path, parsed: Parsed | None = None) -> Problem:
    """Return the problem of one file, perhaps parsed before; its id is the file's stem.

    Raises:
        KnowledgeError: The file is no problem.
    """
    from bot.catalog.problem import Problem  # noqa: PLC0415  # a sizing that fits reads none

    content = (parsed or Parsed()).content(path)
    if not isinstance(content, dict):
        raise KnowledgeError(path, 1, "file", "holds no mapping; begin with 'title:'")
    if content.get("id", path.stem) != path.stem:
        raise KnowledgeError(
            path, line_of(path, ("id",)), "id", f"must be the file's name, {path.stem}; remove the key"
        )
    return _validate(Problem, {"id": path.stem, **content}, path)


def _read_flags(root: Path) -> Flags:
    parsed = _parsed(root, "flags")
    flags = Flags.of([])
    for path in _files(root / "flags"):
        try:
            flags = flags.and_of(_flags_of(path, parsed))
        except ValueError as error:
            raise KnowledgeError(path, 1, "name", str(error)) from None
    parsed.keep()
    return flags


def _flags_of(path: Path, parsed: Parsed) -> list[Flag]:
    content = parsed.content(path)
    if not isinstance(content, list):
        raise KnowledgeError(path, 1, "file", "holds no list; begin each row with '- name:'")
    return [_validate(Flag, row, path, (number,)) for number, row in enumerate(content)]


def _files(folder: Path) -> Iterator[Path]:
    return iter(sorted(folder.rglob("*.yaml")))


def complaint_on(problem: str, where: tuple[int | str, ...], sentence: str, root: Path = KNOWLEDGE) -> KnowledgeError:
    """Return a complaint on a field of a problem's file, with the line that it stands on."""
    path = next((path for path in _files(root / "problems") if path.stem == problem), root / f"{problem}.yaml")
    line = line_of(path, where) if path.is_file() else 1
    return KnowledgeError(path, line, ".".join(map(str, where)), sentence)


def _validate(model: type[_Model], content: Any, path: Path, place: tuple[int, ...] = ()) -> _Model:
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"])) or "file"
        raise KnowledgeError(path, line_of(path, (*place, *first["loc"])), field, say_fault(model, first)) from None
