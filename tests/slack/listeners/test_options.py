from __future__ import annotations

from tests.slack.conftest import Party


def test_names_are_offered_while_somebody_types(party: Party) -> None:
    select = {
        "type": "external_select",
        "action_id": "vt1:answer:gpu",
        "placeholder": {"type": "plain_text", "text": "Type a few letters"},
    }
    block = {"type": "actions", "block_id": "ask", "elements": [select]}
    channel = party.a_channel(mode=None)
    ts = party.maya.post(channel, "x", raw={"blocks": [block]})["ts"]

    offered = party.maya.do("suggest", channel=channel, ts=ts, action_id="vt1:answer:gpu", query="h100")["options"]

    assert any("H100" in option["value"] for option in offered)
