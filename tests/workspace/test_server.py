"""The whole stand-in as a Bolt app meets it over Socket Mode; one app serves the file, for it takes long to close."""

from __future__ import annotations

import pytest
from slack_bolt.adapter.socket_mode import SocketModeHandler

from bot.workspace.person import wait_until
from bot.workspace.server import Workspace
from bot.workspace.wire import ApiError
from tests.workspace.makers import a_button, a_section, an_echo_app


@pytest.fixture(scope="module")
def heard():
    return []


@pytest.fixture(scope="module")
def workspace(heard):
    made = Workspace(clock_factor=2000, ack_seconds=30)
    with made.run_in_thread():
        handler = SocketModeHandler(an_echo_app(made, heard), "xapp-local")
        handler.connect()
        wait_until(lambda: made.stage.hub.sockets)
        yield made
        handler.close()


def test_a_message_reaches_the_app_and_its_reply_is_in_the_thread(maya):
    sent = maya.post("#vllm-help", "CUDA out of memory <&>")

    reply = maya.wait_for_reply("#vllm-help", sent["ts"])

    assert "message: CUDA out of memory &lt;&amp;&gt;" == reply["text"]


def test_a_mention_is_delivered_as_a_message_and_as_a_mention(maya, heard):
    sent = maya.post("#vllm-help", "@vllm-triage are you there?")

    wait_until(lambda: len(maya.replies("#vllm-help", sent["ts"])) == 2)
    events = [each["body"]["event"] for each in heard if each["body"].get("event", {}).get("ts") == sent["ts"]]
    assert {"message", "app_mention"} == {event["type"] for event in events}


def test_the_two_deliveries_of_a_mention_have_different_event_ids(maya, heard):
    sent = maya.post("#vllm-help", "@vllm-triage and now?")

    wait_until(lambda: len(maya.replies("#vllm-help", sent["ts"])) == 2)
    bodies = [each["body"] for each in heard if each["body"].get("event", {}).get("ts") == sent["ts"]]
    assert 2 == len({body["event_id"] for body in bodies})


def test_a_message_where_the_app_is_no_member_is_not_sent(maya):
    maya.do("create", name="quiet")
    sent = maya.post("#quiet", "CUDA out of memory")

    events = [each["event"] for each in maya.do("deliveries")["sent"]]
    assert [] == [event for event in events if event.get("ts") == sent["ts"]]


def test_an_edit_is_told_with_both_texts(maya, heard):
    sent = maya.post("#vllm-help", "draft")
    maya.do("edit", channel="#vllm-help", ts=sent["ts"], text="first")

    changes = wait_until(
        lambda: [
            each["body"]["event"] for each in heard if each["body"].get("event", {}).get("subtype") == "message_changed"
        ]
    )
    assert ("first", "draft") == (changes[-1]["message"]["text"], changes[-1]["previous_message"]["text"])


def test_the_acknowledgement_of_a_command_is_shown_to_the_user_alone(maya, workspace):
    maya.slash("#vllm-help", "/echo", "8xH100 & more")

    assert "command: 8xH100 &amp; more" == maya.messages("#vllm-help")[-1]["text"]
    assert "command: 8xH100 &amp; more" not in [
        each["text"] for each in workspace.human("jonas").messages("#vllm-help")
    ]


def test_a_command_is_refused_in_a_thread(maya):
    sent = maya.post("#vllm-help", "hello")

    with pytest.raises(ApiError, match="not_in_threads"):
        maya.do("slash", channel="#vllm-help", command="/echo", thread_ts=sent["ts"])


def test_a_button_opens_a_modal_and_nonsense_is_refused_beside_the_input(maya, client):
    ts = client.chat_postMessage(channel="vllm-help", text="x", blocks=[a_section(accessory=a_button("open"))])["ts"]
    maya.click("#vllm-help", ts, "open")
    wait_until(maya.views)

    maya.do("submit", values={"name": "nonsense"})

    assert {"model": "unknown model"} == maya.views()[0]["errors"]


