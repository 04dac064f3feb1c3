"""Launch commands: `vllm serve`, `python -m vllm.entrypoints…`, `docker run …`, however they are wrapped and quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from bot.deployment import AS_COMMAND, Manifest
from bot.evidence import Evidence, Line, gather
from bot.facts import Fact, Origin
from bot.reading.commands.argument_list import Argument, first_argument, take_arguments, take_off_punctuation
from bot.reading.commands.arguments import is_known, misspelt, read_argument
from bot.reading.commands.container import describe_container
from bot.reading.commands.environment import note_environment, read_assignments
from bot.reading.commands.launch import Launch
from bot.reading.commands.launches import find_launches
from bot.reading.commands.shell import Word, join_written
from bot.reading.figures import note

_VARIABLE = re.compile(r"\$\{?(\w{1,60})(?::?-([^}\s]{1,200}))?\}?")
_OF_THE_MACHINE = frozenset({"gpu_count", "vllm_version"})
"""Facts that a command tells besides its flags: where it runs."""


def read(lines: Sequence[Line]) -> Evidence:
    """Return what launch commands set; of several commands the last counts."""
    variables = read_assignments(lines)
    launches = list(find_launches(lines))
    servers = [launch for launch in launches if not launch.is_client] or launches
    facts = _that_count([list(read_launch(launch, variables)) for launch in servers], lines)
    facts += list(note_environment(variables)) if launches or variables else []
    if not facts:
        return Evidence()
    return gather(facts, kinds=frozenset({"command"}))


def _that_count(launches: Sequence[Sequence[Fact]], lines: Sequence[Line]) -> list[Fact]:
    """Return the facts of one command that names a model, and of those behind it that name none and only vary it.

    Of several the one counts whose model and length the rest of the text repeats most, and of equal ones the last.
    """
    named = [place for place, facts in enumerate(launches) if any(fact.name == "model" for fact in facts)]
    if not named:
        return [fact for facts in launches for fact in facts]
    told = {fact.line for facts in launches for fact in facts}
    rest = "\n".join(line.text for line in lines if line.number not in told) if len(named) > 1 else ""
    chosen = max(named, key=lambda place: (_repeated(launches[place], rest), place))
    kept = {chosen, *(place for place in range(chosen, len(launches)) if place not in named)}
    return [
        fact for place, facts in enumerate(launches) for fact in facts if place in kept or fact.name in _OF_THE_MACHINE
    ]


def _repeated(facts: Sequence[Fact], text: str) -> int:
    """Return how many of a command's model and length stand in a text too."""
    return sum(str(fact.value) in text for fact in facts if fact.name in {"model", "max_model_len"})


def read_launch(launch: Launch, variables: dict[str, tuple[str, Line]]) -> Iterator[Fact]:
    """Yield the facts that a command sets, `$NAME` replaced by what the paste gives it, misspelt flags put right."""
    words = [_put_right(word) for word in launch.words]
    texts = [_fill(word.text, variables) for word in words]
    start = first_argument(texts)
    arguments = take_arguments(texts, start, is_list=launch.is_list)
    others: list[str] = []
    seen: set[str] = set()
    for argument in arguments:
        for name, value in _read_argument(argument, texts, others).items():
            seen.add(name)
            yield note(name, value, words[argument.place].line, Origin.PASTED)
    end = max((argument.place + argument.used for argument in arguments), default=start)
    yield from _describe(launch, words[:end], others, seen)


def read_listed(
    words: Sequence[Word], launcher: str, line: Line, file: Manifest | None = None, *, is_parted: bool = False
) -> Iterator[Fact]:
    """Yield the facts of a list of arguments, whose program may be missing.

    Args:
        words: The list.
        launcher: What starts the server.
        line: Where the list begins.
        file: How a file has the list, so that a fix comes in that form.
        is_parted: The program, and perhaps the model, may stand in another list.
    """
    has_program = any("vllm" in word.text or word.text.endswith("api_server") for word in words)
    program = [] if has_program else [Word.of("vllm", line), Word.of("serve", line)]
    facts = list(read_launch(Launch(launcher, [*program, *words], is_list=True, is_parted=is_parted), {}))
    yield from facts
    if file and any(fact.name == "command" for fact in facts):
        yield note("manifest", file._replace(is_whole=has_program), line, Origin.PASTED)


def _put_right(word: Word) -> Word:
    name, equals, _ = word.text.partition("=")
    meant = misspelt(name) if name.startswith("--") else None
    if not meant:
        return word
    right = f"--{meant.replace('_', '-')}"
    written = f"{right}{equals}{word.written.partition('=')[2]}"
    return word._replace(text=f"{right}{word.text[len(name) :]}", written=written)


def _read_argument(argument: Argument, words: list[str], others: list[str]) -> dict[str, Any]:
    """Return the facts of one argument; one that sets none, or more than facts, is kept word for word."""
    if not argument.name:
        return {"model": argument.value} if argument.value else {}
    if not is_known(argument.name):
        others.extend(words[argument.place : argument.place + argument.used])
    return read_argument(argument.name, argument.value)


def _describe(launch: Launch, words: Sequence[Word], others: list[str], seen: set[str]) -> Iterator[Fact]:
    line = launch.words[0].line
    names = {word.text.partition("=")[0] for word in words}
    if seen or names & {"--config", "--model"}:
        yield note("launcher", launch.launcher, line, Origin.PASTED)
        yield note("entrypoint", "server", line, Origin.PASTED)
        if "model" in seen or "--model" in names or launch.is_parted or not launch.is_list:
            file = Manifest("line", launch.key) if launch.key else AS_COMMAND
            yield note("manifest", file, line, Origin.PASTED)  # unless the reader of a file says otherwise
            yield note("command", _write(words[launch.inner :], launch.tail), line, Origin.PASTED)
            yield note("wrappers", launch.wrappers, line, Origin.PASTED)
    if others:
        yield note("other_arguments", tuple(others), line, Origin.PASTED)
    yield from describe_container([word.text for word in words], line)


def _write(words: Sequence[Word], tail: Sequence[Word]) -> str:
    """Return a command as a shell has it written, without the comma or full stop of the sentence around it."""
    said = [word.written for word in words if word.text]
    bare = take_off_punctuation(words[-1].text) if words else ""
    if words and bare != words[-1].text:
        said[-1] = words[-1].written.removesuffix(words[-1].text[len(bare) :])
    return join_written([*said, *(word.written for word in tail)])


def _fill(word: str, variables: dict[str, tuple[str, Line]]) -> str:
    if "$" not in word:
        return word
    return _VARIABLE.sub(lambda found: variables[found[1]][0] if found[1] in variables else found[2] or found[0], word)[
        :8_000
    ]
