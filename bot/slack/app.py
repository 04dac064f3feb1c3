"""The Bolt app: every listener registered, nothing retried on the way to an acknowledgement."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from slack_bolt import App
from slack_bolt.oauth.oauth_flow import OAuthFlow
from slack_bolt.oauth.oauth_settings import OAuthSettings

from bot.journal.open import Journal
from bot.settings import Settings
from bot.slack.api.accounts import Accounts, Identify, States, Store
from bot.slack.api.client import client
from bot.slack.api.measured import MeasuredApp
from bot.slack.desk import Desk
from bot.slack.listeners import (
    actions,
    commands,
    details,
    feedback,
    home,
    joins,
    leaving,
    messages,
    offers,
    options,
    reactions,
    shortcuts,
    sizes,
    solved,
    teams,
)
from bot.slack.operating.manifest import SCOPES

LISTENERS = 32  # Bolt's own five let a click time out behind a few slow listeners
# The first listener that matches an action takes it, so the particular ones come before the general.
_ROOMS = (
    messages,
    reactions,
    joins,
    leaving,
    shortcuts,
    commands,
    options,
    home,
    teams,
    feedback,
    solved,
    sizes,
    offers,
    details,
    actions,
)


def build(settings: Settings, journal: Journal) -> tuple[App, Desk]:
    """Return the app and the desk that its worker answers from.

    Raises:
        slack_sdk.errors.SlackApiError: Slack does not know the token.
    """
    desk = build_desk(settings, journal)
    secret = settings.slack_signing_secret.get_secret_value() if settings.slack_signing_secret else None
    app = MeasuredApp(
        client=client(settings, _token(settings)),
        signing_secret=secret or "socket-mode-signs-nothing",
        # Acknowledge only what is written down: with Bolt's default a crash after the ack loses the event.
        process_before_response=True,
        listener_executor=ThreadPoolExecutor(LISTENERS, thread_name_prefix="listener"),
        **(_for_many(settings, journal, desk.accounts) if desk.accounts else {}),
    )
    for room in _ROOMS:
        room.register(app, desk)
    return app, desk


def build_desk(settings: Settings, journal: Journal) -> Desk:
    """Return the desk alone, for a process that takes nothing in.

    Raises:
        slack_sdk.errors.SlackApiError: Slack does not know the token.
    """
    if settings.has_many_workspaces:
        nobody = client(settings, None)
        return Desk(
            journal=journal, client=nobody, bot_user="", leads=settings.leads, accounts=Accounts(settings, journal)
        )
    ours = client(settings, _token(settings))
    us = str(ours.auth_test().get("user_id") or "")
    return Desk(journal=journal, client=ours, bot_user=us, leads=settings.leads)


def _token(settings: Settings) -> str | None:
    if settings.has_many_workspaces or not settings.slack_bot_token:
        return None
    return settings.slack_bot_token.get_secret_value()


def _for_many(settings: Settings, journal: Journal, accounts: Any) -> dict[str, Any]:
    """Return what Bolt needs to let workspaces install us, at /slack/install."""
    secret = settings.slack_client_secret.get_secret_value() if settings.slack_client_secret else ""
    oauth = OAuthSettings(
        client_id=str(settings.slack_client_id),
        client_secret=secret,
        scopes=sorted(SCOPES),
        installation_store=Store(journal),
        state_store=States(journal),
    )
    flow = OAuthFlow(client=client(settings, None), settings=oauth)
    return {"oauth_flow": flow, "authorize": Identify(accounts)}
