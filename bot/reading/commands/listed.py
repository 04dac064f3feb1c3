"""Lists of arguments that a program, HCL, TOML or JSON holds: one table of the forms in which they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from bot.deployment import Manifest, ManifestStyle
from bot.evidence import Evidence, Line, gather
from bot.facts import Fact, Origin
from bot.reading.argument_values import read_structure
from bot.reading.commands.arguments import full_name, is_known
from bot.reading.commands.brackets import LONGEST_LINE, read_literals, take_inside
from bot.reading.commands.command import read_listed
from bot.reading.commands.shell import Word
from bot.reading.figures import note


class Form(NamedTuple):
    """How a list is written: what opens it, and in which style a fix is given back; without one as a command."""

    opens: re.Pattern[str]
    style: ManifestStyle | None = None


FORMS: tuple[Form, ...] = (
    Form(re.compile(r"(?:Popen|run|call|check_call|check_output|exec)\(\s?\[")),
    Form(  # of Python, HCL, TOML
        re.compile(r"(?<![\w\"'-])(?P<key>(?i:\w{0,30}(?:cmd|command|args|entrypoint)))\s{0,20}=\s?\["), "assigned"
    ),
    Form(re.compile(r"[\"'](?P<key>command|args|cmd|entryPoint|extraArgs)[\"']\s?:\s?\["), "json"),
)
_PARTED = frozenset({"command", "args", "cmd", "entrypoint"})
"""Keys of which one may hold the program, and another what it is given."""

_ELEMENT = re.compile(r"""f?["']((?:[^"'\n\\]|\\.){1,400})["']|str\((\w{1,60})\)|\b([A-Za-z_][\w.]{0,60})\b""")
_REMARK = re.compile(r"(?m)(?<![\w\"'])(?:#|//)[^\n\"']*$")
_FAR = 4
"""Lines over which a reservation of GPUs goes on."""

_GPUS = (
    re.compile(r"nvidia\.com/gpu\"?\s{0,20}[=:]\s{0,20}\"?(\d{1,2})\b"),
    re.compile(
        r"device\s+\"nvidia/gpu[^\"\n]{0,60}\"\s{0,9}\{[^{}]{0,80}?\bcount\s{0,20}=\s{0,20}(\d{1,2})\b"
    ),  # Nomad
    re.compile(r"\"type\"\s?:\s?\"GPU\"\s?,\s{0,60}\"value\"\s?:\s?\"(\d{1,2})\""),  # ECS
    re.compile(r"\"value\"\s?:\s?\"(\d{1,2})\"\s?,\s{0,60}\"type\"\s?:\s?\"GPU\""),
)
_OPENS_GPUS = re.compile(r"nvidia\.com/gpu\"?\s{0,20}[=:]|nvidia/gpu|\"(?:type|value)\"\s?:")


def read(lines: Sequence[Line]) -> Evidence:
    """Return what lists of arguments set, and how many GPUs stand beside them."""
    names = read_literals(lines)
    facts = [fact for place in range(len(lines)) for fact in _read_list(lines, place, names)]
    if facts:
        facts += [fact for place in range(len(lines)) for fact in _count_gpus(lines, place)]
    return gather(facts, kinds=frozenset({"list"})) if facts else Evidence()


def _read_list(lines: Sequence[Line], place: int, names: dict[str, str]) -> Iterator[Fact]:
    """Yield what the lists that begin on a line set."""
    line = lines[place]
    if "[" not in line.text or len(line.text) > LONGEST_LINE:
        return
    for form in FORMS:
        for found in form.opens.finditer(line.message):
            words = _words(take_inside(lines, place, found.end()), names, line)
            if _is_ours([word.text for word in words]):
                key = found["key"] if form.style else ""
                is_exact = form.style and all(word.written == Word.of(word.text, line).written for word in words)
                file = Manifest(form.style, key) if form.style and is_exact else None
                yield from read_listed(words, "serve", line, file, is_parted=key.lower() in _PARTED)


def _is_ours(words: Sequence[str]) -> bool:
    """Return whether a list starts vLLM, or holds an argument of it that no other program is likely to have."""
    flags = [word.partition("=")[0] for word in words if word.startswith("--")]
    return any("vllm" in word for word in words) or any("_" in full_name(flag) and is_known(flag) for flag in flags)


def _words(inside: str, names: dict[str, str], line: Line) -> list[Word]:
    """Return the elements of a list; what stands for a name that nobody explains stays as a shell would have it."""
    whole = read_structure(f"[{inside}]") or read_structure(f"[{inside.rstrip().rstrip(']').rstrip()}]")
    if isinstance(whole, list) and all(isinstance(each, str) for each in cast("list[object]", whole)):
        return [Word.of(str(each), line) for each in cast("list[object]", whole)]
    elements = _ELEMENT.findall(_REMARK.sub("", inside))
    return [
        Word.of(_unescaped(word), line) if word else _named(number or name, names, line)
        for word, number, name in elements
    ]


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _named(name: str, names: dict[str, str], line: Line) -> Word:
    """Return the word that a name stands for; where nobody says, what a shell would have in its place."""
    value = "python3" if name == "sys.executable" else _stands_for(name, names)
    return Word(value, line, value) if value.startswith("$") else Word.of(value, line)


def _stands_for(name: str, names: dict[str, str]) -> str:
    """Return the literal behind a name, a number itself, or `$name` where nobody says."""
    return name if name.isdigit() else names[name].strip("\"'") if name in names else f"${name.replace('.', '_')}"


def _count_gpus(lines: Sequence[Line], place: int) -> Iterator[Fact]:
    """Yield how many GPUs a file reserves: Kubernetes by HCL or JSON, Nomad, ECS."""
    line = lines[place]
    if not _OPENS_GPUS.search(line.text[:LONGEST_LINE]):
        return
    text = " ".join(near.text[:LONGEST_LINE].strip() for near in lines[place : place + _FAR])
    counts = [int(found[1]) for pattern in _GPUS if (found := pattern.search(text))]
    if counts and counts[0]:
        yield note("gpu_count", counts[0], line, Origin.PASTED)
