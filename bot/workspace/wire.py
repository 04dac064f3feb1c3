"""What every part of the stand-in says on the wire: JSON objects, Slack's errors, identifiers."""

from __future__ import annotations

import hashlib
import json
import secrets
import string
from typing import Any

Json = dict[str, Any]

_LETTERS = string.ascii_uppercase + string.digits


class ApiError(Exception):
    """A Web API method refused its arguments, with Slack's own error code."""

    def __init__(self, code: str, *messages: str, **more: Any) -> None:
        super().__init__(code)
        self.code = code
        self.messages = messages
        self.more = more

    def answer(self) -> Json:
        """Return the JSON body that Slack sends for this refusal."""
        body: Json = {"ok": False, "error": self.code, **self.more}
        if self.messages:
            body["response_metadata"] = {"messages": list(self.messages)}
        return body


def fresh_id(prefix: str, length: int = 10) -> str:
    """Return a new opaque identifier such as `C07QX2M1ZK9`."""
    return prefix + "".join(secrets.choice(_LETTERS) for _ in range(length))


def steady_id(prefix: str, *names: str, length: int = 10) -> str:
    """Return the identifier of what bears these names: the same each time, so that a kept journal still fits."""
    number = int.from_bytes(hashlib.sha256("/".join((prefix, *names)).encode()).digest(), "big")
    letters = (_LETTERS[number // len(_LETTERS) ** place % len(_LETTERS)] for place in range(length))
    return prefix + "".join(letters)


def escaped(text: str) -> str:
    """Return the text with the three characters that Slack escapes."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def read_object(text: bytes) -> Json:
    """Return the JSON object in a request's body, or an empty one."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
