"""Where an incident's thread is: as Slack says, or where Slack is not asked."""

from __future__ import annotations

from slack_sdk import WebClient

from bot.incident import Incident
from bot.slack.saying.delivery import NotNowError, RefusedError, call


def permalink(client: WebClient, incident: Incident) -> str | None:
    """Return the address of an incident's thread, or None when Slack gives none."""
    thread = incident.thread
    try:
        return str(call(lambda: client.chat_getPermalink(channel=thread.channel, message_ts=thread.root))["permalink"])
    except (RefusedError, NotNowError):
        return None


def redirect(incident: Incident) -> str:
    """Return an address that opens the channel in whatever workspace the reader is signed in to."""
    thread = incident.thread
    return f"https://slack.com/app_redirect?team={thread.workspace}&channel={thread.channel}&message_ts={thread.root}"
