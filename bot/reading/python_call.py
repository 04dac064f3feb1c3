"""`LLM(...)` and its kin: engine arguments as Python keyword arguments, read without running anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from bot.evidence import Evidence, Fact, Line, Origin, gather
from bot.reading.arguments import is_known, read_argument
from bot.reading.figures import note
from bot.reading.pairs import read_pairs

LONGEST_CALL = 6_000
MOST_CALLS = 20

_CALL = re.compile(
    r"(?<![\w.])(?:vllm\.)?(?P<name>LLM|AsyncEngineArgs|EngineArgs|VLLM|AsyncLLM|AsyncLLMEngine)\("
    r"|\b(?P<kwargs>engine_kwargs|vllm_kwargs|engine_args)[\"']?\s?[:=]\s?(?:dict\(|\{)"
)
_ASSIGNMENT = re.compile(
    r"\s{0,12}(?:>>> )?([A-Za-z_]\w{0,60})\s?(?::\s?\w{1,20}\s?)?=\s?(['\"][^'\"]{1,300}['\"]|\d[\d_.]{0,20}|True|False)\s*(?:#.*)?\Z"
)


def read(lines: Sequence[Line]) -> Evidence:
    """Return what calls of the engine's constructors set; of several calls the last counts."""
    names = _read_assignments(lines)
    facts: list[Fact] = []
    calls = [
        (place, found)
        for place, line in enumerate(lines)
        if len(line.text) < 4_000 and (found := _CALL.search(line.message))
    ][-MOST_CALLS:]
    for place, found in calls:
        facts += _read_call(lines, place, found, names)
    return gather(facts, kinds=frozenset({"python"})) if facts else Evidence()


def _read_call(lines: Sequence[Line], place: int, found: re.Match[str], names: dict[str, str]) -> Iterator[Fact]:
    line = lines[place]
    inside = _take_inside(lines, place, found.end())
    arguments = _parse(inside, names)
    facts = {
        fact: value for name, raw in arguments if is_known(name) for fact, value in read_argument(name, raw).items()
    }
    if not facts:
        return
    for name, value in facts.items():
        yield note(name, value, line, Origin.PASTED)
    yield note("launcher", "python", line, Origin.PASTED)
    if found["name"] in {"LLM", "VLLM"}:
        yield note("entrypoint", "offline", line, Origin.PASTED)


def _take_inside(lines: Sequence[Line], place: int, start: int) -> str:
    """Return what stands between the call's parentheses, as far as the paste shows it."""
    parts = [lines[place].message[start:]]
    depth, length = _depth(parts[0]), len(parts[0])
    for line in lines[place + 1 : place + 60]:
        if depth < 0 or length > LONGEST_CALL:
            break
        parts.append(line.message.removeprefix("... "))
        depth, length = _depth(parts[-1], depth), length + len(parts[-1])
    text = "\n".join(parts)
    return text[:LONGEST_CALL]


def _depth(text: str, depth: int = 0) -> int:
    """Return how many brackets are open behind a text; below zero once the call's own parenthesis has closed."""
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            return depth
    return depth


def _parse(inside: str, names: dict[str, str]) -> list[tuple[str, str]]:
    """Return the call's arguments as (name, raw value); a torn call gives those that are whole."""
    try:
        tree = ast.parse(f"f({inside[: _end_of_call(inside)]})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [(name, names.get(raw, raw)) for name, raw in read_pairs(inside)]
    if not isinstance(tree, ast.Call):
        return []
    first = [("model", _raw(argument, names)) for argument in tree.args[:1]]
    return first + [(keyword.arg, _raw(keyword.value, names)) for keyword in tree.keywords if keyword.arg]


def _end_of_call(text: str) -> int:
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            return place
    return len(text)


def _raw(value: ast.expr, names: dict[str, str]) -> str:
    if isinstance(value, ast.Name):
        return names.get(value.id, f"${value.id}")
    try:
        return ast.unparse(value)
    except (RecursionError, ValueError):
        return ""


def _read_assignments(lines: Sequence[Line]) -> dict[str, str]:
    """Return the literals that names stand for."""
    found: dict[str, str] = {}
    for line in lines:
        if "=" in line.text and len(line.text) < 400 and (pair := _ASSIGNMENT.match(line.message)):
            found[pair[1]] = pair[2]
    return found
