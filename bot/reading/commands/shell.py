"""What a shell makes of a line: words, quotes, operators, remarks."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from bot.evidence import Line

COMMENT = re.compile(r"\s(?:#\s|(?=\([^()'\"]{1,200}\)\s{0,20}\Z))")
"""Where a command ends and a person's remark begins: a comment of the shell, or brackets at the end of the line."""

CONTINUED = re.compile(r"(?:[\\^]|(?<=\s)`)\s*\Z")
SEPARATORS = frozenset({";", "&", "&&", "||", "|", "|&", "(", ")", "{", "}"})
"""Operators behind which another command stands, or none."""

_LOST_BREAK = re.compile(r"\\(?=\s{1,40}-)")  # a continued line whose break was lost
_NESTED = r"\((?:[^()\n]|\((?:[^()\n]|\([^()\n]{0,200}\)){0,400}\)){0,1000}\)"
_FILLED = rf"\${_NESTED}|\$\{{[^}}\n]{{0,300}}\}}|`[^`\s][^`\n]{{0,300}}`"  # $(…), $((…)), ${{…}}, `…`
_QUOTED_TEXT = rf'"(?:{_FILLED}|[^"\\]|\\.)*"|\'[^\']*\''
_GROUPED = (
    r"\([^\s()]{0,200}\)|<[\w ./:-]{1,60}>|\{[^\s{}]{0,300}\}|\[[^\s\[\]]{0,300}\]"  # of no shell: "<model>", {a|b}
)
_BARE_JSON = r"""\{(?=\s?")(?:[^"{}\n]|"[^"\n]{0,400}"|\{[^{}\n]{0,400}\}){0,2000}\}"""  # as `ps` prints it, or without its quotes
_PIPED = r"\|(?=(?:tee|ts|grep|sed|awk|logger)\b)"
_WORD = re.compile(
    rf"""(?P<operator>&&|\|\||\|&|[;|&](?=\s|\Z)|{_PIPED}|(?<!\S)[(){{}}](?=\s|\Z)|(?<!\S)\((?=[A-Za-z_/])|(?<=\S)\)(?=[\s;&|]|\Z))
    | (?P<redirection>(?<!\S)[\d&]?>>?(?:&\d|&-|&?\ ?[\w./$~{{}}%+-]+)?(?![\w>]))
    | (?P<json>(?<!\S){_BARE_JSON}(?!\S))
    | (?P<word>(?:{_FILLED}|{_QUOTED_TEXT}|{_GROUPED}|\\.|[^\s"'\\|;&)]|[;)](?![\s;&|]|\Z)|&(?![\s&]|\Z)|(?!{_PIPED})\|(?![\s|&]|\Z))+)
    | (?P<torn>["']\S*|[^\s])""",
    re.VERBOSE | re.DOTALL,
)
_OPERATOR = re.compile(r"(?:[|;&]{1,2}|\|&|[(){}]|[\d&]?>{1,2}&?.*|#.*|`)\Z")
_QUOTED = re.compile(
    rf"(?P<filled>{_FILLED})|\"(?P<double>(?:{_FILLED}|[^\"\\]|\\.)*)\"|'(?P<single>[^']*)'|\\(?P<letter>.)", re.DOTALL
)
_NAMED = re.compile(r"(?:--?[A-Za-z][\w.-]*|[A-Za-z_]\w*)=")
_UNEXPANDED = re.compile(r"'[^']*'|\\.|(?P<double>\"(?:[^\"\\]|\\.)*\")", re.DOTALL)
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_DRIVE = re.compile(r"['\"]?(?:[A-Za-z]:|%\w{1,40}%)\\[\w.]")  # of Windows, where a backslash quotes nothing
_LIVE = re.compile(r"\$[\w{(@*#?$!-]|`|\A~(?=/|\Z)|(?<==)~/")


