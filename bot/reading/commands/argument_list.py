"""Which words of a command line are its arguments, and where they end and a sentence goes on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bot.catalog.suffixes import of_tag
from bot.reading.commands.arguments import ARGUMENTS, LISTS, SWITCHES, full_name
from bot.reading.commands.shell import is_operator

_FLAG = re.compile(r"--?[A-Za-z][\w.-]*\Z")
_MODEL = re.compile(r"(?:[\w.~-]*/)?[\w.~/<>-]*[\w>]\Z")
_ITEM = re.compile(r"[^a-z]*\Z|.*[\d=/:._{\[-]")  # of a list: "image=2", "gpt-4", "8", but no plain word
_PLACEHOLDER = ("$", "<", "{", "/", "./", "~")
_PUNCTUATION = ",;!?"
_YES_OR_NO = frozenset({"true", "false", "1", "0"})
"""What may be meant for a switch; behind it every other word goes on with the sentence."""

# Words that are no values: behind a flag that takes none, the sentence around the command goes on.
_AROUND = """
a after also always an and are as at because before but crashes dies does error errors fails for from get gets getting gives
hangs i if in is it my now on only or our returns so still the then to using was we when which while with works
"""
_PROSE = frozenset(_AROUND.split())


class Argument(NamedTuple):
    """One argument: a flag and its value, or without a name the model."""

    name: str
    value: str
    place: int  # of its first word
    used: int  # words that it took
    ends: bool = False  # a comma or full stop of the sentence around the command stood behind it


def take_arguments(
    words: Sequence[str], start: int, *, is_list: bool = False, names_model: bool = True
) -> tuple[Argument, ...]:
    """Return the arguments from `start` on, up to the word that can be none.

    Args:
        words: The words of a command, its program included.
        start: The place of the first word behind the program.
        is_list: The words are a list of a manifest, where no sentence can go on: a word that is none is passed over.
        names_model: A word without a flag may name the model.

    >>> [argument.value for argument in take_arguments("vllm serve org/m-7b -tp 2 on one L4".split(), 2)]
    ['org/m-7b', '2']
    """
    found: list[Argument] = []
    place, has_model = start, not names_model
    while place < len(words):
        argument = _take(words, place, has_model=has_model, is_first=place == start)
        if argument is None and is_list and not is_operator(words[place]):
            place += 1
            continue
        if argument is None:
            break
        found.append(argument)
        has_model |= not argument.name or full_name(argument.name) == "model"
        place += argument.used
        if argument.ends and not is_list:
            break
    return tuple(found)


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
    if last >= 0 and "--" in words[last + 1 :]:  # `kubectl run v --image=vllm/vllm-openai --restart=Never -- --model m`
        return words.index("--", last + 1) + 1
    return last + 1 if last >= 0 else len(words)


def _take(words: Sequence[str], place: int, *, has_model: bool, is_first: bool) -> Argument | None:
    word = words[place]
    if is_operator(word) and not is_first:
        return None
    bare = take_off_punctuation(word)
    name, equals, value = bare.partition("=")
    if not _FLAG.match(name):
        return _take_model(words, place, is_first=is_first) if not has_model else None
    if equals or bare != word:
        return Argument(name, value, place, 1, ends=bare != word)
    value, used, ends = _take_value(words, place, full_name(name))
    return Argument(name, value, place, used, ends)


def _take_model(words: Sequence[str], place: int, *, is_first: bool) -> Argument | None:
    """Take the word without a flag that names the model, or that stands for it."""
    word, bare = words[place], take_off_punctuation(words[place])
    if _looks_like_model(bare):
        return Argument("", bare, place, 1, ends=bare != word)
    is_followed = place + 1 < len(words) and _FLAG.match(words[place + 1].partition("=")[0])
    is_placeholder = word.startswith(_PLACEHOLDER) or (is_first and is_followed)
    return Argument("", "", place, 1) if is_placeholder else None


def _take_value(words: Sequence[str], place: int, name: str) -> tuple[str, int, bool]:
    """Return the value behind a flag, how many words flag and value have, and whether the command ends with it."""
    following = words[place + 1] if place + 1 < len(words) else ""
    is_switch = name.removeprefix("no_") in SWITCHES
    if not following or _is_flag(following) or is_operator(following) or _is_prose(words, place + 1):
        return "", 1, False
    if is_switch and take_off_punctuation(following).lower() not in _YES_OR_NO:
        return "", 1, False
    value, used = take_off_punctuation(following), 2
    ends = value != following and following[:1] not in "{["
    while name in LISTS and place + used < len(words) and _is_item(words, place + used) and not ends:
        used += 1
    is_counted = name in ARGUMENTS and name != "served_model_name"
    return " ".join([value, *words[place + 2 : place + used]]) if is_counted else value, used, ends


def _is_flag(word: str) -> bool:
    return _FLAG.match(take_off_punctuation(word).partition("=")[0]) is not None


def _is_item(words: Sequence[str], place: int) -> bool:
    """Return whether a word is one more value of a list: it looks like one, or the next flag stands behind it."""
    word = words[place]
    if _is_flag(word) or is_operator(word):
        return False
    is_followed = place + 1 < len(words) and _is_flag(words[place + 1]) and word.lower() not in _PROSE
    return is_followed or _ITEM.match(word) is not None


def _is_prose(words: Sequence[str], place: int) -> bool:
    is_last = place + 1 == len(words) or _is_flag(words[place + 1])
    return words[place].lower() in _PROSE and not is_last


def take_off_punctuation(word: str) -> str:
    """Return a word without the comma or full stop of the sentence that it stands in."""
    bare = word.rstrip(_PUNCTUATION)
    is_sentence_end = bare.endswith(".") and not bare.endswith("..") and "/." not in bare[-2:] and len(bare) > 1
    return bare[:-1] if is_sentence_end else bare


def _looks_like_model(word: str) -> bool:
    head, colon, tag = word.rpartition(":")
    word = head if colon and of_tag(tag) else word  # "org/name-GGUF:Q4_K_M" names a file of a repository
    has_sign = "/" in word or any(letter.isdigit() for letter in word)
    return has_sign and len(word) < 300 and bool(_MODEL.match(word)) and any(letter.isalpha() for letter in word)
