"""What stands around a command in its line: a prompt, a program that starts it, quotes, bold type, a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.evidence import Line
from bot.reading.commands.shell import SEPARATORS, scan_words
from bot.reading.commands.wrappers import OPENER, STARTERS, open_word

FARTHEST = 2_000
"""Characters before a command that are looked at."""

ASSIGNMENT = re.compile(r"(?:\$env:)?[A-Za-z_]\w{0,60}=")
EXPORTS = frozenset({"export", "set", "declare", "-x"})
"""Words before assignments by which other programs see them."""

_MARKED = re.compile(r"(?<![\w*~_/])([*_~]{1,3})(?=[^\s*_~])([^\n]{0,8000}(?<=[^\s*_~]))\1(?![\w*~_/])")
_BEFORE = re.compile(
    r"(?:[A-Za-z_]\w{0,60}=(?:\"[^\"]{0,200}\"|'[^']{0,200}'|\$\([^()\n]{0,200}\)|[^\s\"'();|&]{0,200})\s+){0,20}(?:(?:sudo|nohup|exec|env|(?<![a-z]\s)time|uv\s+run)\s+){0,4}"
    r"(?:[\w/.-]{0,200}python[\d.]{0,5}\s+(?:-\w\s+){0,3})?(?:[\w/.~-]{0,200}/)?\Z"
)
_KEY = re.compile(r"\s{0,8}(?:ExecStart|command)\s?=\s?[-@:+!]{0,3}(?=[\w/~])")
"""Source: systemd.service(5), and supervisord's [program:x]; what Python or a shell assigns is in quotes."""

_LONGEST_KEY = 24
_PROMPT = re.compile(r"(?:\S*[@:~\])])?[$#%❯➜]\Z|PS\Z|(?:PS\s)?[A-Z]:\\\S*>\Z")


def key_of(line: Line) -> str:
    """Return what stands before a command that a file of systemd or supervisord has on a line of its own.

    >>> key_of(Line(number=1, text="ExecStart=-/opt/bin/vllm serve m"))
    'ExecStart=-'
    """
    found = _KEY.match(line.text) if "=" in line.text[:_LONGEST_KEY] else None
    return found[0].lstrip() if found else ""


def without_key(line: Line) -> Line:
    """Return a line with blanks for such a key."""
    found = _KEY.match(line.text) if key_of(line) else None
    return line._replace(text=" " * found.end() + line.text[found.end() :]) if found else line


def unmarked(line: Line) -> Line:
    """Return a line with blanks for the signs of bold and italic type around a command."""
    if not any(mark in line.text for mark in "*_~"):
        return line
    text = _MARKED.sub(lambda found: " " * len(found[1]) + found[2] + " " * len(found[1]), line.text)
    return line if text == line.text else line._replace(text=text)


def cut_out(block: Sequence[Line], start: int) -> list[Line]:
    """Return the lines of a command without what is around it, from its program on, up to the quote that closes it.

    Args:
        block: The lines, in the first of which the command stands.
        start: Where its name is found there.
    """
    first = block[0]
    before = first.text[max(0, start - FARTHEST) : start]
    whole = open_word(before)
    if whole and _closes("\n".join(line.text for line in block), start, before[whole[1]]):
        begin = start - len(before) + whole[0]
        end = _closing(first.text, start, "`") if before[: whole[0]].count("`") % 2 else None
        cut = first._replace(text=first.text[begin:end], start=0)
        return [cut, *block[1:]] if end is None else [cut]
    quote = _open_quote(before)
    begin = start - len(before) + find_begin(before[: len(before)])
    end = _closing(first.text, start, quote)
    cut = first._replace(text=first.text[begin:end], start=0)
    if end is not None:
        return [cut]
    return [cut, *block[1:-1], *(_unclosed(line, quote) for line in block[1:][-1:])]


def find_begin(before: str) -> int:
    """Return where the command begins that goes on behind a text: its program, or what is assigned for it.

    >>> find_begin("(venv) me@host:~$ export A=1 && sudo -u vllm /opt/bin/")
    18
    """
    found = _BEFORE.search(before)
    begin = found.start() if found else len(before)
    quote = _open_quote(before)
    opened = before.rfind(quote) + 1 if quote else 0
    tokens = [(word, opened + at) for word, at, _ in scan_words(before[opened:begin])]
    place = max((at for at, (word, _) in enumerate(tokens) if _is_border(word)), default=-1)
    own = tokens[place + 1 :]
    if own and own[0][0].rsplit("/", 1)[-1] in STARTERS:
        begin, own = own[0][1], []
    return begin if own else _lead(tokens[: place + 1], begin)


def _lead(tokens: Sequence[tuple[str, int]], begin: int) -> int:
    """Return where the assignments begin that end with `;` or `&&` before a command."""
    while tokens and tokens[-1][0] in {";", "&&"}:
        place = max((at for at, (word, _) in enumerate(tokens[:-1]) if _is_border(word)), default=-1)
        own = tokens[place + 1 : -1]
        if not own or not all(ASSIGNMENT.match(word) or word in EXPORTS for word, _ in own):
            break
        begin, tokens = own[0][1], tokens[: place + 1]
    return begin


def _is_border(word: str) -> bool:
    return word in SEPARATORS or _PROMPT.match(word) is not None


def _open_quote(before: str) -> str:
    """Return the sign of a quotation that is open at the end of a text: a backtick, a quote, or nothing."""
    if len(re.findall("`+", before)) % 2:
        return "`"
    last = [(found.start(), found[0]) for found in OPENER.finditer(before)][-1:]
    return last[0][1] if last and before.count(last[0][1], last[0][0]) == 1 else ""


def _closes(text: str, start: int, quote: str) -> bool:
    return _closing(text, start, quote) is not None


def _closing(text: str, start: int, quote: str) -> int | None:
    if not quote:
        return None
    found = re.compile(rf"(?<!\\){quote}").search(text, start)
    return found.start() if found else None


def _unclosed(line: Line, quote: str) -> Line:
    """Return the last line of a quoted command without the quote that closes it."""
    text = line.text.rstrip()
    is_closed = bool(quote) and text.endswith(quote) and text.count(quote) % 2 == 1
    return line._replace(text=text[:-1]) if is_closed else line
