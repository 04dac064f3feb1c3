"""What one might ask us in a direct message, to begin with."""

from __future__ import annotations

from contextlib import suppress

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

_TITLE = "Paste an error or a log, or try one of these"
_PROMPTS = (
    ("Why is my GPU full?", "Why is my GPU full with no traffic? vLLM holds 72 of 80 GB of an H100."),
    ("No room for the KV cache", "vLLM says: No available memory for the cache blocks. What does that mean?"),
    (
        "The engine does not start",
        "RuntimeError: Engine core initialization failed. See root cause above. What do you need from me?",
    ),
    ("What can you do?", "help"),
)


def suggest_prompts(client: WebClient, channel: str) -> None:
    """Offer prompts in a direct message; where the platform has none, nothing is lost."""
    prompts = [{"title": title, "message": message} for title, message in _PROMPTS]
    with suppress(SlackApiError):
        client.assistant_threads_setSuggestedPrompts(channel_id=channel, title=_TITLE, prompts=prompts)
