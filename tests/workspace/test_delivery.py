"""Events as they leave the workspace; no app listens here, so each is tried and given up quickly."""

from __future__ import annotations

import pytest

from bot.workspace.person import wait_until


def events(maya, kind="message"):
    return [each["event"] for each in maya.do("deliveries")["sent"] if each["event"]["type"] == kind]


def test_a_human_message_has_text_blocks_and_a_client_id(maya):
    sent = maya.post("#vllm-help", "```\nCUDA out of memory\n```")

    (event,) = events(maya)
    assert sent["ts"] == event["ts"] == event["event_ts"]
    assert "channel" == event["channel_type"]
    assert "```CUDA out of memory```" == event["text"]
    assert "rich_text_preformatted" == event["blocks"][0]["elements"][0]["type"]
    assert event["client_msg_id"]
    assert "subtype" not in event


def test_an_envelope_names_the_team_and_whose_bot_is_meant(maya, workspace):
    maya.post("#vllm-help", "x")

    (envelope,) = maya.do("deliveries")["sent"]
    install = workspace.rig.world.installations["xoxb-local"]
    assert ("event_callback", install.team) == (envelope["type"], envelope["team_id"])
    assert install.bot_user == envelope["authorizations"][0]["user_id"]


def test_without_an_app_an_event_is_given_up_after_four_tries(maya):
    maya.post("#vllm-help", "x")
    maya.do("settle")

    assert [0, 1, 2, 3] == [each["attempt"] for each in maya.do("deliveries")["deliveries"]]


def test_an_unfurl_changes_no_text(maya):
    sent = maya.post("#vllm-help", "https://vllm.ai")
    maya.do("unfurl", channel="#vllm-help", ts=sent["ts"])

    change = events(maya)[-1]
    assert "message_changed" == change["subtype"]
    assert change["message"]["text"] == change["previous_message"]["text"]
    assert "edited" not in change["message"]
    assert change["message"]["attachments"]


def test_an_edit_says_who_edited(maya):
    sent = maya.post("#vllm-help", "one")
    maya.do("edit", channel="#vllm-help", ts=sent["ts"], text="two")

    change = events(maya)[-1]
    assert change["message"]["user"] == change["message"]["edited"]["user"]


def test_a_deletion_carries_what_was_there(maya):
    sent = maya.post("#vllm-help", "one")
    maya.do("delete", channel="#vllm-help", ts=sent["ts"])

    change = events(maya)[-1]
    assert ("message_deleted", sent["ts"]) == (change["subtype"], change["deleted_ts"])
    assert "one" == change["previous_message"]["text"]


def test_the_apps_own_message_is_echoed(maya, client):
    client.chat_postMessage(channel="vllm-help", text="mine")

    (event,) = events(maya)
    assert ("mine", True) == (event["text"], "bot_profile" in event)


def test_an_ephemeral_message_is_no_event(maya, client, workspace):
    user = next(each.id for each in workspace.rig.world.users.values() if each.name == "maya")
    client.chat_postEphemeral(channel="vllm-help", user=user, text="psst")

    assert [] == events(maya)


def test_an_invitation_is_told_to_the_one_who_came(maya, workspace):
    maya.do("invite", channel="#general")

    (event,) = events(maya, "member_joined_channel")
    assert workspace.rig.world.installations["xoxb-local"].bot_user == event["user"]
    assert event["inviter"]


@pytest.mark.parametrize("channel", ["#general", "#inference-oncall"])
def test_a_mention_outside_is_heard_with_the_invitation_that_it_leads_to(maya, channel):
    sent = maya.post(channel, "@vllm-triage help")
    assert [] == events(maya, "app_mention")

    maya.do("invite", channel=channel)

    assert [sent["ts"]] == [event["ts"] for event in events(maya, "app_mention")]
    assert [] == events(maya)


def test_a_held_message_comes_after_its_mention(maya):
    maya.do("fault", kind="hold", on="message", seconds=0.1)
    maya.post("#vllm-help", "@vllm-triage help")

    maya.do("settle")
    first = maya.do("deliveries")["deliveries"][0]
    assert "app_mention" == first["type"]


def test_a_duplicate_has_the_same_event_id(maya):
    maya.do("fault", kind="duplicate", on="message")
    maya.post("#vllm-help", "x")
    maya.do("settle")

    tries = maya.do("deliveries")["deliveries"]
    assert 1 == len({each["event_id"] for each in tries})
    assert 2 == [each["attempt"] for each in tries].count(0)


def test_one_gesture_can_make_two_messages(maya):
    for _ in range(2):
        maya.post("#vllm-help", "x", client_msg_id="same")

    first, second = events(maya)
    assert first["client_msg_id"] == second["client_msg_id"]
    assert first["ts"] != second["ts"]


def test_an_alert_comes_from_another_bot(maya):
    maya.do("bot_post", channel="#vllm-help", text="", raw={"attachments": [{"text": "GPU down"}]})

    (event,) = events(maya)
    assert ("bot_message", "GPU down") == (event["subtype"], event["attachments"][0]["text"])


def test_a_reaction_names_its_message(maya):
    sent = maya.post("#vllm-help", "x")
    maya.do("react", channel="#vllm-help", ts=sent["ts"], name="white_check_mark")

    (event,) = events(maya, "reaction_added")
    assert (sent["ts"], "white_check_mark") == (event["item"]["ts"], event["reaction"])


def test_without_its_scope_an_event_is_not_sent(maya):
    maya.do("scopes", without=["channels:history"])
    maya.post("#vllm-help", "x")

    assert [] == events(maya)


def test_another_teams_event_names_that_team(workspace):
    other = workspace.human("maya", team="Other")
    other.post("#vllm-help", "x")

    (envelope,) = wait_until(lambda: other.do("deliveries")["sent"])
    assert workspace.rig.world.installations["xoxb-other"].team == envelope["team_id"]
