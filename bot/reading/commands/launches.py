"""Where launch commands stand in a text, each told apart from the sentence and from the commands beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from bot.deployment import Wrapper
from bot.evidence import Line
from bot.reading.commands.argument_list import first_argument, take_arguments
from bot.reading.commands.launch import LAUNCH, Launch, name_launcher
from bot.reading.commands.shell import CONTINUED, SEPARATORS, Word, join_written, split_words
from bot.reading.commands.surroundings import ASSIGNMENT, EXPORTS, cut_out, find_begin, key_of, unmarked, without_key
from bot.reading.commands.wrappers import behind_host, is_pressed, quote_of_sent, shell_in_list, wrapper_of

LONGEST_BLOCK = 400
"""Lines of one command."""

_GO_ON = ("--", "-tp ", "-pp ", "-e ", "-v ", "-p ", "vllm/", '"--', "'--", "{", '"{', "'{")
_OPEN_JSON = re.compile(r"""[\s=](?:'\s?[{\[][^']*|"\s?[{\[](?:[^"\\]|\\.)*)\Z""")
_COPIERS = frozenset({"tee", "ts", "grep", "sed", "awk", "logger", "cat", "less", "rotatelogs"})
_SHELL_WORDS = frozenset(
    {"echo", "sleep", "wait", "done", "curl", "kill", "pkill", "cd", "exit", "source", "export", "printf", "fi"}
)
_FILE = re.compile(r"[\d&]?>>?&?\s?(?:&[\d-]|\d|\S*[./$~]\S*|log)\Z")


class _Command(NamedTuple):
    """The words between two operators of a shell, the assignments in front of them, and what follows."""

    words: list[Word]
    lead: list[Word]
    behind: Sequence[Word]


def find_launches(lines: Sequence[Line]) -> Iterator[Launch]:
    """Yield the launch commands of a text in their order."""
    place = 0
    while place < len(lines):
        count, key, around = 1, key_of(lines[place]), shell_in_list(lines, place)
        for cut, _, _ in _quotations(lines[place : place + LONGEST_BLOCK]):
            found = _launches_of(split_words(cut))
            yield from (replace(launch, key=key, wrappers=launch.wrappers or around) for launch in found)
            count = max(count, len(cut))
        place += count


def find_extents(line: Line) -> Iterator[tuple[int, int]]:
    """Yield where commands stand in a line, each with its program and arguments; what is around them is a sentence.

    >>> text = "we run vllm serve org/m-7b -tp 2 on one L4"
    >>> [text[slice(*extent)] for extent in find_extents(Line(number=1, text=text))]
    ['vllm serve org/m-7b -tp 2']
    """
    for cut, start, least in _quotations([line]):
        for launch in _launches_of(split_words(cut)):
            words = _own_words(launch)
            last = [*words, *launch.tail][-1]
            yield start + words[0].begin, start + (launch.ends or max(last.end, 0 if words[1:] else least))
        yield from _others(split_words(cut), start)


def _quotations(lines: Sequence[Line]) -> Iterator[tuple[list[Line], int, int]]:
    """Yield what the first line holds of commands: the lines of each, where it begins, and how long it is at least."""
    line = unmarked(without_key(lines[0])) if may_launch(lines[0]) else None
    found = LAUNCH.search(line.text) if line else None
    while line and found:
        cut = cut_out(_take_block([line, *lines[1:]]), found.start())
        start = line.text.rindex(cut[0].text, 0, max(found.end(), len(cut[0].text) + found.start()))
        yield cut, start, found.end() - start
        end = min(start + len(cut[0].text) + 1, len(line.text))  # behind the sign that closes it
        line = line._replace(text=" " * end + line.text[end:])
        found = LAUNCH.search(line.text, end) if len(cut) == 1 else None


def may_launch(line: Line) -> bool:
    """Return whether a line can hold a command; vLLM's own messages only mention it."""
    text = line.text
    return ("vllm" in text or "api_server" in text or " run " in text) and line.level is None and 'File "' not in text


