"""Makers of what an app sends, and a small Bolt app that echoes."""

from __future__ import annotations

from typing import Any

from slack_bolt import App
from slack_sdk import WebClient

from bot.workspace.server import Workspace

Json = dict[str, Any]


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def an_option(label: str) -> Json:
    return {"text": plain(label), "value": label}


def a_button(action_id: str = "open", value: str = "yes", **fields: object) -> Json:
    return {"type": "button", "action_id": action_id, "value": value, "text": plain("Press"), **fields}


def a_section(text: str = "hello", **fields: object) -> Json:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}, **fields}


def an_input(block_id: str = "model", element: Json | None = None, **fields: object) -> Json:
    element = element or {"type": "plain_text_input", "action_id": "name"}
    return {"type": "input", "block_id": block_id, "label": plain("Model"), "element": element, **fields}


def a_modal(**fields: object) -> Json:
    shown = {"title": plain("Size"), "submit": plain("Go"), "blocks": [an_input()]}
    return {"type": "modal", "callback_id": "size", **shown, **fields}


def an_echo_app(workspace: Workspace, heard: list[Json] | None = None, **settings: object) -> App:
    """Return a Bolt app that says what it heard, in the thread; `heard` collects every request body."""
    client = WebClient(token="xoxb-local", base_url=workspace.api_url)
    app = App(client=client, signing_secret="local-signing-secret", **settings)
    seen = heard if heard is not None else []

    @app.middleware
    def remember(req, next):  # noqa: A002 - Bolt names it so
        seen.append({"body": req.body, "headers": req.headers})
        next()

    _listen(app)
    _interact(app)
    return app


def _listen(app: App) -> None:
    @app.event("message")
    def on_message(event, say):
        if not event.get("subtype") and not event.get("bot_id"):
            say(text=f"message: {event['text']}", thread_ts=event["ts"])

    @app.event("app_mention")
    def on_mention(event, say):
        say(text=f"mention: {event['text']}", thread_ts=event["ts"])

    @app.event("member_joined_channel")
    @app.event("app_home_opened")
    def on_others():
        pass

    @app.command("/echo")
    def on_command(ack, command):
        ack(f"command: {command['text']}")


def _interact(app: App) -> None:
    @app.action("inner")
    def on_inner(ack, say):
        ack()
        say(text="pressed inside")

    @app.action("open")
    def on_open(ack, body, client):
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=a_modal())

    @app.action("ask")
    def on_ask(ack, respond, action):
        ack()
        respond(text=f"pressed {action['value']}")

    @app.view("size")
    def on_submit(ack, view):
        typed = view["state"]["values"]["model"]["name"]["value"]
        if typed == "nonsense":
            ack(response_action="errors", errors={"model": "unknown model"})
        else:
            ack()

    @app.options("gpu")
    def on_options(ack, payload):
        ack(options=[an_option(f"{payload['value']}-80GB")])

    @app.shortcut("diagnose")
    def on_shortcut(ack, shortcut, client):
        ack()
        where, thread = shortcut["channel"]["id"], shortcut["message_ts"]
        client.chat_postMessage(channel=where, thread_ts=thread, text="diagnosed")
