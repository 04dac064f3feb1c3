"""Flags in a sentence, with their values: "qwen3-14b on L40S --max-num-seqs 1k -O0"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from bot.reading.commands.argument_list import Argument, take_arguments
from bot.reading.commands.arguments import RECORDS, SWITCHES, full_name, is_known, read_argument
from bot.reading.commands.shell import scan_words

_FLAG = re.compile(
    r"--[A-Za-z][\w.-]{1,60}(?:=|\Z)|-(?:tp|pp|dp|ep|dcp|O\d?|O=\d|(?:O|cc|ac)\.[\w.]{1,60}|cc|ac)(?:=|\Z)"
)
_NAMED_IN_WORDS = frozenset({"model", "model_tag", "model_path", "served_model_name"})
"""What a sentence names by itself, and another program's flag of that name does not."""

_KEPT = frozenset(
    {"hf_overrides", "rope_scaling", "rope_theta", "tokenizer", "tokenizer_mode", "trust_remote_code", "moe_backend", "all2all_backend",
     "kv_transfer_config", "additional_config", "kernel_config", "enable_eplb", "enable_dbo", "runner", "convert", "task", "disable_custom_all_reduce"}
)  # fmt: skip
"""vLLM's own flags that set no fact, without which a command would start something else."""


class Said(NamedTuple):
    """What the flags of a sentence set, and the sentence without them."""

    facts: tuple[tuple[str, Any], ...]
    rest: str


def find_flags(text: str) -> Said:
    """Return the facts that flags in a sentence set; one without the value that it needs is left in the sentence.

    >>> find_flags("it has --max-num-seqs 1k on L4").rest
    'it has on L4'
    """
    if "-" not in text:
        return Said((), text)
    spans = list(scan_words(text))
    words = [word for word, _, _ in spans]
    facts: list[tuple[str, Any]] = []
    kept: list[str] = []
    rest: list[str] = []
    start = 0
    for argument in _arguments(words):
        last = argument.place + argument.used
        facts += read_argument(argument.name, argument.value).items()
        kept += () if is_known(argument.name) else words[argument.place : last]
        rest.append(text[start : spans[argument.place][1]])
        start = spans[last - 1][2]
    told = [("other_arguments", tuple(kept))] if kept else []
    pieces = (piece.strip() for piece in (*rest, text[start:]))
    return Said((*facts, *told), " ".join(filter(None, pieces)) if rest else text)


def _arguments(words: list[str]) -> Iterator[Argument]:
    """Yield the flags of vLLM's among these words, each with the value that it has."""
    place = 0
    while place < len(words):
        found = take_arguments(words, place, names_model=False) if _FLAG.match(words[place]) else ()
        yield from (each for each in found if _is_said(each))
        place = max((each.place + each.used for each in found), default=place + 1)


def _is_said(argument: Argument) -> bool:
    """Return whether it is an argument of vLLM's that says something."""
    name = full_name(argument.name)
    bare = name.removeprefix("no_")
    if name in _NAMED_IN_WORDS:
        return False
    if bare in _KEPT or name in RECORDS or "." in argument.name:
        return bool(argument.value) or bare in SWITCHES
    return bool(read_argument(argument.name, argument.value))
