"""Launch commands: `vllm serve`, `python -m vllm.entrypoints…`, `docker run …`, however they are wrapped and quoted."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.evidence import Evidence, Line, gather
from bot.facts import Fact, Origin
from bot.reading.commands.argument_list import Argument, take_arguments, take_off_punctuation
from bot.reading.commands.arguments import is_known, misspelt, read_argument
from bot.reading.commands.container import describe_container
from bot.reading.commands.environment import note_environment, read_assignments
from bot.reading.commands.shell import COMMENT, CONTINUED, scan_words, split_words
from bot.reading.figures import note

_LAUNCH = re.compile(
    r"""\bvllm\s+serve\b | \bvllm[ ]bench\s+\w+ | vllm\.entrypoints\.[\w.]+ | vllm\.scripts\s+serve\b
      | \b(?:docker|podman|nerdctl)\s+(?:container\s+)?run\b | \bapi_server\.py\b | \bvllm/vllm-openai\b | vllm-openai[\w.-]*:[\w.-]+""",
    re.VERBOSE,
)
_VARIABLE = re.compile(r"\$\{?(\w{1,60})(?::?-([^}\s]{1,200}))?\}?")
_BEFORE_LAUNCH = re.compile(
    r"(?:[A-Za-z_]\w{0,60}=(?:\"[^\"]{0,200}\"|'[^']{0,200}'|[^\s\"']{0,200})\s+){0,20}(?:(?:sudo|nohup|exec|env|(?<![a-z]\s)time|uv\s+run)\s+){0,4}"
    r"(?:[\w/.-]{0,200}python[\d.]{0,5}\s+(?:-\w\s+){0,3})?(?:[\w/.~-]{0,200}/)?\Z"
)


@dataclass(slots=True)
class Launch:
    """One command as it is read word by word."""

    launcher: str
    words: list[tuple[str, Line]] = field(default_factory=list[tuple[str, Line]])
    is_list: bool = False  # of a manifest: no sentence goes on behind it
    inner: int = 0  # the place of the command that another was given as one word


def read(lines: Sequence[Line]) -> Evidence:
    """Return what launch commands set; of several commands the last counts."""
    variables = read_assignments(lines)
    launches = list(_find_launches(lines))
    facts = [fact for launch in launches for fact in read_launch(launch, variables)]
    facts += list(note_environment(variables)) if launches or variables else []
    if not facts:
        return Evidence()
    return gather(facts, kinds=frozenset({"command"}))


def _find_launches(lines: Sequence[Line]) -> Iterator[Launch]:
    place = 0
    while place < len(lines):
        line = lines[place]
        found = _LAUNCH.search(line.text) if _may_launch(line) else None
        if not found:
            place += 1
            continue
        block = _take_block(lines, place)
        count = len(block)
        block[0] = _cut_out(line, found.start())
        if "`" in line.text[: found.start()] and len(block[0].text) < len(line.text):
            block = block[:1]
        yield _unfolded(Launch(_name_launcher(found[0], line.text), split_words(block)))
        place += count


def _may_launch(line: Line) -> bool:
    """Return whether a line can hold a command; vLLM's own messages only mention it."""
    text = line.text
    return ("vllm" in text or "api_server" in text or " run " in text) and line.level is None and 'File "' not in text


def _take_block(lines: Sequence[Line], start: int) -> list[Line]:
    """Return the lines of one command: continued with a backslash, or going on with flags."""
    block = [lines[start]]
    for line in map(lines.__getitem__, range(start + 1, len(lines))):
        is_flag = line.text.lstrip().startswith(
            ("--", "-tp ", "-pp ", "-e ", "-v ", "-p ", "vllm/", '"--', "'--", "{", '"{', "'{")
        )
        if not (CONTINUED.search(block[-1].text) or is_flag) or line.level:
            break
        if not line.text.strip():
            continue
        block.append(line)
    return block


def _cut_out(line: Line, start: int) -> Line:
    """Return a line without the sentence around a command: from its program on, up to a closing backtick."""
    before = line.text[max(0, start - 2_000) : start]
    program = _BEFORE_LAUNCH.search(before)
    begin = start - (len(program[0]) if program else 0)
    end = line.text.find("`", start) if "`" in before else -1
    return line.model_copy(update={"text": line.text[begin : end if end > 0 else None], "start": 0})


