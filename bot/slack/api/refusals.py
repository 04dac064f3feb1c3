"""Why the app cannot begin, in a sentence that tells the operator what to do."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from slack_bolt.error import BoltError
from slack_sdk.errors import SlackApiError

from bot.journal.sealing import SealError
from bot.journal.sole import InUseError

_TOKENS = frozenset({"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"})


class CannotServeError(Exception):
    """The app cannot begin; the message is for the operator."""


@contextmanager
def in_words(address: str) -> Generator[None]:
    """Turn what Slack and the network refuse into sentences; `address` is the Web API's.

    Raises:
        CannotServeError: Slack does not take a token, or Slack or our own port is out of reach.
    """
    try:
        yield
    except SlackApiError as error:
        code = str(error.response.get("error"))
        raise CannotServeError(_sentence(code, str(error.response.get("needed") or ""))) from error
    except BoltError as error:  # Bolt puts Slack's code into its own sentence
        code = next((code for code in _TOKENS if code in str(error)), str(error))
        raise CannotServeError(_sentence(code)) from error
    except (InUseError, SealError) as error:
        raise CannotServeError(str(error)) from error
    except OSError as error:
        raise CannotServeError(f"Slack at {address}, or our own port, is out of reach: {error}") from error


def _sentence(code: str, scope: str = "") -> str:
    if code in _TOKENS:
        return (
            f"Slack does not take a token ({code}). SLACK_BOT_TOKEN begins with xoxb-, SLACK_APP_TOKEN with xapp-; "
            "get them anew at https://api.slack.com/apps → your app."
        )
    return f"Slack refused: {code} {scope}".rstrip()
