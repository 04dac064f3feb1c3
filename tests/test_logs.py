from __future__ import annotations

import json
import logging
import sys

from pydantic import BaseModel

from bot.logs import Console, JsonLines, is_told
from bot.slack.delivery import RefusedError


def a_record(message: str = "something", level: int = logging.ERROR, name: str = "bot.x", error: bool = False):
    return logging.LogRecord(name, level, "x.py", 1, message, (), sys.exc_info() if error else None)


class Strict(BaseModel):
    number: int


def test_what_quotes_its_input_is_logged_by_name_only() -> None:
    try:
        Strict.model_validate({"number": "my paste"})
    except ValueError:
        line = json.loads(JsonLines().format(a_record(error=True)))

    assert "ValidationError" == line["error"]
    assert "my paste" not in str(line)
    assert "test_what_quotes_its_input" in line["frames"][0]


def test_what_slack_said_is_logged() -> None:
    try:
        raise RefusedError("restricted_action")
    except RefusedError:
        text = Console().format(a_record(error=True))

    assert "RefusedError: restricted_action" in text


def test_secrets_in_a_message_are_taken_off() -> None:
    secret = "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz012345"

    assert secret not in Console().format(a_record(f"token {secret}"))


def test_whole_requests_are_not_logged_whatever_the_level() -> None:
    assert not is_told(a_record(level=logging.DEBUG, name="slack_bolt.App"))
    assert is_told(a_record(level=logging.DEBUG, name="bot.slack.worker"))
