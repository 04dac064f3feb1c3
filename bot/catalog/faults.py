"""How a fault in a knowledge file is said: what was found, what was wanted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

_LONGEST = 100  # characters of what was found that are shown
_SENTENCES = {
    "extra_forbidden": "is no key here; known keys are {known}",
    "missing": "is missing; write it",
    "string_pattern_mismatch": "{input!r} does not have the form {pattern}",
    "value_error": "{error}",
}


class KnowledgeError(Exception):
    """A file of knowledge that cannot be used: where, which field, and what to do."""

    def __init__(self, path: Path, line: int, field: str, sentence: str) -> None:
        super().__init__(f"{path}:{line}: {field}: {sentence}")
        self.path = path
        self.line = line
        self.field = field
        self.sentence = sentence


def say_fault(model: type[BaseModel], error: ErrorDetails) -> str:
    """Return one sentence on what a model refused."""
    context = error.get("ctx", {})
    return _SENTENCES.get(error["type"], "{message}; found {input!r}").format(
        message=error["msg"],
        input=_shown(error["input"]),
        error=context.get("error", error["msg"]),
        pattern=context.get("pattern", ""),
        known=", ".join(_keys(model, error["loc"])),
    )


def _shown(found: object) -> object:
    return f"{found[:_LONGEST]}…" if isinstance(found, str) and len(found) > _LONGEST else found


def _keys(model: type[BaseModel], where: tuple[int | str, ...]) -> list[str]:
    """Return the keys allowed where an unknown one was found."""
    for step in where[:-1]:
        if step in model.model_fields:
            model = next(_models_in(model.model_fields[str(step)].annotation), model)
    return list(model.model_fields)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)
