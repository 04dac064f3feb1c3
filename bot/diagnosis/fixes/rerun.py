"""A command of the knowledge, with the settings of the one that was launched: without them it would start something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.deployment import Deployment
from bot.diagnosis.fixes.manifests import variables_in, words_in
from bot.diagnosis.fixes.spelling import SETTING, without_secret
from bot.reading.commands.argument_list import Argument, first_argument, take_arguments
from bot.reading.commands.arguments import full_name
from bot.reading.commands.shell import join_written, written_words

_RERUN = re.compile(r"(?:\bvllm serve|--model) (?:ORG/)?MODEL\b(?P<rest>(?:(?! \d?>)[^|;&>])*)")
_PLACEHOLDER = re.compile(r"[A-Z][A-Z_]*\Z")  # "--tensor-parallel-size N": whatever it was
_OF_A_SHELL = frozenset({"serve", "module"})
_RUNNERS = frozenset({"docker", "podman", "nerdctl", "container"})
_OF_A_CONTAINER = frozenset({*_OF_A_SHELL, "docker"})


def with_settings(run: str, deployment: Deployment) -> str:
    """Return a command that serves MODEL with the flags of the launched one, but for those that it sets itself.

    What a container or a file started comes in that form.

    >>> launched = Deployment(command="vllm serve org/m -tp 8 --enforce-eager", launcher="serve")
    >>> with_settings("A=1 vllm serve MODEL --tensor-parallel-size N --max-num-seqs 8", launched)
    'A=1 vllm serve MODEL -tp 8 --enforce-eager --max-num-seqs 8'
    """
    found = _RERUN.search(run)
    if not found:
        return run
    before = written_words(run[: found.start()])
    if deployment.command and all(SETTING.match(word) for word in before):
        inside = _as_launched(found, before, deployment)
        if inside:
            return inside
    starts_alike = _OF_A_CONTAINER if "docker run" in run else _OF_A_SHELL
    if deployment.launcher not in starts_alike:
        return run
    words = _merged(written_words(deployment.command or ""), found["rest"], {"model", ""})
    tail = " " if found["rest"].endswith(" ") else ""
    start, end = found.span("rest")
    return run[:start] + "".join(f" {word}" for word in words) + tail + run[end:]


def _as_launched(found: re.Match[str], before: Sequence[str], deployment: Deployment) -> str:
    """Return what a container, or a file, is to start; nothing where a shell started it."""
    launched = written_words(deployment.command or "")
    program = launched[: first_argument(launched)]
    words = _merged(launched, found["rest"], set())
    if deployment.manifest.is_list:
        return _of_a_file(program, words, before, deployment)
    place = next((at for at, word in enumerate(program[:4], 1) if word == "run"), None)
    if deployment.launcher != "docker" or place is None or program[place - 2 : place - 1][0] not in _RUNNERS:
        return ""
    variables = [word for setting in before for word in ("-e", setting)]
    tail = written_words(found.string[found.end("rest") :])
    return join_written([*program[:place], *variables, *program[place:], *words, *tail])


def _of_a_file(program: Sequence[str], words: Sequence[str], before: Sequence[str], deployment: Deployment) -> str:
    file = deployment.manifest
    inside = [*(program if file.is_whole or file.style == "line" else ()), *words]
    return "\n".join(filter(None, [variables_in(file, deployment.launcher, before), words_in(file, inside)]))


def _merged(launched: Sequence[str], said: str, gone: set[str]) -> list[str]:
    """Return the arguments of the launched command but for those that are gone, and for those that are said anew."""
    rest = written_words(said)
    own, new = take_arguments(launched, first_argument(launched)), take_arguments(rest, 0)
    settings = {full_name(each.name) for each in own if each.name}
    kept = [each for each in new if not (_PLACEHOLDER.match(each.value) and full_name(each.name) in settings)]
    changed = {full_name(each.name).removeprefix("no_") for each in kept} | gone
    return [*_said(launched, own, changed), *(word for each in kept for word in _slice(rest, each))]


def _said(words: Sequence[str], arguments: Sequence[Argument], changed: set[str]) -> Iterator[str]:
    for each in arguments:
        if (full_name(each.name).removeprefix("no_") if each.name else "") not in changed:
            yield from without_secret(_slice(words, each))


def _slice(words: Sequence[str], argument: Argument) -> Sequence[str]:
    return words[argument.place : argument.place + argument.used]
