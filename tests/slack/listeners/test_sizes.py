from __future__ import annotations

import threading
from typing import Any

import pytest

from bot.catalog.models import find_model
from bot.slack.listeners import sizes
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
    assert 1 == len(whispers(party, channel))


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


@pytest.mark.parametrize("number", ["1.5", "two", "9" * 5_000])
def test_a_number_of_cards_that_is_none_is_told_at_its_field(party: Party, number: str) -> None:
    channel = party.a_channel(mode=None)
    view = party.maya.shown_by(lambda: party.maya.slash(channel, "/vllm-size"))

    values = {"vt1:sizing:gpu_count": number, "vt1:sizing:text": "L4 Qwen/Qwen3-14B"}
    told = party.maya.do("submit", view=view["id"], values=values)

    assert ["gpu_count"] == list(told["errors"])
    party.maya.do("close", all=True)


def test_details_open_in_a_view(party: Party) -> None:
    channel, said = a_budget(party)

    view = party.maya.shown_by(lambda: party.maya.click(channel, said["ts"], "vt1:size:details"))

    assert "How fast, and for how many" in texts(view["blocks"])
    party.maya.do("close", all=True)


def direct_files(party: Party) -> list[dict[str, Any]]:
    return [file for message in party.maya.messages("@app") for file in message.get("files", ())]


def test_the_picture_of_a_whisper_comes_to_who_wants_it_alone(party: Party) -> None:
    channel, said = a_budget(party)
    before = len(direct_files(party))

    party.maya.click(channel, said["ts"], "vt1:size:draw")

    wait_for(lambda: [each for each in whispers(party, channel) if "direct messages" in each["text"]])
    assert "image/png" == direct_files(party)[before]["mimetype"]
    assert [] == [message for message in party.jonas.messages(channel) if message.get("files")]


def test_a_picture_that_slack_does_not_take_is_said(fresh_party: Party) -> None:
    channel, said = a_budget(fresh_party)
    fresh_party.maya.do("fault", kind="error", on="conversations.open", error="missing_scope")

    fresh_party.maya.click(channel, said["ts"], "vt1:size:draw")

    wait_for(lambda: [each for each in whispers(fresh_party, channel) if "did not take the picture" in each["text"]])


def test_a_form_whose_model_only_the_hub_knows_is_answered_when_it_has_told(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = threading.Event()
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setattr(sizes, "look_up", lambda _: told.wait(60) and find_model("Qwen/Qwen3-8B").shape)
    channel = party.a_channel(mode=None)
    view = party.maya.shown_by(lambda: party.maya.slash(channel, "/vllm-size"))

    assert party.maya.do("submit", view=view["id"], values={"vt1:sizing:text": "acme/parrot-1b on L40S"})["ok"]
    wait_for(lambda: "I am asking" in texts(party.maya.views()[0]["blocks"]))
    told.set()

    wait_for(lambda: "It fits" in texts(party.maya.views()[0]["blocks"]))
    (said,) = wait_for(lambda: whispers(party, channel))
    assert "It fits" in said["text"]
    party.maya.do("close", all=True)


@pytest.mark.parametrize("value", ["", "{", '{"wished": 1}'])
def test_a_value_that_nobody_can_read_any_more_is_no_wish(value: str) -> None:
    assert wish_of({"actions": [{"action_id": "vt1:size:try:0", "value": value}]}) is None
