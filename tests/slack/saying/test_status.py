from __future__ import annotations

from tests.slack.conftest import NO_ROOM, Party


def test_a_long_log_is_read_under_a_status(party: Party) -> None:
    channel = party.a_channel()
    log = "\n".join(f"INFO 11-20 10:12:30 [loggers.py:123] Engine 000: Running: {n} reqs" for n in range(4_000))

    ts = party.maya.upload(channel, f"{log}\n{NO_ROOM}", name="vllm.log")["ts"]

    party.maya.wait_for_reply(channel, ts)
    party.settled()
    said = [
        call["args"]["status"]
        for call in party.maya.calls("assistant.threads.setStatus")
        if call["args"]["thread_ts"] == ts
    ]
    assert ("is reading your log…", "") == (said[0], said[-1])
