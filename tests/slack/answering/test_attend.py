from __future__ import annotations

from pathlib import Path

import pytest

from bot.case import Entry, EntryKind, Thread
from bot.journal.entries import remember
from bot.journal.open import open_journal
from bot.settings import Settings
from bot.slack.answering.attend import attend
from bot.slack.api.client import client
from bot.slack.desk import Desk, moment
from tests.slack.conftest import NO_ROOM, Party, texts, wait_for


def test_a_paste_in_an_enabled_channel_is_answered_in_its_thread(party: Party) -> None:
    channel = party.a_channel()

    ts = party.maya.post(channel, NO_ROOM)["ts"]

    reply = party.maya.wait_for_reply(channel, ts)
    assert ts == reply["thread_ts"]
    assert "KV cache" in reply["text"]


def test_chatter_gets_silence(party: Party) -> None:
    channel = party.a_channel()

    ts = party.maya.post(channel, "thanks, works now")["ts"]

    party.settled()
    assert [] == party.said(channel, ts)


def test_a_channel_that_was_not_enabled_gets_silence(party: Party) -> None:
    channel = party.a_channel(mode=None)

    ts = party.maya.post(channel, NO_ROOM)["ts"]

    party.settled()
    assert [] == party.said(channel, ts)


def test_a_mention_is_answered_anywhere(party: Party) -> None:
    channel = party.a_channel(mode=None)

    ts = party.maya.post(channel, f"@vllm-triage {NO_ROOM}")["ts"]

    assert "KV cache" in party.maya.wait_for_reply(channel, ts)["text"]


def test_a_mention_in_an_enabled_channel_is_answered_once(party: Party) -> None:
    channel = party.a_channel()

    ts = party.maya.post(channel, f"@vllm-triage {NO_ROOM}")["ts"]

    party.maya.wait_for_reply(channel, ts)
    party.settled()
    assert 1 == len(party.said(channel, ts))


def test_a_mention_about_something_else_gets_a_polite_no(party: Party) -> None:
    channel = party.a_channel()

    ts = party.maya.post(channel, "@vllm-triage django.db.utils.OperationalError: no such table: auth_user")["ts"]

    assert "not a vLLM problem" in party.maya.wait_for_reply(channel, ts)["text"]


def test_a_picture_alone_gets_one_request_for_text(party: Party) -> None:
    channel = party.a_channel()

    ts = party.maya.upload(channel, "", hex="89504e47", name="screen.png", text="@vllm-triage look")["ts"]

    party.maya.wait_for_reply(channel, ts)
    party.settled()
    (said,) = party.said(channel, ts)
    assert "cannot read pictures" in said["text"]


def test_a_question_for_a_budget_is_answered_with_one(party: Party) -> None:
    channel = party.a_channel()

    ts = party.maya.post(channel, "@vllm-triage does llama-3.1-8b fit on 2xL4?")["ts"]

    assert "It fits" in party.maya.wait_for_reply(channel, ts)["text"]


def test_the_picture_of_a_budget_comes_into_its_thread_once(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, "@vllm-triage does qwen3-8b fit on 2xL4?")["ts"]
    reply = party.maya.wait_for_reply(channel, ts)

    party.jonas.click(channel, reply["ts"], "vt1:draw")

    (drawn,) = wait_for(lambda: [each for each in party.said(channel, ts) if each.get("files")])
    party.settled()
    rows = [each for block in party.said(channel, ts)[0]["blocks"] for each in block.get("elements", ())]
    assert "weights" in drawn["files"][0]["alt_txt"]
    assert ["Details"] == [each["text"]["text"] for each in rows if each["type"] == "button"]


def test_a_mention_in_a_thread_reads_what_was_said_before(party: Party) -> None:
    channel = party.a_channel(mode=None)
    ts = party.maya.post(channel, NO_ROOM)["ts"]

    party.jonas.post(channel, "@vllm-triage what is this?", thread_ts=ts)

    assert "KV cache" in party.maya.wait_for_reply(channel, ts)["text"]


def test_a_first_message_that_comes_while_the_thread_is_read_up_is_heard(
    party: Party, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = party.maya.post(party.a_channel(mode=None), NO_ROOM)
    thread = Thread(workspace=next(iter(party.workspace.rig.world.teams)), channel=root["channel"], root=root["ts"])
    journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    desk = Desk(journal, client(Settings(slack_api_url=party.workspace.api_url), "xoxb-local"), party.bot_user)

    def take(kind: EntryKind, message: str, text: str) -> None:
        entry = Entry(kind=kind, at=moment(message), author="U1", message=message, text=text)
        remember(journal, thread, entry, [f"{kind}:{message}"])

    later = f"{float(thread.root) + 1:.6f}"
    take(EntryKind.REPLY, later, "what is this?")
    take(EntryKind.MENTIONED, later, "")
    monkeypatch.setattr("bot.slack.answering.attend.catch_up", lambda *_: take(EntryKind.PASTE, thread.root, NO_ROOM))

    attend(desk, thread)

    journal.close()
    assert "KV cache" in party.said(root["channel"], root["ts"])[0]["text"]


def test_a_direct_message_is_answered_in_its_thread(party: Party) -> None:
    ts = party.maya.post("@app", NO_ROOM)["ts"]

    assert "KV cache" in party.maya.wait_for_reply("@app", ts)["text"]


def test_a_fact_in_the_thread_edits_the_one_reply(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    first = party.maya.wait_for_reply(channel, ts)

    party.maya.post(channel, "it is one L4, vLLM 0.8.5", thread_ts=ts)

    wait_for(lambda: "L4" in texts(party.said(channel, ts)[0]["blocks"]))
    assert [first["ts"]] == [message["ts"] for message in party.said(channel, ts)]


def test_an_edited_paste_is_diagnosed_again(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, "my server does not start")["ts"]
    party.settled()

    party.maya.do("edit", channel=channel, ts=ts, text=NO_ROOM)

    assert "KV cache" in party.maya.wait_for_reply(channel, ts)["text"]


def test_an_unfurled_link_changes_nothing(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    party.maya.wait_for_reply(channel, ts)
    party.settled()
    party.maya.do("calls", clear=True)

    party.maya.do("unfurl", channel=channel, ts=ts)

    party.settled()
    assert [] == party.maya.calls("chat.update")


def test_a_deleted_paste_takes_the_reply_along(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    reply = party.maya.wait_for_reply(channel, ts)

    party.maya.do("delete", channel=channel, ts=ts)

    wait_for(lambda: reply["ts"] not in [message["ts"] for message in party.maya.messages(channel, ts)])


def test_the_first_message_shows_where_the_case_stands(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    wait_for(lambda: "eyes" in reactions(party, channel, ts))
    party.maya.wait_for_reply(channel, ts)

    party.maya.click(channel, party.said(channel, ts)[0]["ts"], "vt1:resolve")

    wait_for(lambda: reactions(party, channel, ts) == ["white_check_mark"])


def reactions(party: Party, channel: str, ts: str) -> list[str]:
    (root,) = [message for message in party.maya.messages(channel) if message["ts"] == ts]
    return [reaction["name"] for reaction in root.get("reactions", [])]
