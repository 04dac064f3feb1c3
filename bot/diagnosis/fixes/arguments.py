"""The words of a command, parted into flags with their values and what stands alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.catalog.flags import Flags

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
    """Return the word at `place` with the value that follows it, when it is a flag that has one."""
    word, following = words[place], words[place + 1 : place + 2]
    if not FLAG.match(word) or "=" in word or not following or FLAG.match(following[0]):
        return [word]
    flag = flags.by_name(word)
    if _LEVEL.match(word):
        return [word]
    is_switch = flag is not None and flag.type == "switch" and following[0].lower() not in _SAID_OF_A_SWITCH
    return [word] if is_switch else [word, *following]
