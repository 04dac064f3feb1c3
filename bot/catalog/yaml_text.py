"""Strict YAML: dicts, lists and texts, with the line of whatever is wrong. Parsing takes longer than a sizing."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from bot.catalog.faults import KnowledgeError

_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def read_yaml_text(text: str, path: Path) -> Any:
    """Return a YAML text as dicts, lists and texts; `path` is only named in complaints.

    Raises:
        KnowledgeError: It is no YAML, or has aliases, which can make a small text endless.
    """
    return _plain(_compose(text, path), path)


def write_yaml_text(content: Any) -> str:
    """Return plain values as YAML that people read."""
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def line_in(text: str, path: Path, where: tuple[int | str, ...]) -> int:
    """Return the 1-based line of a field of a YAML text.

    Raises:
        KnowledgeError: It is no YAML.
    """
    return _line(_compose(text, path), where)


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
