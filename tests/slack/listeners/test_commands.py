from __future__ import annotations

import threading
from typing import Any

import pytest

from bot.catalog.models import find_model
from bot.slack.listeners import commands
from tests.slack.conftest import Party, texts, wait_for


def whispers(party: Party, channel: str) -> list[dict[str, Any]]:
    return [message for message in party.maya.messages(channel) if message.get("is_ephemeral")]


def test_a_line_of_text_is_sized_for_its_writer_alone(party: Party) -> None:
    channel = party.a_channel(mode=None)

    party.maya.slash(channel, "/vllm-size", "8xH100 llama-3.3-70b --max-model-len 32k")

    (said,) = wait_for(lambda: whispers(party, channel))
    assert "It fits" in said["text"]


def test_a_model_that_only_the_hub_knows_is_sized_when_it_has_told(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = threading.Event()
    monkeypatch.setattr(commands, "look_up", lambda _: told.wait(60) and find_model("Qwen/Qwen3-8B").shape)
    channel = party.a_channel(mode=None)

    party.maya.slash(channel, "/vllm-size", "acme/parrot-1b on L40S")
    assert party.maya.do("settle")["ok"]  # acknowledged, while nobody has told yet
    assert [] == whispers(party, channel)
    told.set()

    (said,) = wait_for(lambda: whispers(party, channel))
    assert "It fits" in said["text"]


def test_a_hub_that_does_not_tell_leaves_a_question(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "look_up", lambda _: "The hub did not answer.")
    channel = party.a_channel(mode=None)

    party.maya.slash(channel, "/vllm-size", "acme/parrot-1b on L40S")

    (said,) = wait_for(lambda: whispers(party, channel))
    assert "The hub did not answer. Which model do you serve?" in " ".join(texts(said["blocks"]).split())


def test_help_shows_examples(party: Party) -> None:
    channel = party.a_channel(mode=None)

    party.maya.slash(channel, "/vllm-size", "help")

    (said,) = wait_for(lambda: whispers(party, channel))
    assert "/vllm-size llama" in said["text"]


def test_odd_text_is_asked_back(party: Party) -> None:
    channel = party.a_channel(mode=None)

    party.maya.slash(channel, "/vllm-size", "how big is a cow")

    (said,) = wait_for(lambda: whispers(party, channel))
    assert "need to know more" in said["text"]


def test_the_command_alone_opens_the_form(party: Party) -> None:
    channel = party.a_channel(mode=None)

    view = party.maya.shown_by(lambda: party.maya.slash(channel, "/vllm-size"))

    assert "Number of GPUs" in texts(view["blocks"])
    party.maya.do("close", all=True)