def _unfolded(launch: Launch) -> Launch:
    """Return a launch, the words of a command that a shell is given as one (`bash -c "vllm serve …"`) told apart."""
    place = next((p for p, (word, _) in enumerate(launch.words) if " " in word and _LAUNCH.search(word)), None)
    if place is None:
        return launch
    text, line = launch.words[place]
    inner = [(word, line) for word, _, _ in scan_words(text)]
    return Launch(launch.launcher, [*launch.words[:place], *inner], inner=place)


def find_extent(line: Line) -> tuple[int, int] | None:
    """Return where a command stands in a line, its program and all its arguments; what is around it is a sentence.

    >>> text = "we run vllm serve org/m-7b -tp 2 on one L4"
    >>> [text[slice(*find_extent(Line(number=1, text=text)) or ())]]
    ['vllm serve org/m-7b -tp 2']
    """
    found = _LAUNCH.search(line.text) if _may_launch(line) else None
    if not found:
        return None
    cut = _cut_out(line, found.start()).text
    start = line.text.index(cut, 0 if cut else found.start())
    words = list(scan_words(COMMENT.split(cut, maxsplit=1)[0]))
    texts = [word for word, _, _ in words]
    first = first_argument(texts)
    arguments = take_arguments(texts, first)
    end = max((argument.place + argument.used for argument in arguments), default=first)
    return start, start + (words[end - 1][2] if 0 < end <= len(words) else found.end() - start)


def _name_launcher(found: str, text: str) -> str:
    if re.search(r"\b(?:docker|podman|nerdctl)\b", text) or "vllm-openai" in found:
        return "docker"
    return "serve" if re.fullmatch(r"vllm\s+serve", found) else "module"


def read_launch(launch: Launch, variables: dict[str, tuple[str, Line]]) -> Iterator[Fact]:
    """Yield the facts that a command sets, `$NAME` replaced by what the paste gives it, misspelt flags put right."""
    launch = Launch(
        launch.launcher, [(_put_right(word), line) for word, line in launch.words], launch.is_list, launch.inner
    )
    words = [(_fill(word, variables), line) for word, line in launch.words]
    texts = [word for word, _ in words]
    start = first_argument(texts)
    arguments = take_arguments(texts, start, is_list=launch.is_list)
    others: list[str] = []
    seen: set[str] = set()
    for argument in arguments:
        for name, value in _read_argument(argument, texts, others).items():
            seen.add(name)
            yield note(name, value, words[argument.place][1], Origin.PASTED)
    end = max((argument.place + argument.used for argument in arguments), default=start)
    yield from _describe(launch, end, others, seen)


def _put_right(word: str) -> str:
    name, equals, value = word.partition("=")
    meant = misspelt(name) if name.startswith("--") else None
    return f"--{meant.replace('_', '-')}{equals}{value}" if meant else word


def _read_argument(argument: Argument, words: list[str], others: list[str]) -> dict[str, Any]:
    """Return the facts of one argument; one that sets none is kept word for word."""
    if not argument.name:
        return {"model": argument.value} if argument.value else {}
    if is_known(argument.name):
        return read_argument(argument.name, argument.value)
    others.extend(words[argument.place : argument.place + argument.used])
    return {}


def _describe(launch: Launch, end: int, others: list[str], seen: set[str]) -> Iterator[Fact]:
    line = launch.words[0][1]
    words = [word for word, _ in launch.words[:end]]
    words[-1:] = [take_off_punctuation(word) for word in words[-1:]]
    if seen:
        yield note("launcher", launch.launcher, line, Origin.PASTED)
        yield note("entrypoint", "server", line, Origin.PASTED)
        if "model" in seen or not launch.is_list:
            yield note("command", shlex.join(filter(None, words[launch.inner :])), line, Origin.PASTED)
    if others:
        yield note("other_arguments", tuple(others), line, Origin.PASTED)
    yield from describe_container(words, line)


def first_argument(words: Sequence[str]) -> int:
    """Return the place behind the program, where vLLM's own arguments begin; behind the last word where there is none.

    >>> first_argument("docker run --device all vllm/vllm-openai:v0.12.0 --model org/m".split())
    5
    """
    last = -1
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        is_program = word == "serve" and before.endswith("vllm")
        if (
            is_program
            or "vllm.entrypoints" in word
            or word.endswith("api_server.py")
            or "vllm-openai" in word
            or "/vllm:" in word
        ):
            last = place
    return last + 1 if last >= 0 else len(words)


def _fill(word: str, variables: dict[str, tuple[str, Line]]) -> str:
    if "$" not in word:
        return word
    return _VARIABLE.sub(lambda found: variables[found[1]][0] if found[1] in variables else found[2] or found[0], word)[
        :8_000
    ]
