from __future__ import annotations

from tests.slack.conftest import NO_ROOM, Party, texts


def test_thanks_below_a_reply_does_not_take_back_what_it_said(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    party.maya.wait_for_reply(channel, ts)

    party.jonas.post(channel, "thanks, works now", thread_ts=ts)

    party.settled()
    assert "KV cache" in texts(party.said(channel, ts)[0]["blocks"])


def test_another_programs_error_below_a_reply_changes_nothing(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    party.maya.wait_for_reply(channel, ts)

    party.jonas.post(channel, "mine is django.db.utils.OperationalError: no such table: auth_user", thread_ts=ts)

    party.settled()
    assert "KV cache" in texts(party.said(channel, ts)[0]["blocks"])
