"""A user's name with a password beside it: "creds bob:x", "user/pass: bob/x", "log in as bob/x", "admin:x@host"."""

from __future__ import annotations

import re

from bot.reading.late import Late
from bot.reading.noise.kind import Kind
from bot.reading.noise.placeholders import is_placeholder
from bot.reading.noise.secret_values import is_mixed

_ASIDE = r"""["']?(?:[ ]{0,3}(?:(?:is|are|was|were|with|as|using|my|our|the)(?=[ ])|->|=>|[:=–—]|-(?=[ ])))*+[ ]{0,3}["'`(\[]?"""
_SECOND = r"(?:[pP]ass(?:word|wd|phrase)?|PASS(?:WORD)?|pwd?|PWD?)"
_PAIR = r"""(?!(?i:user|login|user[ ]?name|name)[ ]?[:/&])(?P<user>[A-Za-z0-9_][\w.+\\@-]{0,63}+)(?P<join>:(?![/:])|[ ]?/[ ]?(?!/)|[ ]{1,2}(?=\S{0,63}\d))(?P<secret>[^\s"'`<>]{2,}+)"""
_SAYS = re.compile(r"[:=>/&]|\b(?:is|are|as|with)\b")
_PUBLIC = re.compile(
    r"(?:v?\d+(?:[.:-]\d+)*(?:[-.+]?(?:rc|post|dev|py|cu|slim|alpine)\S*)?|latest|main|stable|nightly|default|\S*[/(\[{].*)\Z"
)
"""A port, a time, a version, a tag, a path and a call: what stands behind a colon and is no password."""

_WORDS_FOR_ONE = frozenset(("pass", "password", "passwd", "pw", "pwd"))


def _hide_told(found: re.Match[str]) -> str:
    """Return a pair hidden that a word announces, such as credentials."""
    return _hide(found) if _SAYS.search(found["lead"]) or found["join"] == ":" else found[0]


def _hide_likely(found: re.Match[str]) -> str:
    """Return the same behind a word that announces other things too: the door of a host, the version of an image."""
    is_said = found["join"] == ":" or (found["join"] == "/" and " as " in found["lead"])
    return _hide(found) if is_said and _PUBLIC.match(found["secret"].rstrip(".,;)]")) is None else found[0]


def _hide(found: re.Match[str]) -> str:
    secret = found["secret"].rstrip(".,;)]")
    is_word = found["join"].isspace() and not is_mixed(secret, 6)
    if not secret or is_word or is_placeholder(secret) or secret.lower() in _WORDS_FOR_ONE:
        return found[0]
    return f"{found['lead']}<credentials>{found['secret'][len(secret) :]}"


LOGINS = (
    Kind(
        "a pair that is announced",
        ("reds", "redential", "REDENTIAL", "user:", "ser/", "name:", "name/", "gin/", "ser:", "ser &", "ser and"),
        Late(
            rf"""(?P<lead>(?:[cC](?:reds?(?![a-z])|redentials?)|CREDENTIALS?|[uU]ser(?:[ ]?[nN]ame)?[ ]?(?:[:/&]|and(?=[ ]))[ ]?{_SECOND}|[lL]ogin[ ]?[:/&][ ]?{_SECOND})(?=["'\ :=(`\[–—]){_ASIDE}){_PAIR}"""
        ),
        _hide_told,
    ),
    Kind(
        "a pair behind what may announce one",
        ("ogin", "og in", "uth", "ccount"),
        Late(rf"""(?P<lead>(?:[lL]og(?:[ ]?in|ins)|[aA](?:uth|ccount))(?=["'\ :=(`\[]){_ASIDE}){_PAIR}"""),
        _hide_likely,
    ),
    Kind(
        "a pair before a host",
        ("@",),
        Late(r"@(?<=[^\s/]@)(?!sha256)(?=[A-Za-z][\w-]{0,62}+(?![.@]))"),
        "<credentials>@",
        before=Late(r"""[^\s:@/"'`<>=()]{3,64}+:[\w-]{1,31}+(?<=[A-Za-z])(?![\w./:@<-])"""),
    ),
)
