from __future__ import annotations

from typing import Any

import pytest

from bot.slack.listeners.sizes import wish_of
from tests.slack.conftest import Party, texts, wait_for
from tests.slack.listeners.test_commands import whispers


def a_budget(party: Party, text: str = "8xH100 llama-3.3-70b --max-model-len 32k") -> tuple[str, dict[str, Any]]:
    channel = party.a_channel(mode=None)
    party.maya.slash(channel, "/vllm-size", text)
    return channel, wait_for(lambda: whispers(party, channel))[0]


def test_a_what_if_is_sized_in_place(party: Party) -> None:
    channel, said = a_budget(party)

    party.maya.click(channel, said["ts"], "vt1:size:try:0")

    wait_for(lambda: "fp8" in str(whispers(party, channel)[0]["blocks"][:-1]))
    assert len(whispers(party, channel)) == 1


def test_a_budget_is_shared_with_the_channel(party: Party) -> None:
    channel, said = a_budget(party)

    party.maya.click(channel, said["ts"], "vt1:size:share")

    wait_for(lambda: [message for message in party.jonas.messages(channel) if "It fits" in message["text"]])


def test_the_form_sizes_as_its_fields_change(party: Party) -> None:
    channel, said = a_budget(party)
    view = party.maya.shown_by(lambda: party.maya.click(channel, said["ts"], "vt1:size:form"))

    party.maya.do("select", view=view["id"], action_id="vt1:sizing:text", value="2xL4 Qwen/Qwen3-14B")

    wait_for(lambda: "L4" in texts(party.maya.views()[0]["blocks"][5:]))
    party.maya.do("close", all=True)


@pytest.mark.parametrize("value", ["", "{", '{"wished": 1}'])
def test_a_value_that_nobody_can_read_any_more_is_no_wish(value: str) -> None:
    assert wish_of({"actions": [{"action_id": "vt1:size:try:0", "value": value}]}) is None
