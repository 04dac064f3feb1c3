from __future__ import annotations

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.workspace.makers import a_section


def refused(work, **arguments):
    with pytest.raises(SlackApiError) as caught:
        work(**arguments)
    return caught.value.response["error"]


def test_a_reply_is_in_the_thread_and_not_in_the_history(client, maya):
    root = maya.post("#vllm-help", "help")["ts"]
    reply = client.chat_postMessage(channel="vllm-help", thread_ts=root, text="here")["ts"]

    history = client.conversations_history(channel="vllm-help")["messages"]
    thread = client.conversations_replies(channel="vllm-help", ts=root)["messages"]
    assert [root] == [each["ts"] for each in history]
    assert (1, reply) == (history[0]["reply_count"], history[0]["latest_reply"])
    assert [root, reply] == [each["ts"] for each in thread]


def test_a_reply_to_a_reply_joins_the_same_thread(client, maya):
    root = maya.post("#vllm-help", "help")["ts"]
    reply = client.chat_postMessage(channel="vllm-help", thread_ts=root, text="one")["ts"]

    second = client.chat_postMessage(channel="vllm-help", thread_ts=reply, text="two")

    assert root == second["message"]["thread_ts"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"channel": "nowhere", "text": "x"}, "channel_not_found"),
        ({"channel": "inference-oncall", "text": "x"}, "channel_not_found"),
        ({"channel": "vllm-help"}, "no_text"),
        ({"channel": "vllm-help", "text": "x", "thread_ts": "1.000001"}, "thread_not_found"),
        ({"channel": "vllm-help", "blocks": [{"type": "nonsense"}]}, "invalid_blocks"),
        ({"channel": "vllm-help", "blocks": [a_section("x" * 2900) for _ in range(5)]}, "msg_blocks_too_long"),
        ({"channel": "vllm-help", "text": "x", "metadata": {"event_type": "x"}}, "invalid_metadata_format"),
    ],
)
def test_a_bad_message_is_refused_with_slacks_code(client, arguments, error):
    assert error == refused(client.api_call, api_method="chat.postMessage", json=arguments)


def test_a_channel_without_the_app_needs_the_public_scope(client, maya):
    maya.do("scopes", without=["chat:write.public"])

    assert "not_in_channel" == refused(client.chat_postMessage, channel="general", text="x")


def test_an_archived_channel_takes_no_message(client, maya):
    maya.do("archive", channel="#vllm-help")

    assert "is_archived" == refused(client.chat_postMessage, channel="vllm-help", text="x")


def test_a_very_long_text_is_cut_with_a_warning(client):
    sent = client.chat_postMessage(channel="vllm-help", text="x" * 50_000)

    assert ("message_truncated", 40_000) == (sent["warning"], len(sent["message"]["text"]))


def test_an_update_takes_four_thousand_characters(client):
    sent = client.chat_postMessage(channel="vllm-help", text="x")

    assert "msg_too_long" == refused(client.chat_update, channel=sent["channel"], ts=sent["ts"], text="x" * 4001)


def test_an_update_of_the_text_keeps_the_blocks(client):
    sent = client.chat_postMessage(channel="vllm-help", text="x", blocks=[a_section("kept")])
    changed = client.chat_update(channel=sent["channel"], ts=sent["ts"], text="y")

    assert ("y", "kept") == (changed["text"], changed["message"]["blocks"][0]["text"]["text"])


def test_an_update_with_no_blocks_takes_them_away(client):
    sent = client.chat_postMessage(channel="vllm-help", text="x", blocks=[a_section("gone")])
    changed = client.chat_update(channel=sent["channel"], ts=sent["ts"], text="y", blocks=[])

    assert [] == changed["message"]["blocks"]


def test_somebody_elses_message_cannot_be_updated(client, maya):
    sent = maya.post("#vllm-help", "mine")

    assert "cant_update_message" == refused(client.chat_update, channel=sent["channel"], ts=sent["ts"], text="x")


def test_an_ephemeral_message_is_in_no_history_and_cannot_be_updated(client, maya):
    user = client.users_list()["members"][0]["id"]
    sent = client.chat_postEphemeral(channel="vllm-help", user=user, text="psst")

    assert [] == client.conversations_history(channel="vllm-help")["messages"]
    assert "message_not_found" == refused(client.chat_update, channel="vllm-help", ts=sent["message_ts"], text="x")


def test_metadata_comes_back_only_when_asked_for(client):
    metadata = {"event_type": "reply", "event_payload": {"case": "7"}}
    channel = client.chat_postMessage(channel="vllm-help", text="x", metadata=metadata)["channel"]

    quiet = client.conversations_history(channel=channel)["messages"][0]
    full = client.conversations_history(channel=channel, include_all_metadata=True)["messages"][0]
    assert "metadata" not in quiet
    assert metadata == full["metadata"]


def test_a_deleted_parent_leaves_a_tombstone(client, maya):
    root = maya.post("#vllm-help", "help")["ts"]
    client.chat_postMessage(channel="vllm-help", thread_ts=root, text="here")
    maya.do("delete", channel="#vllm-help", ts=root)

    assert "tombstone" == client.conversations_replies(channel="vllm-help", ts=root)["messages"][0]["subtype"]


