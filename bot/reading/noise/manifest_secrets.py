"""What a manifest of the kind Secret holds: every value below `data` and `stringData`, whatever it is called."""

from __future__ import annotations

import re

from bot.reading.late import Late
from bot.reading.noise.kind import Kind
from bot.reading.noise.placeholders import is_placeholder

_SECRET = re.compile(r"""kind["']?:[ ]{0,4}["']?Secret\b""")
_NEAR = 2_000  # characters before and behind the values in which a document may tell its kind
_LINE = re.compile(r"""(?P<lead>\n[ \t]+(?:["']?[\w./-]{1,200}+["']?:[ ]*+)?["']?)(?P<value>[^\s"'|>{][^\n"']*+)""")
_ITEM = re.compile(r"""(?P<lead>:[ ]*+")(?P<value>[^"\n]++)""")


def _hide_values(found: re.Match[str]) -> str:
    """Return the values of a secret hidden, each."""
    if "stringData" not in found["lead"] and not _is_of_a_secret(found):
        return found[0]
    lines, items = found["lines"], found["items"]
    return found["lead"] + (_LINE.sub(_hide_value, lines) if items is None else _ITEM.sub(_hide_value, items))


def _hide_value(found: re.Match[str]) -> str:
    return found[0] if is_placeholder(found["value"]) else f"{found['lead']}<secret>"


def _is_of_a_secret(found: re.Match[str]) -> bool:
    text, start, end = found.string, found.start(), found.end()
    before, behind = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    document = before.rpartition("\n---")[2] + "\n" + behind.partition("\n---")[0]
    return _SECRET.search(document) is not None


MANIFEST_SECRETS = (
    Kind(
        "the values of a secret",
        ("stringData", "Secret"),
        Late(
            r"""(?P<lead>(?:stringData|data)(?<![\w.-]data)(?<![\w.-]stringData)["']?:[ ]*+)
                (?:(?P<items>\{[^{}]*+\}) | (?P<lines>\n(?P<margin>[ \t]++)[^\n]*+(?:\n(?P=margin)[^\n]*+)*+))""",
            re.VERBOSE,
        ),
        _hide_values,
    ),
)
