"""The words that a manifest has in a list, on a line or within quotes."""

from __future__ import annotations

import re
from typing import cast

from bot.evidence import Line
from bot.reading.argument_values import read_structure
from bot.reading.commands.shell import Word, split_words

_SHELLS = re.compile(r"(?:.*/)?(?:ba|z|da)?sh\Z|(?:.*/)?tini\Z")
_QUOTED = re.compile(r"""("|')(?P<inside>[^\n]{0,8000}?)\1,?\s{0,80}(?:\s\#.{0,8000})?\Z""")


def strip_quotes(value: str) -> str:
    """Return a value without its quotes and the remark behind it."""
    if quoted := _QUOTED.match(value.strip()):
        return quoted["inside"]
    return value.split(" #", 1)[0].strip().rstrip(",")


def without_shell(words: list[Word]) -> list[Word]:
    """Return the words without the shell and its options that they are given to."""
    if not words or not _SHELLS.match(words[0].text):
        return words
    return [word for word in words[1:] if word.text not in {"-c", "-ec", "-lc", "-e", "--"}]


def split_inline(value: str, line: Line) -> list[Word]:
    """Return the words that stand behind a key on its line: a list, or as a shell has them."""
    listed = read_structure(value) if value.startswith("[") else None
    if isinstance(listed, list):
        return [Word.of(str(word), line) for word in cast("list[object]", listed)]
    if value.startswith("["):
        return [Word.of(word.strip().strip("\"'"), line) for word in value.strip("[]").split(",")]
    return split_words([line._replace(text=strip_quotes(value), start=0)])


def split_shell(item: Word) -> list[Word]:
    """Return the words of `vllm serve x --flag` in one item; a JSON value and one of several words stay one word."""
    word = item.text
    is_command = word[:1] == "-" or " -" in word or "serve " in word or "python" in word
    if " " not in word or word[:1] in "{[" or "={" in word or not is_command:
        return [item]
    return split_words([item.line._replace(text=word, start=0)])
