"""Cookies: what a browser or a program sends again and again, and whoever holds it is let in."""

from __future__ import annotations

import re

from bot.reading.late import Late
from bot.reading.noise.kind import Kind
from bot.reading.noise.placeholders import is_placeholder

_NAMED = r"""[^\s=;,"'<>]{1,80}="""
_PAIR = re.compile(rf"""(?P<name>{_NAMED})(?P<value>"[^"\n]*+"|[^;"'\n]*+)""")
_ITEM = re.compile(r"""(?P<name>[:,][ ]?)(?P<value>"[^"\n]*+"|'[^'\n]*+')""")
_SETTINGS = frozenset(("path", "domain", "expires", "max-age", "samesite", "version", "priority"))


def _hide_pairs(found: re.Match[str]) -> str:
    """Return cookies without their values; where one counts, and for how long, stays."""
    return found["lead"] + _PAIR.sub(_hide_value, found["pairs"])


def _hide_items(found: re.Match[str]) -> str:
    """Return a program's cookies, names and values in quotes, without the values."""
    return found["lead"] + _ITEM.sub(_hide_value, found["pairs"])


def _hide_value(found: re.Match[str]) -> str:
    value = found["value"].strip("\"' ")
    is_told = not value or is_placeholder(value) or found["name"].strip(" =").lower() in _SETTINGS
    return found[0] if is_told else found[0].replace(value, "<token>")


_SIGNS = ("ookie", "OOKIE")
COOKIES = (
    Kind(
        "cookies in a header, or in what a program calls so",
        _SIGNS,
        Late(rf"""(?P<lead>[oO](?i:okies?)["']?[ ]?[:=][ ]?["']?)(?={_NAMED})(?P<pairs>(?:="[^"\n]*+"|[^"'\n])++)"""),
        _hide_pairs,
    ),
    Kind(
        "cookies of curl",
        ("-b ", "--cookie ", "--cookie="),
        Late(
            rf"""(?P<lead>-(?<!\S-)(?:b[ ]|-cookie[ =])(?P<quote>["'])?)(?={_NAMED})(?P<pairs>(?(quote)[^"'\n]|[^\s"'])++)"""
        ),
        _hide_pairs,
    ),
    Kind(
        "cookies that a program sends",
        ("ookies",),
        Late(r"""(?P<lead>ookies(?:["']?[ ]?[=:][ ]?\{|\.set\())(?P<pairs>[^{}()\n]++)"""),
        _hide_items,
    ),
)
