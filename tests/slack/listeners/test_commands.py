from __future__ import annotations

from typing import Any

from tests.slack.conftest import Party, texts, wait_for


def whispers(party: Party, channel: str) -> list[dict[str, Any]]:
    return [message for message in party.maya.messages(channel) if message.get("is_ephemeral")]


def test_a_line_of_text_is_sized_for_its_writer_alone(party: Party) -> None:
    channel = party.a_channel(mode=None)

    party.maya.slash(channel, "/vllm-size", "8xH100 llama-3.3-70b --max-model-len 32k")

    (said,) = wait_for(lambda: whispers(party, channel))
    assert "It fits" in said["text"]


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
