"""Launch commands: `vllm serve`, `python -m vllm.entrypoints…`, `docker run …`, however they are wrapped and quoted."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.evidence import Evidence, Fact, Line, Origin, gather
from bot.reading.arguments import SWITCHES, full_name, is_known, read_argument
from bot.reading.container import describe_container
from bot.reading.environment import note_environment, read_assignments
from bot.reading.figures import note

MOST_WORDS = 400
MOST_LINES = 120

COMMENT = re.compile(r"\s(?:#\s|(?=\([^()'\"]{1,200}\)\s{0,20}\Z))")
"""Where a command ends and a person's remark begins: a comment of the shell, or brackets at the end of the line."""

_LAUNCH = re.compile(
    r"""\bvllm\s+serve\b | \bvllm[ ]bench\s+\w+ | vllm\.entrypoints\.[\w.]+ | vllm\.scripts\s+serve\b
      | \b(?:docker|podman|nerdctl)\s+(?:container\s+)?run\b | \bapi_server\.py\b | \bvllm/vllm-openai\b | vllm-openai[\w.-]*:[\w.-]+""",
    re.VERBOSE,
)
_WORD = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+|["']\S*""")
_OPERATOR = re.compile(r"(?:[|;&]{1,2}|\d?>{1,2}(?:&\d)?.*|2>&1|#.*|`)\Z")
_VARIABLE = re.compile(r"\$\{?(\w{1,60})(?::?-([^}\s]{1,200}))?\}?")
_BEFORE_LAUNCH = re.compile(
    r"(?:[A-Za-z_]\w{0,60}=(?:\"[^\"]{0,200}\"|'[^']{0,200}'|[^\s\"']{0,200})\s+){0,20}(?:(?:sudo|nohup|exec|env|time|uv|run)\s+){0,4}"
    r"(?:[\w/.-]{0,200}python[\d.]{0,5}\s+(?:-\w\s+){0,3})?(?:[\w/.~-]{0,200}/)?\Z"
)
_FLAG = re.compile(r"--?[A-Za-z][\w.-]*\Z")
_CONTINUED = re.compile(r"[\\^`]\s*\Z")
_MODEL = re.compile(r"(?:[\w.~-]*/)?[\w.~/<>-]*[\w>]\Z")


@dataclass(slots=True)
class Launch:
    """One command as it is read word by word."""

    launcher: str
    words: list[tuple[str, Line]] = field(default_factory=list[tuple[str, Line]])


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
        yield Launch(_name_launcher(found[0], line.text), split_words(block))
        place += count


def _may_launch(line: Line) -> bool:
    """Return whether a line can hold a command; vLLM's own messages only mention it."""
    text = line.text
    return ("vllm" in text or "api_server" in text or " run " in text) and line.level is None and 'File "' not in text


def _take_block(lines: Sequence[Line], start: int) -> list[Line]:
    """Return the lines of one command: continued with a backslash, or going on with flags."""
    block = [lines[start]]
    for line in lines[start + 1 : start + MOST_LINES]:
        is_flag = line.text.lstrip().startswith(
            ("--", "-tp ", "-pp ", "-e ", "-v ", "-p ", "vllm/", '"--', "'--", "{", '"{', "'{")
        )
        if not (_CONTINUED.search(block[-1].text) or is_flag) or line.level:
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


def _name_launcher(found: str, text: str) -> str:
    if re.search(r"\b(?:docker|podman|nerdctl)\b", text) or "vllm-openai" in found:
        return "docker"
    return "serve" if re.fullmatch(r"vllm\s+serve", found) else "module"


