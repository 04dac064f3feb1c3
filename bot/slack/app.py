"""The Bolt app: every listener registered, nothing retried on the way to an acknowledgement."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from slack_bolt import App

from bot.journal.open import Journal
from bot.settings import Settings
from bot.slack.client import client
from bot.slack.desk import Desk
from bot.slack.listeners import actions, commands, feedback, home, joins, messages, options, reactions, shortcuts, sizes
from bot.slack.measured import MeasuredApp

LISTENERS = 32  # Bolt's own five let a click time out behind a few slow listeners
# The first listener that matches an action takes it, so the particular ones come before the general.
_ROOMS = (messages, reactions, joins, shortcuts, commands, options, home, feedback, sizes, actions)


def build(settings: Settings, journal: Journal) -> tuple[App, Desk]:
    """Return the app and the desk that its worker answers from.

    Raises:
        slack_bolt.error.BoltError: Slack does not know the token.
    """
    token = settings.slack_bot_token.get_secret_value() if settings.slack_bot_token else None
    secret = settings.slack_signing_secret.get_secret_value() if settings.slack_signing_secret else None
    app = MeasuredApp(
        client=client(settings, token),
        signing_secret=secret or "socket-mode-signs-nothing",
        # Acknowledge only what is written down: with Bolt's default a crash after the ack loses the event.
        process_before_response=True,
        listener_executor=ThreadPoolExecutor(LISTENERS, thread_name_prefix="listener"),
    )
    identity = app.client.auth_test()
    desk = Desk(journal=journal, client=client(settings, token), bot_user=str(identity.get("user_id") or ""))
    for room in _ROOMS:
        room.register(app, desk)
    return app, desk
