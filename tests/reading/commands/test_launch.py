"""One launch command."""

import pytest

from bot.evidence import Line
from bot.reading.commands.launch import LAUNCH, Launch, name_launcher
from bot.reading.commands.shell import split_words


@pytest.mark.parametrize(
    ("text", "launcher"),
    [
        ("vllm serve m", "serve"),
        ("python -m vllm.entrypoints.openai.api_server --model m", "module"),
        ("podman run vllm/vllm-openai:v0.11.0 --model m", "docker"),
    ],
)
def test_a_launch_is_named_by_what_starts_it(text: str, launcher: str):
    found = LAUNCH.search(text)

    assert found
    assert launcher == name_launcher(found[0], text)


@pytest.mark.parametrize(("text", "is_client"), [("vllm bench serve --model m", True), ("vllm serve m", False)])
def test_what_only_sends_requests_is_a_client(text: str, is_client: bool):
    assert is_client == Launch("serve", split_words([Line(number=1, text=text)])).is_client
