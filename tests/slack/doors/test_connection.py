"""The connection over which Slack tells us things, when what comes over it cannot be read."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk.socket_mode.builtin import connection

from tests.slack.conftest import NO_ROOM, Party, wait_for


def test_after_what_cannot_be_read_slack_is_heard_over_a_new_connection(
    fresh_party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = fresh_party.a_channel()
    receive, lost = connection._receive_messages, list[Any]()

    def lose_the_first(**named: Any) -> Any:
        received = receive(**named)
        if received and not lost:
            lost.extend(received)
            raise RecursionError
        return received

    monkeypatch.setattr(connection, "_receive_messages", lose_the_first)
    before = len(fresh_party.maya.calls("apps.connections.open"))
    ts = fresh_party.maya.post(channel, NO_ROOM)["ts"]

    wait_for(lambda: len(fresh_party.maya.calls("apps.connections.open")) > before)
    wait_for(lambda: fresh_party.said(channel, ts))
