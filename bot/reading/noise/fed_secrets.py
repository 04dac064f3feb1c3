"""What is fed into a command that reads a secret, or into a file that keeps one: by a pipe, behind `<<<`, and in lines below `<<EOF`."""

from __future__ import annotations

import itertools
import re

from bot.reading.late import Late
from bot.reading.noise.kind import Kind, unless_placeholder
from bot.reading.noise.placeholders import is_placeholder

_READERS = re.compile(
    r"""\blogin(?:\b(?![.\w/-])|\()|\bsudo\b[^\n|]{0,40}\s-\w{0,4}S\b|\bchpasswd\b|\bm?k?passwd\b|-stdin\b|\bkinit\b|--with-token|/dev/stdin\b|\bcryptsetup\b|--passphrase-fd
      | \bbase64\b | \bsecrets?[ ](?:create|put|set|add|update|versions)\b | \bcreate[ ]secret\b | \bkv[ ]put\b | \bwpa_passphrase\b | \bopenssl[ ](?:enc|passwd|pkey|rsa|dgst)\b
      | (?:>[ ]*|\btee[ ](?:-a[ ])?)["']?[^\s"'>]{0,200}?(?:(?<![A-Za-z])token(?![A-Za-z])|secret|passw|credential|api[_-]?key|\.netrc|\.pgpass|\.pypirc|\.npmrc|\.htpasswd|id_rsa|id_ed25519|\.key\b|\.pem\b)(?!\S{0,40}\.(?:py|sh|ya?ml|md|jsonl?)\b)
    """,
    re.VERBOSE,
)
_SAID = re.compile(
    r"""(?P<before>\b(?:echo|printf)[ ]++(?:-\w{1,3}[ ]++)*+(?:["']?%s(?:\\n)?["']?[ ]++)?["']?)(?![<$])(?P<secret>(?<=["'])[^"'\n<$]++|[^\s"'|<>$]{3,}+)(?=["']?[ ]*(?:>|\Z))"""
)
_HERE = re.compile(
    r"""(?P<lead><<<(?<!<<<<)(?!<)[ ]*+(?P<quote>["'])?)(?![<$|])(?P<secret>(?(quote)[^"'\n<]++|[^\s"'<>|;&)\\]++))"""
)
_HIDE = unless_placeholder("<secret>", "lead")
_LINES = Late(
    r"""(?P<lead><<(?<!<<<)-?[ ]?(?P<quote>["'])?(?P<word>[A-Za-z_]\w{0,30}+)(?(quote)["'])(?P<rest>[^\n]{0,500}+))
        (?P<lines>(?:\n(?![ \t]*+(?P=word)\b)[^\n]*+){1,40}+)(?P<end>\n[ \t]*+(?P=word)\b)?""",
    re.VERBOSE,
)
_FARTHEST = 300  # characters of a command before what it is fed


def _hide_piped(found: re.Match[str]) -> str:
    """Return the rest of a line with what is said to a command that reads a secret hidden."""
    parts = found[0].split("|")
    for place, (part, reader) in enumerate(itertools.pairwise([*parts, ""])):
        if _READERS.search(reader) or (">" in part and _READERS.search(part)):
            parts[place] = _SAID.sub(unless_placeholder("<secret>", "before"), part)
    return "|".join(parts)


def _hide_here(found: re.Match[str]) -> str:
    """Return texts behind `<<<` hidden where the command reads a secret."""
    return _HERE.sub(_HIDE, found[0]) if _READERS.search(_command_before(found) + found[0]) else found[0]


def _hide_lines(found: re.Match[str]) -> str:
    """Return lines that a command is fed hidden, or what is fed to one in them."""
    if _READERS.search(_command_before(found) + found["rest"]):
        return _without_lines(found)
    inner = _LINES.regex.sub(_hide_inner, found["lines"]) if "<<" in found["lines"] else found["lines"]
    return found["lead"] + inner + (found["end"] or "")


def _hide_inner(found: re.Match[str]) -> str:
    return _without_lines(found) if _READERS.search(_command_before(found) + found["rest"]) else found[0]


def _without_lines(found: re.Match[str]) -> str:
    """Return lines hidden, each; of those that nothing ends only the first is surely fed to the command."""
    lines = found["lines"].split("\n")
    most = len(lines) if found["end"] is not None else 2
    return "\n".join([found["lead"] + lines[0], *map(_hide_line, lines[1:most]), *lines[most:]]) + (found["end"] or "")


def _hide_line(line: str) -> str:
    said = line.strip()
    return line.replace(said, "<secret>") if said and not is_placeholder(said) else line


def _command_before(found: re.Match[str]) -> str:
    text, start = found.string, found.start()
    return text[max(0, start - _FARTHEST, text.rfind("\n", max(0, start - _FARTHEST), start)) : start]


FED_SECRETS = (
    Kind("what is piped into a command, or written to a file", ("echo ", "printf "), Late(r"(?:echo|printf) [^\n]*+"), _hide_piped),
    Kind("a text that a command is fed", ("<<<",), Late(r"<<<(?<!<<<<)(?!<)[^\n]*+"), _hide_here),
    Kind("lines that a command is fed", ("<<",), _LINES, _hide_lines),
)  # fmt: skip