def _take_block(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of one command: continued with a backslash, within a value, or going on with flags."""
    block = [lines[0]]
    for line in lines[1:]:
        is_flag = line.text.lstrip().startswith(_GO_ON)
        is_within = is_flag or _OPEN_JSON.search(block[-1].text) or (len(block) > 1 and _is_open(block))
        if not (CONTINUED.search(block[-1].text) or is_within) or line.level:
            break
        if line.text.strip():
            block.append(line)
    return block


def _is_open(block: Sequence[Line]) -> bool:
    """Return whether a value of several lines has not come to its end."""
    return _OPEN_JSON.search("\n".join(line.text for line in block[-40:])) is not None


def _launches_of(words: Sequence[Word]) -> Iterator[Launch]:
    """Yield the launches among the commands of a line; the first is one, whatever it looks like."""
    is_first = True
    for command in _commands(words):
        if is_first or _is_launch(command.words):
            yield from _unfolded(_as_launch(command))
        is_first = False


def _commands(words: Sequence[Word]) -> Iterator[_Command]:
    """Yield the commands between operators; assignments before one belong to it."""
    lead: list[Word] = []
    start = 0
    for place in range(len(words) + 1):
        if place < len(words) and words[place].text not in SEPARATORS:
            continue
        own = list(words[start:place])
        if own and all(ASSIGNMENT.match(word.text) or word.text in EXPORTS for word in own):
            lead = [*lead, *own, *words[place : place + 1]]
        elif own:
            *parts, last = _parted(own)
            yield from (_Command(part, [], ()) for part in parts)
            yield _Command(last, lead if not parts else [], words[place:])
            lead = []
        start = place + 1


def _parted(words: list[Word]) -> list[list[Word]]:
    """Return the words of each launch by itself, where a sentence names several: "vllm serve a, then vllm serve b"."""
    texts = [word.text for word in words]
    pairs = enumerate(pairwise(texts))
    starts = [place for place, (program, verb) in pairs if verb == "serve" and program.endswith("vllm")]
    borders = [0, *starts[1:], len(words)]
    return [words[start:end] for start, end in pairwise(borders)]


def _is_launch(words: Sequence[Word]) -> bool:
    text = " ".join(word.text for word in words)
    found = LAUNCH.search(text)
    return found is not None and find_begin(text[: found.start()]) == 0


def _as_launch(command: _Command) -> Launch:
    text = " ".join(word.text for word in command.words)
    found = LAUNCH.search(text)
    lead = _exported(command.lead, command.words)
    return Launch(name_launcher(found[0] if found else "", text), [*lead, *command.words], tail=_tail_of(command))


def _exported(lead: Sequence[Word], words: Sequence[Word]) -> Sequence[Word]:
    """Return what is exported before a command as assignments of its own, where the command's words need none of it."""
    names = [word.text.partition("=")[0] for word in lead if ASSIGNMENT.match(word.text)]
    is_used = any(re.search(rf"\$\{{?{name}\b", word.written) for name in names for word in words)
    if is_used or not any(word.text in EXPORTS for word in lead):
        return lead
    return [word for word in lead if ASSIGNMENT.match(word.text)]


def _tail_of(command: _Command) -> tuple[Word, ...]:
    """Return where a command's output goes and whether the shell waits for it; nothing where a sentence goes on."""
    texts = [word.text for word in command.words]
    arguments = take_arguments(texts, first_argument(texts))
    end = max((each.place + each.used for each in arguments), default=first_argument(texts))
    rest, behind = command.words[end:], list(command.behind)
    if not all(_FILE.match(word.text) for word in rest):
        return ()
    if len(behind) > 1 and behind[0].text in {"|", "|&"} and behind[1].text in _COPIERS:
        stop = next((at for at, word in enumerate(behind[1:], 1) if word.text in SEPARATORS), len(behind))
        rest, behind = [*rest, *behind[:stop]], behind[stop:]
    return (*rest, *(word for word in behind[:1] if word.text == "&"))


def _unfolded(launch: Launch) -> Iterator[Launch]:
    """Yield a launch; the commands that a shell is given as one word (`bash -c "vllm serve …"`) are told apart."""
    is_one = (" " in word.text and LAUNCH.search(word.text) for word in launch.words)
    place = next((place for place, found in enumerate(is_one) if found), None)
    if place is None:
        yield _sent(launch)
        return
    outer, word, behind = launch.words[:place], launch.words[place], launch.words[place + 1 :]
    start = next(LAUNCH.finditer(word.text)).start()
    inner = cut_out([word.line._replace(text=word.text, start=0)], start)
    launches = list(_launches_of(words := split_words(inner)))
    kept = behind if all(_FILE.match(each.text) or is_pressed(each.text) for each in behind) else []
    is_container = LAUNCH.search(" ".join(each.text for each in outer))
    for each in launches:
        rest = _behind(each, words)
        lead = word.text[: word.text.rindex(inner[0].text.rstrip(), 0, len(inner[0].text) + start + 1)]
        inside = wrapper_of(outer, word, [*kept, *launch.tail], (lead, rest or ""))
        yield replace(
            each,
            launcher=launch.launcher if is_container else each.launcher,
            words=[*outer, *each.words],
            inner=place + each.inner,
            wrappers=(*each.wrappers, inside) if len(launches) == 1 and rest is not None else (),
            ends=word.end,
        )


def _behind(launch: Launch, words: Sequence[Word]) -> str | None:
    """Return what goes on behind a launch in the same word; None where it is no command."""
    own = [*_own_words(launch), *launch.tail]
    end = launch.ends or own[-1].end
    rest = [word for word in words if word.begin >= end]
    if rest and rest[0].text not in SEPARATORS:
        return None
    return join_written(word.written for word in rest)


def _sent(launch: Launch) -> Launch:
    """Return a launch; one that ssh is given word by word is what the other machine's shell reads."""
    place = behind_host([word.text for word in launch.words])
    text = " ".join(word.text for word in launch.words[place:])
    found = LAUNCH.search(text)
    if not place or not found:
        return launch
    skipped = find_begin(text[: found.start()])
    inner = place + len(text[:skipped].split())
    if skipped:
        return replace(launch, inner=inner)
    before, after = (join_written(each.written for each in part) for part in (launch.words[:place], launch.tail))
    around = Wrapper(before=before, after=after, quote=quote_of_sent(_own_words(launch)[inner:]))
    return replace(launch, inner=inner, tail=(), wrappers=(around,))


def _own_words(launch: Launch) -> list[Word]:
    """Return the words of a launch up to its last argument."""
    texts = [word.text for word in launch.words]
    arguments = take_arguments(texts, first_argument(texts))
    end = max((each.place + each.used for each in arguments), default=first_argument(texts))
    return launch.words[:end] if end < len(texts) or arguments else launch.words[:1]


def _others(words: Sequence[Word], start: int) -> Iterator[tuple[int, int]]:
    """Yield where other commands stand that a shell runs beside a launch: `… && sleep 60`."""
    for before, after in pairwise(words):
        if _begins_command(before.text, after.text):
            ends = (w for w in words if w.begin > after.begin and (w.text in SEPARATORS or w.text.endswith(",")))
            last = next(ends, words[-1])
            yield start + before.begin, start + last.end


def _begins_command(operator: str, word: str) -> bool:
    """Return whether a command stands behind an operator; behind a semicolon or a bar a sentence can go on."""
    if operator in {";", "|"}:
        return word in (_SHELL_WORDS if operator == ";" else _COPIERS)
    return operator in {"&&", "||", "&"}
