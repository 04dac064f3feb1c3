"""Slack's ids as people copy them: bare, or in the brackets of a mention."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["channel", "person", "user group", "workspace"]
_FORMS: dict[Kind, re.Pattern[str]] = {
    "channel": re.compile(r"<?#?([CGD][A-Z0-9]{1,31})(?:\|[^>]*)?>?"),
    "person": re.compile(r"<?@?([UW][A-Z0-9]{1,31})(?:\|[^>]*)?>?"),
    "user group": re.compile(r"(?:<!subteam\^)?(S[A-Z0-9]{1,31})(?:\|[^>]*)?>?"),
    "workspace": re.compile(r"([ET][A-Z0-9]{1,31})"),
}
_WHERE: dict[Kind, str] = {
    "channel": "C0123…; Slack shows it at the end of the channel's details",
    "person": "U0123…; in Slack it is 'Copy member ID' in the profile's menu",
    "user group": "S0123…; in Slack it is 'Copy group ID' in the group's menu",
    "workspace": "T0123…; it stands in the address of Slack in the browser",
}


def read_id(kind: Kind, text: str) -> str:
    """Return the id that a text names.

    Raises:
        ValueError: It names none of that kind; the sentence says where to find one.

    >>> read_id("channel", "<#C0123|help>"), read_id("person", " U0123 "), read_id("user group", "<!subteam^S0123>")
    ('C0123', 'U0123', 'S0123')
    """
    found = _FORMS[kind].fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text!r} is no id of a {kind} ({_WHERE[kind]})")
    return found[1]
