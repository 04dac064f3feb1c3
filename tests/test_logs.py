from __future__ import annotations

import json
import logging

import pytest
from pydantic import BaseModel, ValidationError

from bot.logs import Console, JsonLines, is_told
from bot.slack.saying.delivery import RefusedError


def a_record(
    error: Exception | None = None, message: str = "something", level: int = logging.ERROR, name: str = "bot.x"
) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord(name, level, "x.py", 1, message, (), info)


class Strict(BaseModel):
    number: int


def test_what_quotes_its_input_is_logged_by_name_only() -> None:
    with pytest.raises(ValidationError) as refusal:
        Strict.model_validate({"number": "my paste"})

    line = json.loads(JsonLines().format(a_record(refusal.value)))

    assert "ValidationError" == line["error"]
    assert "my paste" not in str(line)
    assert "test_what_quotes_its_input" in line["frames"][0]


def test_what_slack_said_is_logged() -> None:
    text = Console().format(a_record(RefusedError("restricted_action")))

    assert "RefusedError: restricted_action" in text


def test_secrets_in_a_message_are_taken_off() -> None:
    secret = "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz012345"

    assert secret not in Console().format(a_record(message=f"token {secret}"))


def test_whole_requests_are_not_logged_whatever_the_level() -> None:
    assert not is_told(a_record(level=logging.DEBUG, name="slack_bolt.App"))
    assert is_told(a_record(level=logging.DEBUG, name="bot.slack.answering.worker"))
