"""The message shortcut "Diagnose this": the message counts as if it had called us."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.case import Entry, EntryKind
from bot.consult import ask
from bot.hub.look_up import recall
from bot.reply.block_kit import render
from bot.reply.compose import compose
from bot.slack.api.markup import escape
from bot.slack.desk import Desk, moment
from bot.slack.hearing.unmangle import unmangle
from bot.slack.listeners.messages import take_words, thread_of, workspace_of
from bot.slack.listeners.once import once
from bot.slack.operating.manifest import SHORTCUT
from bot.slack.saying.telling import answer, person_of
from bot.slack.saying.words import INVITE_ME


def register(app: App, desk: Desk) -> None:
    """Listen to the shortcut."""
    whisper = once(desk, _whisper)

    @app.shortcut(SHORTCUT)
    def _diagnose(ack: Ack, body: dict[str, Any], client: WebClient, respond: Respond) -> None:
        is_member = is_inside(client, str((body.get("channel") or {}).get("id")))
        if is_member:
            take_shortcut(desk, body)
        ack()
        if not is_member:
            whisper(body, client, respond)


def is_inside(client: WebClient, channel: str) -> bool:
    """Say whether we may speak in a channel; when Slack does not tell, we try."""
    try:
        return bool(client.conversations_info(channel=channel).get("channel", {}).get("is_member", True))
    except SlackApiError as error:
        return error.response.get("error") != "channel_not_found"


def _whisper(body: dict[str, Any], _: WebClient, respond: Respond) -> bool:
    return answer(respond, **whispered(body))


def whispered(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what we make of a message where we may not speak, for the person who asked alone."""
    document = compose(ask(unmangle(body.get("message") or {}), None, recall))
    told = {"type": "context", "elements": [{"type": "mrkdwn", "text": INVITE_ME}]}
    return {
        "text": f"{escape(document.summary)} {INVITE_ME}",
        "blocks": [*render(document, asks=False, attaches=False), told],
    }


def take_shortcut(desk: Desk, body: Mapping[str, Any]) -> None:
    """Take the message, whoever wrote it, and that somebody asked about it."""
    channel = str((body.get("channel") or {}).get("id"))
    message: dict[str, Any] = {**(body.get("message") or {}), "channel": channel}
    workspace = workspace_of(body)
    desk = desk.at(workspace)
    take_words(desk, workspace, message, [])
    stamp, person = str(message.get("ts")), person_of(body)
    entry = Entry(kind=EntryKind.MENTIONED, at=moment(body.get("action_ts")), author=person, message=stamp)
    desk.take(thread_of(workspace, message), entry, [f"shortcut:{channel}:{stamp}:{body.get('action_ts')}"])
