"""Programs that are given a command to run as one word: `bash -c "…"`, `ssh host '…'`, `tmux new -d '…'`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from bot.deployment import Wrapper
from bot.evidence import Line
from bot.reading.commands.shell import SEPARATORS, Word, join_written, quote_word, scan_words

Quote = Literal["'", '"', ""]

_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ash", "ksh", "su", "runuser", "script"})
_REMOTE = frozenset({"ssh", "tmux", "screen", "pdsh"})
_STARTERS = """
sudo nohup exec env time nice ionice numactl taskset timeout stdbuf setsid screen uv uvx poetry pipenv conda mamba micromamba
pixi hatch srun mpirun mpiexec torchrun docker podman nerdctl kubectl oc nsys ncu apptainer singularity enroot strace chrt ssh
wsl wsl.exe gcloud fly flyctl vagrant multipass lxc incus distrobox toolbox tsh
"""
STARTERS = frozenset(_STARTERS.split())
"""Programs that are given a command to run, word by word."""

OPENER = re.compile(r"(?:\A|(?<=[\s=(\[,:*_~>]))[\"']")
"""A quote that opens a word, and is no apostrophe."""

_PROGRAMS = _SHELLS | _REMOTE | STARTERS
_SAYS_COMMAND = re.compile(r"-\w*c\Z|--command\Z")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w{0,60}=")
_DOUBLE = re.compile(r"\"(?:[^\"\\]|\\\")*\"\Z")  # one quotation, with no escape but of its own sign
_SINGLE = re.compile(r"'[^']*'")
_FILLED_IN = re.compile(r"[$`\\]")
_NOT_DOUBLE = re.compile(r"[$`\\!]")
_QUOTING = re.compile(r"[\"'\\]")
_SHOWN = 12
"""Letters by which a word is found on its line."""

_PRESSED = frozenset({"C-m", "Enter", "KPEnter", "C-j"})
"""Keys that tmux is to press behind what it types."""

_LISTED = re.compile(
    r"""(?:-\s|\[)\s{0,20}["']?(?P<shell>[\w/]{0,40}\b(?:ba|z|da)?sh)["']?,?\s{1,40}  # the first of a list
        (?:-\s{1,9})?["']?(?P<option>-\w{0,3}c)["']?,?\s{1,40}
        (?:-\s{1,9})?(?:[|>][+-]?\s{1,60}|["'])?[^\n"'\[\]]*\bvllm\b[^\n]*\Z""",
    re.VERBOSE,
)
_NEAR, _LONGEST_ITEM = 3, 400
"""Lines before a command in which its shell stands, and what is read of each."""

_WITH_VALUE = re.compile(r"-[A-Za-z]*[BbcDEeFIiJLlmOopQRSWw]\Z")
"""Options of ssh that have a value."""


def open_word(before: str) -> tuple[int, int] | None:
    """Return where a command begins that is given another as one word, and where that word's quotation opens; else None.

    >>> open_word("$ ssh -t gpu01 'cd /srv && ")
    (2, 15)
    """
    opened = _outermost(before)
    marked = before.rfind("`", 0, max(opened, 0)) + 1 if before[: max(opened, 0)].count("`") % 2 else 0
    tokens = [(word, marked + at) for word, at, _ in scan_words(before[marked:opened])] if opened >= 0 else []
    border = max((at for at, (word, _) in enumerate(tokens) if word in SEPARATORS), default=-1)
    own = tokens[border + 1 :]
    names = [word.rsplit("/", 1)[-1] for word, _ in own]
    first = next((place for place, name in enumerate(names) if name in _PROGRAMS), None)
    if first is None or not _takes_one(names[first:]):
        return None
    while first and _ASSIGNMENT.match(names[first - 1]):
        first -= 1
    return own[first][1], opened


def _takes_one(names: Sequence[str]) -> bool:
    is_shell = not _SHELLS.isdisjoint(names) and _SAYS_COMMAND.match(names[-1])
    return bool(is_shell) or not _REMOTE.isdisjoint(names)


def _outermost(before: str) -> int:
    """Return where the quotation opens that is open at the end of a text and lies in no other; −1 without one."""
    place = 0
    while found := OPENER.search(before, place):
        closing = re.compile(rf"(?<!\\){found[0]}").search(before, found.end())
        if closing is None:
            return found.start()
        place = closing.end()
    return -1


def wrapper_of(outer: Sequence[Word], word: Word, behind: Sequence[Word], inside: tuple[str, str]) -> Wrapper:
    """Return what stands around a command that is one word of another.

    Args:
        outer: The words before it.
        word: The word.
        behind: The words behind it that belong to the outer command.
        inside: What the word has before and behind the command itself.
    """
    return Wrapper(
        before=join_written(each.written for each in outer),
        lead=inside[0],
        tail=inside[1],
        after=join_written(each.written for each in behind),
        quote=_quote_of(word),
    )


def _quote_of(word: Word) -> Quote:
    """Return in which quotes a word can stand again: in those that it had, as far as the line shows them.

    What the outer shell fills in goes back into double quotes as it was; within quotes of the inner shell it does not.
    """
    if word.written == quote_word(word.text):
        was_double = f'"{word.text[:_SHOWN]}' in word.line.text and not _NOT_DOUBLE.search(word.text)
        return '"' if was_double else "'"
    is_quoted_twice = any(map(_FILLED_IN.search, _SINGLE.findall(word.text)))
    return '"' if _DOUBLE.match(word.written) and not is_quoted_twice else ""


def quote_of_sent(words: Sequence[Word]) -> Quote:
    """Return in which quotes words can stand that ssh was given one by one; its shell fills in what stands bare."""
    filled = [word.written for word in words if _FILLED_IN.search(word.text)]
    if not filled:
        return "'"
    return '"' if all(not _QUOTING.search(written) for written in filled) else ""


def shell_in_list(lines: Sequence[Line], place: int) -> tuple[Wrapper, ...]:
    """Return the shell that a list of a file gives the command of a line to: `["bash", "-c", "…"]`, or an item each.

    >>> shell_in_list([Line(number=1, text='CMD ["bash", "-c", "vllm serve m"]')], 0)[0].before
    'bash -c'
    """
    near = "\n".join(line.text[:_LONGEST_ITEM] for line in lines[max(0, place - _NEAR) : place + 1])
    found = _LISTED.search(near) if "sh" in near and "-" in near else None
    return (Wrapper(before=f"{found['shell']} {found['option']}", quote=""),) if found else ()


def is_pressed(word: str) -> bool:
    """Return whether a word is a key that tmux presses."""
    return word in _PRESSED


def behind_host(words: Sequence[str]) -> int:
    """Return the place behind the host that ssh is given; 0 where it is another program.

    >>> behind_host(["ssh", "-t", "-p", "22", "gpu01", "vllm", "serve", "m"])
    5
    """
    if not words or words[0].rsplit("/", 1)[-1] != "ssh":
        return 0
    place = 1
    while place < len(words) and words[place].startswith("-"):
        place += 2 if _WITH_VALUE.match(words[place]) else 1
    return min(place + 1, len(words))
