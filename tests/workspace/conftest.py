"""A running workspace, and a small Bolt app that echoes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

from bot.workspace.person import Person, wait_until
from bot.workspace.server import Workspace


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(clock_factor=600, ack_seconds=1.0)
    with made.run_in_thread():
        yield made


@pytest.fixture
def maya(workspace: Workspace) -> Person:
    return workspace.human("maya")


@pytest.fixture
def client(workspace: Workspace) -> WebClient:
    return WebClient(token="xoxb-local", base_url=workspace.api_url, retry_handlers=[])


def an_echo_app(workspace: Workspace) -> App:
    """Return a Bolt app that says what it heard, in the thread."""
    client = WebClient(token="xoxb-local", base_url=workspace.api_url)
    app = App(client=client, signing_secret="local-signing-secret")

    @app.event("message")
    def on_message(event, say):
        if "text" in event and not event.get("subtype"):
            say(text=f"message: {event['text']}", thread_ts=event["ts"])

    @app.event("app_mention")
    def on_mention(event, say):
        say(text=f"mention: {event['text']}", thread_ts=event["ts"])

    @app.command("/echo")
    def on_command(ack, command):
        ack(f"command: {command['text']}")

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
        ack(response_action="errors", errors={"model": "unknown model"}) if typed == "nonsense" else ack()

    @app.options("gpu")
    def on_options(ack, payload):
        ack(options=[an_option(f"{payload['value']}-80GB")])

    @app.shortcut("diagnose")
    def on_shortcut(ack, shortcut, client):
        ack()
        where = shortcut["channel"]["id"]
        client.chat_postMessage(channel=where, thread_ts=shortcut["message_ts"], text="diagnosed")

    return app


def an_option(label: str) -> dict:
    return {"text": {"type": "plain_text", "text": label}, "value": label}


def a_button(action_id: str, value: str = "yes", text: str = "Press") -> dict:
    return {"type": "button", "action_id": action_id, "value": value, "text": {"type": "plain_text", "text": text}}


def a_modal(**fields) -> dict:
    label = {"type": "plain_text", "text": "Model"}
    element = {"type": "plain_text_input", "action_id": "name"}
    blocks = [{"type": "input", "block_id": "model", "label": label, "element": element}]
    title, submit = {"type": "plain_text", "text": "Size"}, {"type": "plain_text", "text": "Go"}
    return {"type": "modal", "callback_id": "size", "title": title, "submit": submit, "blocks": blocks, **fields}


@pytest.fixture
def echo(workspace: Workspace) -> Iterator[App]:
    app = an_echo_app(workspace)
    handler = SocketModeHandler(app, "xapp-local", trace_enabled=False)
    handler.client.auto_reconnect_enabled = True
    handler.connect()
    wait_until(lambda: workspace.stage.hub.sockets)
    yield app
    handler.close()
