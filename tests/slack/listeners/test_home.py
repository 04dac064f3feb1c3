from __future__ import annotations

from tests.slack.conftest import NO_ROOM, Party, texts, wait_for


def test_home_lists_the_open_cases_of_its_reader(party: Party) -> None:
    channel = party.a_channel()
    ts = party.jonas.post(channel, NO_ROOM)["ts"]
    party.maya.wait_for_reply(channel, ts)
    party.settled()

    party.jonas.do("open_home")

    wait_for(lambda: "Llama-3.1-8B" in texts(party.jonas.do("home")["view"]))


def test_home_sets_when_we_speak_in_a_channel(party: Party) -> None:
    channel = party.a_channel()
    posted = party.maya.post(channel, NO_ROOM)
    party.maya.wait_for_reply(channel, posted["ts"])
    party.settled()
    party.maya.do("open_home")
    wait_for(lambda: posted["channel"] in str(party.maya.do("home")["view"]))

    party.maya.do("select", view="home", action_id=f"vt1:mode:home:{posted['channel']}", value="off")

    party.settled()
    later = party.maya.post(channel, NO_ROOM)["ts"]
    party.settled()
    assert [] == party.said(channel, later)


def test_a_direct_message_that_somebody_opens_is_greeted_once(party: Party) -> None:
    for _ in range(2):
        party.workspace.human("priya").do("open_direct")

    said = wait_for(
        lambda: [m for m in party.workspace.human("priya").messages("@app") if "Paste a vLLM error" in m["text"]]
    )
    party.settled()
    assert 1 == len(said)


def test_any_channel_is_found_and_set(party: Party) -> None:
    channel = party.a_channel(mode=None)
    id_ = next(each["id"] for each in party.maya.do("world")["channels"] if each.get("name") == channel)
    party.maya.do("open_home")
    wait_for(lambda: "vt1:room:find" in str(party.maya.do("home")["view"]))

    view = party.maya.shown_by(lambda: party.maya.do("select", view="home", action_id="vt1:room:find", value=id_))
    party.maya.do("select", view=view["id"], action_id="mode", value="auto")
    party.maya.do("submit", view=view["id"])

    ts = party.jonas.post(channel, NO_ROOM)["ts"]
    assert "KV cache" in party.maya.wait_for_reply(channel, ts)["text"]
