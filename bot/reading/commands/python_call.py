"""`LLM(...)` and its kin: engine arguments as Python keyword arguments, read without running anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from bot.deployment import Manifest
from bot.evidence import Evidence, Line, gather
from bot.facts import Fact, Origin
from bot.reading.commands.arguments import is_known, read_argument, sets_facts
from bot.reading.commands.brackets import LONGEST_LINE, read_literals, take_inside
from bot.reading.figures import note
from bot.reading.pairs import read_pairs

MOST_CALLS = 20
LARGEST, MOST_BITS = 10**9, 30
"""Numbers and powers beyond which a sum in the code is not worked out."""

_CALL = re.compile(
    r"(?<![\w.])(?:vllm\.)?(?P<name>LLM|AsyncEngineArgs|EngineArgs|VLLM|AsyncLLM|AsyncLLMEngine)\("
    r"|\b(?P<kwargs>engine_kwargs|vllm_kwargs|engine_args)[\"']?\s?[:=]\s?(?:dict\(|\{)"
)
_NESTING = frozenset({"vllm_kwargs"})
"""Arguments of LangChain's constructor that hold the engine's."""

NEAR = 8
"""Lines in which a model's loading is told."""
_RAY_MODEL = re.compile(r"""\bmodel_(?P<name>source|id)["']?\s?[:=]\s?["']?(?P<value>[\w./:-]{2,200})(?![\w./(])""")
_STARRED = re.compile(r"\*\*(\w{1,60})")
_DICTIONARY = re.compile(r"\s{0,12}([A-Za-z_]\w{0,60})\s?(?::\s?[\w\[\], ]{1,40})?\s?=\s?(?:dict\(|\{)")


def read(lines: Sequence[Line]) -> Evidence:
    """Return what calls of the engine's constructors set; of several calls the last counts."""
    names = read_literals(lines)
    facts: list[Fact] = []
    calls = [
        (place, found)
        for place, line in enumerate(lines)
        if len(line.text) < LONGEST_LINE and (found := _CALL.search(line.message))
    ][-MOST_CALLS:]
    for place, found in calls:
        facts += _read_call(lines, place, found, names)
    facts += _read_ray_models(lines)
    return gather(facts, kinds=frozenset({"python"})) if facts else Evidence()


def _read_ray_models(lines: Sequence[Line]) -> Iterator[Fact]:
    """Yield the model that Ray Serve loads: where it lies, else what it is called; in Python and in YAML."""
    for place, line in enumerate(lines):
        if "model_loading_config" in line.text:
            near = [(found, at) for at in lines[place : place + NEAR] for found in _RAY_MODEL.finditer(at.text[:4_000])]
            best = max(near, key=lambda pair: pair[0]["name"] == "source", default=None)
            if best:
                yield note("model", best[0]["value"], best[1], Origin.PASTED)


def _read_call(lines: Sequence[Line], place: int, found: re.Match[str], names: dict[str, str]) -> Iterator[Fact]:
    line = lines[place]
    inside = take_inside(lines, place, found.end())
    arguments = [*_read_starred(lines, inside), *_parse(inside, names)]
    nested = [pair for name, raw in arguments if name in _NESTING for pair in read_pairs(raw.strip("{}"))]
    said = [(name, raw) for name, raw in (*arguments, *nested) if sets_facts(name)]
    facts = {fact: value for name, raw in said for fact, value in read_argument(name, raw).items()}
    if not facts:
        return
    for name, value in facts.items():
        yield note(name, value, line, Origin.PASTED)
    others = tuple(_others(arguments))
    if others:
        yield note("other_arguments", others, line, Origin.PASTED)
    yield note("manifest", Manifest("call", found["name"] or f"{found['kwargs']}=dict"), line, Origin.PASTED)
    yield note("launcher", "python", line, Origin.PASTED)
    if found["name"] in {"LLM", "VLLM"}:
        yield note("entrypoint", "offline", line, Origin.PASTED)


def _others(arguments: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield what sets no fact, or none that can be read, as a command would have it."""
    for name, raw in arguments:
        if raw and not (is_known(name) and read_argument(name, raw)):
            yield f"--{name.replace('_', '-')}={raw}"


def _read_starred(lines: Sequence[Line], inside: str) -> Iterator[tuple[str, str]]:
    """Yield the arguments of `LLM(**args)`, of the dictionary of that name."""
    for name in _STARRED.findall(inside)[:4]:
        for place, line in enumerate(lines):
            found = _DICTIONARY.match(line.message) if "=" in line.text and len(line.text) < LONGEST_LINE else None
            if found and found[1] == name:
                yield from read_pairs(take_inside(lines, place, found.end()))


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
    amount = _work_out(value)
    if amount is not None:
        return str(amount)
    try:
        return ast.unparse(value)
    except (RecursionError, ValueError):
        return ""


def _work_out(value: ast.expr) -> float | None:
    """Return what a sum or product of numbers comes to: `8 * 1024`."""
    if isinstance(value, ast.Constant) and isinstance(value.value, (int, float)) and not isinstance(value.value, bool):
        return value.value
    if not isinstance(value, ast.BinOp):
        return None
    left, right = _work_out(value.left), _work_out(value.right)
    if left is None or right is None or max(abs(left), abs(right)) > LARGEST:
        return None
    if isinstance(value.op, (ast.Pow, ast.LShift)):
        base = left if isinstance(value.op, ast.Pow) else 2
        power = base ** int(right) if 0 <= right <= MOST_BITS else None
        return None if power is None else power if isinstance(value.op, ast.Pow) else left * power
    return left * right if isinstance(value.op, ast.Mult) else left + right if isinstance(value.op, ast.Add) else None
