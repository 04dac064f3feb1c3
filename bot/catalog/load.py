"""Reads `knowledge/`: strict YAML into problems and flags, with the path and line of whatever is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from bot.catalog.faults import say_fault
from bot.catalog.flags import Flag, Flags
from bot.catalog.places import KNOWLEDGE
from bot.catalog.problem import Problem

_Model = TypeVar("_Model", bound=BaseModel)
_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class KnowledgeError(Exception):
    """A file of knowledge that cannot be used: where, which field, and what to do."""

    def __init__(self, path: Path, line: int, field: str, sentence: str) -> None:
        super().__init__(f"{path}:{line}: {field}: {sentence}")
        self.path = path
        self.line = line
        self.field = field
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that the bot knows of the field, read once."""

    problems: Mapping[str, Problem]
    flags: Flags


def load_knowledge(root: Path = KNOWLEDGE) -> Knowledge:
    """Return everything under `root`.

    Raises:
        KnowledgeError: The first file that is wrong, with its line and field.
    """
    problems: dict[str, Problem] = {}
    for path in _files(root / "problems"):
        problem = read_problem(path)
        if problem.id in problems:
            raise KnowledgeError(path, 1, "id", f"another file is called {problem.id}.yaml too; give one a new name")
        problems[problem.id] = problem
    return Knowledge(MappingProxyType(problems), _read_flags(root / "flags"))


def load_lazily(root: Path = KNOWLEDGE) -> Knowledge:
    """Return the same, each problem read and checked when it is first asked for.

    Raises:
        KnowledgeError: A file of flags is wrong; of a problem's file, when that is read.
    """
    return Knowledge(_Lazy({path.stem: path for path in _files(root / "problems")}), _read_flags(root / "flags"))


class _Lazy(Mapping[str, Problem]):
    """Problems by id, read one at a time."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = paths
        self._read: dict[str, Problem] = {}

    def __getitem__(self, name: str) -> Problem:
        if name not in self._read:
            self._read[name] = read_problem(self._paths[name])
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __contains__(self, name: object) -> bool:
        return name in self._paths


def read_problem(path: Path) -> Problem:
    """Return the problem of one file; its id is the file's stem.

    Raises:
        KnowledgeError: The file is no problem.
    """
    node = _parse(path)
    content = _plain(node, path)
    if not isinstance(content, dict):
        raise KnowledgeError(path, 1, "file", "holds no mapping; begin with 'title:'")
    if content.setdefault("id", path.stem) != path.stem:
        raise KnowledgeError(path, _line(node, ("id",)), "id", f"must be the file's name, {path.stem}; remove the key")
    return _validate(Problem, content, node, path)


def _read_flags(folder: Path) -> Flags:
    rows: list[Flag] = []
    for path in _files(folder):
        node = _parse(path)
        content = _plain(node, path)
        if not isinstance(content, list) or not isinstance(node, yaml.SequenceNode):
            raise KnowledgeError(path, 1, "file", "holds no list; begin each row with '- name:'")
        rows += [_validate(Flag, row, at, path) for row, at in zip(content, node.value, strict=True)]
        _refuse_shared_spellings(rows, path)
    return Flags.of(rows)


def _refuse_shared_spellings(rows: list[Flag], path: Path) -> None:
    try:
        Flags.of(rows)
    except ValueError as error:
        raise KnowledgeError(path, 1, "name", str(error)) from None


def _files(folder: Path) -> Iterator[Path]:
    return iter(sorted(folder.rglob("*.yaml")))


def complaint_on(problem: str, where: tuple[int | str, ...], sentence: str, root: Path = KNOWLEDGE) -> KnowledgeError:
    """Return a complaint on a field of a problem's file, with the line that it stands on."""
    path = next((path for path in _files(root / "problems") if path.stem == problem), root / f"{problem}.yaml")
    line = _line(_parse(path), where) if path.is_file() else 1
    return KnowledgeError(path, line, ".".join(map(str, where)), sentence)


def read_yaml_text(text: str, path: Path) -> Any:
    """Return a YAML text as dicts, lists and texts; `path` is only named in complaints.

    Raises:
        KnowledgeError: It is no YAML, or has aliases, which can make a small text endless.
    """
    return _plain(_compose(text, path), path)


def write_yaml_text(content: Any) -> str:
    """Return plain values as YAML that people read."""
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def _parse(path: Path) -> yaml.Node:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise KnowledgeError(path, 1, "file", f"is not UTF-8 ({error.reason} at byte {error.start})") from None
    return _compose(text, path)


def _compose(text: str, path: Path) -> yaml.Node:
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise KnowledgeError(path, line, "file", f"is no YAML: {error.problem}; mind indentation and quotes") from None
    except yaml.YAMLError as error:
        raise KnowledgeError(path, 1, "file", f"is no YAML: {error}") from None
    if node is None:
        raise KnowledgeError(path, 1, "file", "is empty; copy a neighbour and change it")
    _refuse_aliases(node, path)
    return node


def _refuse_aliases(root: yaml.Node, path: Path) -> None:
    """A small text whose values stand for one another many times over would never be read to its end."""
    seen, left = set[int](), [root]
    for node in left:  # which grows meanwhile
        if id(node) in seen:
            raise KnowledgeError(path, node.start_mark.line + 1, "file", "has an alias (*name) to this; write it out")
        seen.add(id(node))
        if isinstance(node, yaml.CollectionNode):
            left += chain(*node.value) if isinstance(node, yaml.MappingNode) else node.value


def _plain(node: yaml.Node, path: Path, field: str = "file") -> Any:
    """Return a node as dicts, lists and texts: `no` and `0.10` stay as they were written."""
    if isinstance(node, yaml.MappingNode):
        return _plain_mapping(node, path)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, path, f"{field}[{index}]") for index, item in enumerate(node.value)]
    if isinstance(node, yaml.ScalarNode) and not node.value and not node.style:
        raise KnowledgeError(path, node.start_mark.line + 1, field, "has no value; write one or remove the key")
    return node.value


def _plain_mapping(node: yaml.MappingNode, path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in node.value:
        name = key.value
        if not isinstance(name, str):
            raise KnowledgeError(path, key.start_mark.line + 1, "key", "is not a word; quote it if it should be one")
        if name in found:
            raise KnowledgeError(path, key.start_mark.line + 1, name, "stands twice; keep one of them")
        found[name] = _plain(value, path, name)
    return found


def _validate(model: type[_Model], content: Any, node: yaml.Node, path: Path) -> _Model:
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"])) or "file"
        raise KnowledgeError(path, _line(node, first["loc"]), field, say_fault(model, first)) from None


def _line(node: yaml.Node, where: tuple[int | str, ...]) -> int:
    """Return the 1-based line of a field; steps that pydantic invented (a validator's own shape) are passed over."""
    line = node.start_mark.line
    for step in where:
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == step:
                    node, line = value, key.start_mark.line
                    break
    return line + 1
