"""A command of the knowledge, with the settings of the one that was launched: without them it would start something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.deployment import Deployment
from bot.diagnosis.fixes.spelling import without_secret
from bot.reading.commands.argument_list import Argument, first_argument, take_arguments
from bot.reading.commands.arguments import full_name
from bot.reading.commands.shell import written_words

_RERUN = re.compile(r"(?:\bvllm serve|--model) (?:ORG/)?MODEL\b(?P<rest>(?:(?! \d?>)[^|;&>])*)")
_PLACEHOLDER = re.compile(r"[A-Z][A-Z_]*\Z")  # "--tensor-parallel-size N": whatever it was
_OF_A_SHELL = frozenset({"serve", "module"})
_OF_A_CONTAINER = frozenset({*_OF_A_SHELL, "docker"})


def with_settings(run: str, deployment: Deployment) -> str:
    """Return a command that serves MODEL with the flags of the launched one, but for those that it sets itself.

    >>> launched = Deployment(command="vllm serve org/m -tp 8 --enforce-eager", launcher="serve")
    >>> with_settings("A=1 vllm serve MODEL --tensor-parallel-size N --max-num-seqs 8", launched)
    'A=1 vllm serve MODEL -tp 8 --enforce-eager --max-num-seqs 8'
    """
    found = _RERUN.search(run)
    starts_alike = _OF_A_CONTAINER if "docker run" in run else _OF_A_SHELL
    if not found or deployment.launcher not in starts_alike:
        return run
    launched, rest = written_words(deployment.command or ""), written_words(found["rest"])
    own, new = take_arguments(launched, first_argument(launched)), take_arguments(rest, 0)
    settings = {full_name(each.name) for each in own if each.name}
    kept = [each for each in new if not (_PLACEHOLDER.match(each.value) and full_name(each.name) in settings)]
    changed = {full_name(each.name).removeprefix("no_") for each in kept} | {"model", ""}
    words = [*_said(launched, own, changed), *(word for each in kept for word in _slice(rest, each))]
    tail = " " if found["rest"].endswith(" ") else ""
    start, end = found.span("rest")
    return run[:start] + "".join(f" {word}" for word in words) + tail + run[end:]


def _said(words: Sequence[str], arguments: Sequence[Argument], changed: set[str]) -> Iterator[str]:
    for each in arguments:
        if (full_name(each.name).removeprefix("no_") if each.name else "") not in changed:
            yield from without_secret(_slice(words, each))


def _slice(words: Sequence[str], argument: Argument) -> Sequence[str]:
    return words[argument.place : argument.place + argument.used]