class Word(NamedTuple):
    """A word as a program is passed it, the line that it stands on, and how a shell has it written."""

    text: str
    line: Line
    written: str
    begin: int = 0  # in the text that was split
    end: int = 0

    @classmethod
    def of(cls, text: str, line: Line) -> Word:
        """Return a word that no shell has seen, as a list in a file holds it."""
        return cls(text, line, quote_word(text))


def join_written(words: Iterable[str]) -> str:
    """Return written words as one line.

    >>> join_written(["A=b", ";", "c", "$A"])
    'A=b; c $A'
    """
    return " ".join(words).replace(" ; ", "; ")


def is_operator(word: str) -> bool:
    """Return whether a word ends a command: a pipe, a redirection, the beginning of a remark."""
    return _OPERATOR.match(word) is not None


def quote_word(text: str) -> str:
    """Return a word as a shell must have it; what stands before an equals sign names it, and needs no quotes.

    >>> quote_word("--served-model-name=a b"), quote_word("$(id)")
    ("--served-model-name='a b'", "'$(id)'")
    """
    name = _NAMED.match(text)
    return f"{name[0]}{shlex.quote(text[name.end() :])}" if name else shlex.quote(text)


def scan_words(text: str) -> Iterator[tuple[str, int, int]]:
    r"""Yield the words of a text as the shell would pass them, and where each begins and ends.

    >>> [word for word, _, _ in scan_words(r"serve 'a b' \ --flag")]
    ['serve', 'a b', '--flag']
    """
    text = _LOST_BREAK.sub(" ", text)
    for found in _WORD.finditer(text):
        yield _passed(found), found.start(), found.end()


def written_words(text: str) -> list[str]:
    """Return the words of a command as a shell has them written.

    What the shell fills in stays as it was; all else is quoted alike.

    >>> written_words('serve "$MODEL" "a b" c')
    ['serve', '"$MODEL"', "'a b'", 'c']
    """
    text = _LOST_BREAK.sub(" ", text)
    return [_rewrite(found) for found in _WORD.finditer(text)]


def split_words(block: Sequence[Line]) -> list[Word]:
    """Return the words of a command with their lines; JSON in quotes is one word."""
    texts = [CONTINUED.sub("", COMMENT.split(line.text, maxsplit=1)[0]) + " \n" for line in block]
    starts = list(zip(accumulate(map(len, texts), initial=0), block, strict=False))
    words: list[Word] = []
    place = 0
    for found in _WORD.finditer(_LOST_BREAK.sub(" ", "".join(texts))):
        while place + 1 < len(starts) and starts[place + 1][0] <= found.start():
            place += 1
        words.append(Word(_passed(found), starts[place][1], _rewrite(found), *found.span()))
    return words


def _passed(found: re.Match[str]) -> str:
    is_literal = found["json"] is not None or _DRIVE.match(found[0])
    return found[0].strip("\"'") if is_literal else _unquote(found[0])


def _rewrite(found: re.Match[str]) -> str:
    """Return a word as it is written; what the shell fills in, and a path of another system, stays as it was."""
    if found["operator"] or found["redirection"]:
        return found[0]
    is_live = found["word"] is not None and _LIVE.search(_UNEXPANDED.sub(_expanded, found[0]))
    return found[0] if is_live or _DRIVE.match(found[0]) else quote_word(_passed(found))


def _expanded(found: re.Match[str]) -> str:
    """Return what a shell may fill in of a quoted part: within double quotes a single one is a letter like others."""
    return _ESCAPED.sub("", found["double"] or "")


def _unquote(word: str) -> str:
    """Return a word as the shell would pass it."""
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    return _QUOTED.sub(_unquote_part, word)


def _unquote_part(found: re.Match[str]) -> str:
    if found["double"] is not None:
        return re.sub(r"\\([\"\\$`])", r"\1", found["double"])
    return next(part for part in (found["filled"], found["single"], found["letter"]) if part is not None)