def test_a_deleted_message_without_replies_is_gone(client, maya):
    root = maya.post("#vllm-help", "help")["ts"]
    maya.do("delete", channel="#vllm-help", ts=root)

    assert "thread_not_found" == refused(client.conversations_replies, channel="vllm-help", ts=root)


def test_a_reaction_counts_once(client, maya):
    sent = maya.post("#vllm-help", "help")
    where = {"channel": sent["channel"], "timestamp": sent["ts"], "name": "eyes"}
    client.reactions_add(**where)

    assert "already_reacted" == refused(client.reactions_add, **where)
    assert 1 == client.reactions_get(channel=sent["channel"], timestamp=sent["ts"])["message"]["reactions"][0]["count"]


def test_history_comes_in_pages(client, maya):
    for number in range(5):
        maya.post("#vllm-help", str(number))

    pages = client.conversations_history(channel="vllm-help", limit=2)

    assert [["4", "3"], ["2", "1"], ["0"]] == [[each["text"] for each in page["messages"]] for page in pages]


def test_a_permalink_leads_to_the_message(client, maya):
    sent = maya.post("#vllm-help", "help")

    link = client.chat_getPermalink(channel=sent["channel"], message_ts=sent["ts"])["permalink"]

    assert link.endswith(f"/archives/{sent['channel']}/p{sent['ts'].replace('.', '')}")


def test_a_stream_grows_and_then_is_closed(client, maya, workspace):
    root = maya.post("#vllm-help", "help")["ts"]
    user = maya.messages("#vllm-help")[0]["user"]
    team = next(iter(workspace.rig.world.teams))
    ids = {"recipient_user_id": user, "recipient_team_id": team}
    started = client.chat_startStream(channel="vllm-help", thread_ts=root, markdown_text="one ", **ids)
    where = {"channel": started["channel"], "ts": started["ts"]}
    client.chat_appendStream(**where, markdown_text="two")
    client.chat_stopStream(**where)

    assert "one two" == maya.replies("#vllm-help", root)[0]["text"]
    assert "message_not_in_streaming_state" == refused(client.chat_appendStream, **where, markdown_text="x")


def test_a_status_goes_away_with_the_reply(client, maya):
    root = maya.post("#vllm-help", "help")
    client.assistant_threads_setStatus(channel_id=root["channel"], thread_ts=root["ts"], status="is reading")
    before = maya.do("messages", channel="#vllm-help")["statuses"]
    client.chat_postMessage(channel="vllm-help", thread_ts=root["ts"], text="done")

    assert "is reading" == before[root["ts"]]["status"]
    assert {} == maya.do("messages", channel="#vllm-help")["statuses"]


def test_a_scheduled_message_comes_when_its_time_has_come(client, maya, workspace):
    from bot.workspace.person import wait_until

    at = int(workspace.rig.clock.now()) + 100
    client.chat_scheduleMessage(channel="vllm-help", post_at=at, text="later")

    assert "later" == wait_until(lambda: maya.messages("#vllm-help"))[0]["text"]


def test_an_uploaded_file_is_shared_and_can_be_read(client, workspace):
    channel = client.conversations_list()["channels"][1]["id"]
    made = client.files_upload_v2(channel=channel, filename="figures.csv", content="a,b\n1,2\n", title="Figures")

    shared = client.conversations_history(channel=channel)["messages"][0]["files"][0]
    assert ("Figures", "a,b\n1,2\n") == (made["file"]["title"], read(shared["url_private_download"], "xoxb-local"))


def test_a_snippet_shows_only_its_beginning(client, maya):
    maya.upload("#vllm-help", "\n".join(str(number) for number in range(40)), name="vllm.log")

    shared = client.conversations_history(channel="vllm-help")["messages"][0]
    assert "file_share" == shared["subtype"]
    assert ("snippet", 40, 34) == tuple(shared["files"][0][name] for name in ("mode", "lines", "lines_more"))


@pytest.mark.parametrize("token", ["xoxb-other", "", "xoxb-stranger"])
def test_a_file_is_a_login_page_for_whoever_may_not_read_it(client, maya, token):
    maya.upload("#vllm-help", "secret", name="vllm.log")
    url = client.conversations_history(channel="vllm-help")["messages"][0]["files"][0]["url_private"]

    assert read(url, token).startswith("<!DOCTYPE html>")


def test_a_broken_download_is_a_login_page_too(client, maya):
    maya.upload("#vllm-help", "log", name="vllm.log")
    url = client.conversations_history(channel="vllm-help")["messages"][0]["files"][0]["url_private"]
    maya.do("fault", kind="html_file", on="download")

    assert read(url, "xoxb-local").startswith("<!DOCTYPE html>")
    assert "log" == read(url, "xoxb-local")


def read(url: str, token: str) -> str:
    from urllib.request import Request, urlopen

    with urlopen(Request(url, headers={"Authorization": f"Bearer {token}"})) as response:
        return response.read().decode()


def test_a_client_of_another_team_cannot_post_here(workspace, client):
    other = WebClient(token="xoxb-other", base_url=workspace.api_url)
    channel = client.conversations_list()["channels"][0]["id"]

    assert "channel_not_found" == refused(other.chat_postMessage, channel=channel, text="x")
