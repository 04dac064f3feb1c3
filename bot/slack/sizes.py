"""A budget in answer to one line of text."""

from __future__ import annotations

from bot.consult import ask
from bot.reply import block_kit
from bot.slack.delivery import Message

USAGE = (
    "Tell me a model and the GPUs, and whatever else you know. For example:\n"
    "• `/vllm-size llama-3.3-70b on 8xH100`\n"
    "• `/vllm-size 2xL4 Qwen/Qwen3-14B --max-model-len 32k --kv-cache-dtype fp8`"
)


def size_reply(text: str) -> Message:
    """Return the budget of the deployment that a line of text names, or how to ask for one."""
    if text.strip().lower() in {"", "help", "?"}:
        return Message(USAGE, ({"type": "section", "text": {"type": "mrkdwn", "text": USAGE}},))
    from bot.reply.compose_size import compose_size

    document = compose_size(ask(text))
    return Message(document.summary, tuple(block_kit.render(document, asks=False)))
