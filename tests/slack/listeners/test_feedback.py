from __future__ import annotations

from tests.slack.conftest import NO_ROOM, Party, wait_for


def test_not_helpful_asks_why_and_keeps_the_reason(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    reply = party.maya.wait_for_reply(channel, ts)["ts"]

    party.jonas.shown_by(lambda: party.jonas.click(channel, reply, "vt1:unhelpful"))
    party.jonas.do("fill", values={"reason": f"wrong card in {channel}"})
    party.jonas.do("submit")

    wait_for(lambda: reasons(party, channel))


def reasons(party: Party, channel: str) -> int:
    query = f"SELECT count(*) FROM entries WHERE kind = 'feedback' AND text LIKE '%{channel}%'"
    with party.journal.engine.connect() as connection:
        return connection.exec_driver_sql(query).scalar_one()
