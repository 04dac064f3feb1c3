from __future__ import annotations

from sqlalchemy import text

from tests.slack.conftest import Party, wait_for

UNKNOWN = "vllm serve Qwen/Qwen2.5-7B-Instruct\nValueError: the flux of gpu_memory_utilization is out of alignment"


def whispers(party: Party, channel: str) -> list[dict[str, object]]:
    return [message for message in party.maya.messages(channel) if message.get("is_ephemeral")]


def test_an_error_that_nobody_knows_is_offered_a_look(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, UNKNOWN)["ts"]
    (offer,) = wait_for(lambda: whispers(party, channel))

    party.maya.click(channel, str(offer["ts"]), "vt1:look")

    assert party.maya.wait_for_reply(channel, ts)
    wait_for(lambda: not whispers(party, channel))


def test_an_offer_may_be_declined(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, UNKNOWN)["ts"]
    (offer,) = wait_for(lambda: whispers(party, channel))

    party.maya.click(channel, str(offer["ts"]), "vt1:look:no")

    wait_for(lambda: not whispers(party, channel))
    party.settled()
    assert [] == party.said(channel, ts)


def test_chatter_after_an_offer_is_offered_nothing(party: Party) -> None:
    channel = party.a_channel()
    party.maya.post(channel, UNKNOWN)
    wait_for(lambda: whispers(party, channel))

    ts = party.maya.post(channel, "anyway, lunch at twelve? The new H100s have come too")["ts"]

    party.settled()
    assert 1 == len(whispers(party, channel))
    with party.journal.engine.connect() as connection:
        filed = connection.execute(text("SELECT count(*) FROM incidents WHERE root = :root"), {"root": ts})
        assert 0 == filed.scalar_one()
