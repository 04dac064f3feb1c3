"""A Bolt app over signed HTTP."""

from __future__ import annotations

import threading
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from slack_bolt.adapter.wsgi import SlackRequestHandler

from bot.workspace.http_carrier import signature
from bot.workspace.person import wait_until
from tests.workspace.makers import a_button, a_section, an_echo_app


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def heard():
    return []


@pytest.fixture
def address(workspace, heard):
    app = SlackRequestHandler(an_echo_app(workspace, heard), path="/slack/events")
    server = make_server("127.0.0.1", 0, app, handler_class=QuietHandler)
    thread = threading.Thread(target=lambda: server.serve_forever(0.02), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/slack/events"
    server.shutdown()
    server.server_close()


def test_the_signature_is_slacks_own_example():
    body = (
        "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
        "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
        "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
        "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
    )

    made = signature("8f742231b10e8888abcd99yyyzzz85a5", "1531420618", body)

    assert "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503" == made


def test_a_request_url_that_answers_the_challenge_is_verified(maya, address):
    assert maya.do("request_url", url=address, verify=True)["verified"]


def test_a_signed_event_reaches_the_app(maya, address):
    maya.do("request_url", url=address)
    sent = maya.post("#vllm-help", "over HTTP")

    assert "message: over HTTP" == maya.wait_for_reply("#vllm-help", sent["ts"])["text"]


def test_commands_and_buttons_travel_as_forms(maya, address, client):
    maya.do("request_url", url=address)
    ts = client.chat_postMessage(channel="vllm-help", text="x", blocks=[a_section(accessory=a_button("open"))])["ts"]

    assert maya.slash("#vllm-help", "/echo", "hello")["ok"]
    assert maya.click("#vllm-help", ts, "open")["ok"]
    assert "size" == wait_until(maya.views)[0]["callback_id"]


def test_an_event_that_is_refused_is_tried_four_times(maya, address, workspace):
    workspace.rig.app.signing_secret = "another"
    maya.do("request_url", url=address)
    maya.post("#vllm-help", "badly signed")

    maya.do("settle")
    tried = [each for each in maya.do("deliveries")["deliveries"] if each["type"] == "message"]
    assert [0, 1, 2, 3] == [each["attempt"] for each in tried]
    assert {"http_error"} == {each["reason"] for each in tried}


def test_a_dead_address_is_a_failed_connection_and_a_timeout_for_the_person(maya, client):
    maya.do("request_url", url="http://127.0.0.1:9/slack/events")

    assert "operation_timeout" == maya.slash("#vllm-help", "/echo")["error"]


def test_a_redelivered_event_says_which_attempt_it_is(maya, address, heard):
    maya.do("request_url", url=address)
    sent = maya.post("#vllm-help", "twice")
    maya.wait_for_reply("#vllm-help", sent["ts"])

    maya.do("redeliver", type="message", number=2)

    wait_until(lambda: [each for each in heard if each["headers"].get("x-slack-retry-num") == ["2"]])
