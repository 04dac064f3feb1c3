from __future__ import annotations

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace

DIVIDER = [{"type": "divider"}]


@pytest.mark.parametrize(("blocks", "answer"), [(DIVIDER, "ok"), ([{"type": "nothing"}], "invalid_blocks")])
def test_blocks_are_taken_or_refused_as_a_messages_would_be(blocks: list[dict[str, str]], answer: str) -> None:
    workspace = Workspace(manifest=manifest())
    with workspace.run_in_thread():
        client = WebClient("xoxb-local", base_url=workspace.api_url, retry_handlers=[])
        try:
            said = "ok" if client.api_call("blocks.validate", json={"blocks": blocks, "surface": "message"}) else ""
        except SlackApiError as error:
            said = error.response["error"]

    assert answer == said