def split_words(block: Sequence[Line]) -> list[tuple[str, Line]]:
    """Return the words of a command with their lines; JSON in quotes is one word."""
    text, starts = "", list[tuple[int, Line]]()
    for line in block:
        starts.append((len(text), line))
        text += _CONTINUED.sub("", COMMENT.split(line.text, maxsplit=1)[0]) + " \n"
    words: list[tuple[str, Line]] = []
    place = 0
    for found in _WORD.finditer(text):
        while place + 1 < len(starts) and starts[place + 1][0] <= found.start():
            place += 1
        words.append((_unquote(found[0]), starts[place][1]))
        if len(words) >= MOST_WORDS:
            break
    return words


def _unquote(word: str) -> str:
    """Return a word as the shell would pass it."""
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    return re.sub(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|\\(.)", _unquote_part, word)


def _unquote_part(found: re.Match[str]) -> str:
    if found[1] is not None:
        return re.sub(r"\\([\"\\$`])", r"\1", found[1])
    return found[2] if found[2] is not None else found[3]


def read_launch(launch: Launch, variables: dict[str, tuple[str, Line]]) -> Iterator[Fact]:
    """Yield the facts that a command sets, `$NAME` replaced by what the paste gives it."""
    words = [(_fill(word, variables), line) for word, line in launch.words]
    start = _first_argument(words)
    others: list[str] = []
    seen: set[str] = set()
    place = start
    while place < len(words):
        word, line = words[place]
        if _OPERATOR.match(word) and place > start:
            break
        facts, used = _read_word(words, place, is_first="model" not in seen, others=others)
        for name, value in facts.items():
            seen.add(name)
            yield note(name, value, line, Origin.PASTED)
        place += used
    if start < len(words) or seen:
        yield from _describe(launch, others, seen)


def _describe(launch: Launch, others: list[str], seen: set[str]) -> Iterator[Fact]:
    line = launch.words[0][1]
    if seen:
        yield note("launcher", launch.launcher, line, Origin.PASTED)
        yield note("entrypoint", "server", line, Origin.PASTED)
        yield note("command", shlex.join(word for word, _ in launch.words if word)[:4_000], line, Origin.PASTED)
    if others:
        yield note("other_arguments", tuple(others), line, Origin.PASTED)
    yield from describe_container([word for word, _ in launch.words], line)


def _first_argument(words: list[tuple[str, Line]]) -> int:
    """Return the place behind the program: where vLLM's own arguments begin."""
    last = -1
    for place, (word, _) in enumerate(words):
        before = words[place - 1][0] if place else ""
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


def _read_word(
    words: list[tuple[str, Line]], place: int, *, is_first: bool, others: list[str]
) -> tuple[dict[str, Any], int]:
    """Return the facts of the word at `place`, and how many words it took."""
    word = words[place][0]
    name, equals, value = word.partition("=")
    if not _FLAG.match(name):
        model = (
            {"model": word} if is_first and _looks_like_model(word) and place and _is_positional(words, place) else {}
        )
        return model, 1
    following = words[place + 1][0] if place + 1 < len(words) else ""
    takes = (
        not equals
        and bool(following)
        and not _FLAG.match(following.partition("=")[0])
        and not _OPERATOR.match(following)
    )
    if full_name(name).removeprefix("no_") in SWITCHES and following.lower() not in {"true", "false"}:
        takes = False
    value = value if equals else following if takes else ""
    used = 2 if takes else 1
    if is_known(name):
        return read_argument(name, value), used
    others.extend([name, value] if value and not equals else [word])
    return {}, used


def _is_positional(words: list[tuple[str, Line]], place: int) -> bool:
    before = words[place - 1][0]
    return before == "serve" or "vllm" in before or full_name(before).removeprefix("no_") in SWITCHES or "=" in before


def _looks_like_model(word: str) -> bool:
    return bool(_MODEL.match(word)) and ("/" in word or any(letter.isdigit() for letter in word)) and len(word) < 300


def _fill(word: str, variables: dict[str, tuple[str, Line]]) -> str:
    if "$" not in word:
        return word
    return _VARIABLE.sub(lambda found: variables[found[1]][0] if found[1] in variables else found[2] or found[0], word)[
        :8_000
    ]
