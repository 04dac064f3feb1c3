from __future__ import annotations

from tests.slack.conftest import NO_ROOM, Party, texts, wait_for


def test_a_check_mark_on_the_paste_resolves_and_taking_it_back_reopens(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    party.maya.wait_for_reply(channel, ts)

    party.maya.do("react", channel=channel, ts=ts, name="white_check_mark")
    wait_for(lambda: "Resolved" in texts(party.said(channel, ts)[0]["blocks"]))

    party.maya.do("react", channel=channel, ts=ts, name="white_check_mark")
    wait_for(lambda: "Resolved" not in texts(party.said(channel, ts)[0]["blocks"]))


def test_a_reaction_to_something_else_means_nothing(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, "lunch?")["ts"]

    party.maya.do("react", channel=channel, ts=ts, name="white_check_mark")

    party.settled()
    assert [] == party.said(channel, ts)
