"""The words of a command, parted into flags with their values and what stands alone."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import cast

from bot.catalog.flags import Flags
from bot.reading.argument_values import read_structure
from bot.reading.commands.arguments import facts_inside
from bot.reading.commands.shell import is_operator, quote_word, scan_words

FLAG = re.compile(r"--?[A-Za-z]")
_LEVEL = re.compile(r"-O\d\Z")  # has its value with it
_SAID_OF_A_SWITCH = frozenset({"true", "false"})  # as versions took that had no --no-…


def arguments(words: Sequence[str], flags: Flags) -> Iterator[Sequence[str]]:
    """Yield each word, with its value where it is a flag that has one."""
    place = 0
    while place < len(words):
        taken = _argument(words, place, flags)
        yield taken
        place += len(taken)


def _argument(words: Sequence[str], place: int, flags: Flags) -> Sequence[str]:
    """Return the word at `place` with what follows it of its value, when it is a flag that has one."""
    word, following = words[place], words[place + 1 : place + 2]
    if not FLAG.match(word) or "=" in word or not following or FLAG.match(following[0]):
        return [word]
    flag = flags.by_name(word)
    if _LEVEL.match(word):
        return [word]
    if flag is not None and flag.type == "list":
        values = takewhile(lambda value: not FLAG.match(value) and not is_operator(value), words[place + 1 :])
        return [word, *values]
    is_switch = flag is not None and flag.type == "switch" and following[0].lower() not in _SAID_OF_A_SWITCH
    return [word] if is_switch else [word, *following]


def without_settings(taken: Sequence[str], gone: Collection[str]) -> Sequence[str]:
    r"""Return an argument, as it is written, without the settings in its JSON that set these facts; nothing where all do.

    >>> without_settings(["-cc", '{"cudagraph_mode": "NONE", "backend": "eager"}'], {"cudagraph_mode"})
    ['-cc', '\'{"backend": "eager"}\'']
    """
    name, equals, value = taken[0].partition("=")
    written = value if equals else "".join(taken[1:2])
    record = read_structure("".join(text for text, _, _ in scan_words(written))) if "{" in written else None
    if not isinstance(record, dict):
        return taken
    said = cast("dict[str, object]", record)
    kept = {key: value for key, value in said.items() if not facts_inside(name, key) & {*gone}}
    if len(kept) == len(said):
        return taken
    words = quote_word(json.dumps(kept))
    return ([f"{name}={words}"] if equals else [name, words]) if kept else []
