"""The workspaces that installed the app, each with a client for it or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterator

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.journal.installations import installed
from bot.journal.open import Journal, connect
from bot.journal.refusals import AddressError, sentence
from bot.journal.sealing import Seal, SealError
from bot.settings import Settings
from bot.slack.api.accounts import Accounts


def clients(settings: Settings) -> Iterator[tuple[str, WebClient | str]]:
    """Yield every workspace with its client, or with a sentence; nothing where the journal cannot be read.

    What keeps the journal from being read is a finding of its own.
    """
    key = settings.vllm_triage_encryption_key
    try:
        journal = Journal(connect(settings.database_url), Seal(key.get_secret_value()) if key else None)
    except (AddressError, SealError):
        return
    try:
        for workspace in _installed(journal):
            yield workspace, _client(settings, journal, workspace)
    finally:
        journal.close()


def _installed(journal: Journal) -> tuple[str, ...]:
    try:
        return installed(journal)
    except Exception as error:
        if sentence(error) is None:
            raise
        return ()


def _client(settings: Settings, journal: Journal, workspace: str) -> WebClient | str:
    try:
        return Accounts(settings, journal)(workspace)[0]
    except SealError as error:
        return str(error)
    except SlackApiError as error:
        return f"its token expired and cannot be renewed ({error.response.get('error')}): let an admin install us again"
    except OSError as error:
        return f"its token expired, and Slack cannot be reached to renew it ({error})"