def test_a_submitted_modal_closes(maya, client):
    ts = client.chat_postMessage(channel="vllm-help", text="x", blocks=[a_section(accessory=a_button("open"))])["ts"]
    maya.click("#vllm-help", ts, "open")
    wait_until(maya.views)

    maya.do("submit", values={"name": "Qwen/Qwen3-8B"})

    assert [] == maya.views()


def test_an_answer_through_the_response_url_is_seen_by_the_user_alone(maya, client, workspace):
    ts = client.chat_postMessage(channel="vllm-help", text="x", blocks=[a_section(accessory=a_button("ask", "8k"))])[
        "ts"
    ]
    maya.click("#vllm-help", ts, "ask")

    said = wait_until(lambda: [each for each in maya.do("ephemerals")["messages"] if each["text"] == "pressed 8k"])
    assert {user.id for user in workspace.rig.world.users.values() if user.name == "maya"} == {said[0]["seen_by"]}


def test_typing_ahead_brings_what_the_app_offers(maya, client):
    select = {"type": "external_select", "action_id": "gpu"}
    block = {"type": "actions", "elements": [select]}
    ts = client.chat_postMessage(channel="vllm-help", text="x", blocks=[block])["ts"]

    offered = maya.do("suggest", channel="#vllm-help", ts=ts, action_id="gpu", query="H100")["options"]

    assert ["H100-80GB"] == [each["value"] for each in offered]


def test_a_message_shortcut_carries_its_message(maya):
    sent = maya.post("#general", "diagnose this please")
    maya.do("invite", channel="#general")
    maya.do("shortcut", channel="#general", ts=sent["ts"], callback_id="diagnose")

    assert "diagnosed" == maya.wait_for_reply("#general", sent["ts"])["text"]


def test_an_unacknowledged_event_comes_again_with_the_same_id_and_retry_headers(maya, heard):
    maya.do("fault", kind="no_ack", on="app_mention")
    sent = maya.post("#vllm-help", "@vllm-triage once more")

    def deliveries():
        events = [(each, each["body"].get("event", {})) for each in heard]
        found = [each for each, event in events if (event.get("ts"), event.get("type")) == (sent["ts"], "app_mention")]
        return found if len(found) == 2 else []

    first, second = wait_until(deliveries)
    assert first["body"]["event_id"] == second["body"]["event_id"]
    assert (["1"], ["timeout"]) == (
        second["headers"]["x-slack-retry-num"],
        second["headers"]["x-slack-retry-reason"],
    )


def test_a_refresh_is_answered_by_a_new_socket(maya, workspace):
    before = list(workspace.stage.hub.sockets)
    maya.do("sockets", farewell="refresh_requested")

    wait_until(lambda: [each for each in workspace.stage.hub.sockets if each not in before])
    sent = maya.post("#vllm-help", "still there?")
    assert "message: still there?" == maya.wait_for_reply("#vllm-help", sent["ts"])["text"]


def test_the_home_tab_is_announced(maya, heard):
    maya.do("open_home")

    opened = wait_until(
        lambda: [
            each["body"]["event"] for each in heard if each["body"].get("event", {}).get("type") == "app_home_opened"
        ]
    )
    assert "home" == opened[0]["tab"]


def test_a_direct_message_is_an_im_message(maya, heard):
    sent = maya.post("@app", "8xH100?")

    maya.wait_for_reply("@app", sent["ts"])
    events = [each["body"]["event"] for each in heard if each["body"].get("event", {}).get("ts") == sent["ts"]]
    assert ["im"] == [event["channel_type"] for event in events]


@pytest.mark.parametrize(
    ("verb", "given"),
    [
        ("event", {}),
        ("event", {"event": {}}),
        ("event", {"event": {"type": 3}}),
        ("event", {"event": {"type": "message"}}),
        ("fault", {}),
        ("clock", {"advance": "soon"}),
    ],
)
def test_a_verb_that_is_given_too_little_says_so(maya, verb, given):
    with pytest.raises(ApiError, match="invalid_arguments"):
        maya.do(verb, **given)
