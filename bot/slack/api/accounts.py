"""Who we are in each workspace that installed us: its token, renewed before it expires, and our bot user there."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.authorize import Authorize
from slack_sdk import WebClient
from slack_sdk.oauth.installation_store import Installation, InstallationStore
from slack_sdk.oauth.state_store import OAuthStateStore
from slack_sdk.oauth.token_rotation import TokenRotator

from bot.journal.installations import (
    Granted,
    add_state,
    installation,
    refresh,
    save_installation,
    use_state,
)
from bot.journal.open import Journal
from bot.settings import Settings
from bot.slack.api.client import client
from bot.slack.desk import now

_RENEW_BEFORE = timedelta(hours=2)
_STATE_LASTS = timedelta(minutes=10)


class NotInstalledError(Exception):
    """We are not, or no longer, installed in a workspace."""


@dataclass(frozen=True)
class Accounts:
    """The workspaces that installed us; called with one, it returns our client and bot user there."""

    settings: Settings
    journal: Journal
    clock: Callable[[], datetime] = now

    def __call__(self, workspace: str) -> tuple[WebClient, str]:
        """Return our client in a workspace, and the id of our bot user.

        Raises:
            NotInstalledError: It never installed us, or took us off again.
        """
        granted = self.granted(workspace)
        return client(self.settings, granted["bot_token"]), str(granted["bot_user_id"])

    def granted(self, workspace: str) -> Granted:
        """Return what a workspace granted us, with a token that lasts.

        Raises:
            NotInstalledError: It never installed us, or took us off again.
        """
        found = installation(self.journal, workspace)
        soon = self.clock() + _RENEW_BEFORE
        if found and found[1] and found[1] < soon:
            refresh(self.journal, workspace, soon, self._renew)
            found = installation(self.journal, workspace)
        if found is None:
            raise NotInstalledError(f"The app is not installed in {workspace}.")
        return found[0]

    def _renew(self, granted: Granted) -> tuple[Granted, datetime | None] | None:
        rotator = TokenRotator(
            client_id=str(self.settings.slack_client_id),
            client_secret=_secret(self.settings),
            client=client(self.settings, None),
        )
        minutes = int(_RENEW_BEFORE.total_seconds() // 60)
        renewed = rotator.perform_token_rotation(
            installation=Installation(**granted), minutes_before_expiration=minutes
        )
        return (renewed.to_dict_for_copying(), expiry(renewed)) if renewed else None


def _secret(settings: Settings) -> str:
    return settings.slack_client_secret.get_secret_value() if settings.slack_client_secret else ""


def expiry(made: Installation) -> datetime | None:
    """Return when a bot's token expires, where it does."""
    return datetime.fromtimestamp(made.bot_token_expires_at, UTC) if made.bot_token_expires_at else None


class Store(InstallationStore):
    """Where Bolt's install pages put what Slack grants."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def save(self, installation: Installation) -> None:
        """Write down what a workspace, or an organisation for all of its, granted."""
        whole = installation.enterprise_id if installation.is_enterprise_install else installation.team_id
        granted = installation.to_dict_for_copying()
        save_installation(self._journal, str(whole), granted, now(), expiry(installation))


class States(OAuthStateStore):
    """What a browser takes to Slack and must bring back, once."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def issue(self, *_: Any, **__: Any) -> str:
        """Return a new state."""
        state = secrets.token_urlsafe(32)
        add_state(self._journal, state, now() + _STATE_LASTS)
        return state

    def consume(self, state: str) -> bool:
        """Use a state up."""
        return use_state(self._journal, state, now())


class Identify(Authorize):
    """Tells Bolt in whose name a delivery is answered; one for a workspace that left is answered in nobody's."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    def __call__(self, *, enterprise_id: str | None, team_id: str | None, **_: Any) -> AuthorizeResult | None:
        """Return our account in a workspace, or in its organisation."""
        for name in (team_id, enterprise_id):
            try:
                granted = self._accounts.granted(name) if name else None
            except NotInstalledError:
                continue
            if granted:
                return _result(granted, enterprise_id, team_id)
        return None


def _result(granted: Granted, enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
    return AuthorizeResult(
        enterprise_id=enterprise_id,
        team_id=team_id,
        bot_token=granted["bot_token"],
        bot_user_id=granted["bot_user_id"],
        bot_id=granted["bot_id"],
    )
