"""A budget in answer to a line of text, and the same to share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.diagnosis.identify import LookUp
from bot.hub.look_up import recall
from bot.reply import block_kit
from bot.slack.api.markup import escape
from bot.slack.saying.delivery import Message
from bot.slack.sizes.buttons import LONGEST_WISH, is_too_long, private_buttons, shared_buttons
from bot.slack.sizes.wish import Outcome, Wish, outcome

EXAMPLES = (
    "• `/vllm-size llama-3.3-70b on 8xH100`\n"
    "• `/vllm-size 2xL4 Qwen/Qwen3-14B --max-model-len 32k --kv-cache-dtype fp8`"
)
USAGE = (
    f"Tell me a model and the GPUs, and whatever else you know. For example:\n{EXAMPLES}\n"
    "• `/vllm-size qwen3-14b on L40S --sweep max_model_len=8k,16k,32k` makes a table.\n"
    "• `/vllm-size qwen3-14b on L40S --context 8k --active-share 0.2` says how fast, and for how many.\n"
    "• `/vllm-size` alone opens a form."
)
_FIELDS = frozenset({"model", "gpu", "gpu_count"})  # of the form; everything else is said in its line of text


def size_reply(wish: Wish, look_up: LookUp = recall) -> Message:
    """Return the budget, with buttons for what-ifs, for the form and for sharing."""
    found = outcome(wish, look_up)
    example = {"type": "section", "text": {"type": "mrkdwn", "text": f"For example:\n{EXAMPLES}"}}
    buttons = [_too_long(wish)] if is_too_long(wish) else private_buttons(wish, found)
    return _said(found, [*([example] if found.is_open else []), *buttons])


def shared(wish: Wish, look_up: LookUp = recall) -> Message:
    """Return the budget as everybody in the channel sees it."""
    found = outcome(wish, look_up)
    return _said(found, shared_buttons(wish, found))


def in_thread(wish: Wish, look_up: LookUp, *, is_drawn: bool) -> Message:
    """Return the budget as the answer in a thread, where its picture becomes part of the case, once."""
    found = outcome(wish, look_up)
    return _said(found, shared_buttons(wish, found, None if is_drawn else "draw"))


def shown(wish: Wish, look_up: LookUp = recall) -> list[dict[str, Any]]:
    """Return the budget as it stands in a view, which has its own buttons."""
    return list(_said(outcome(wish, look_up), []).blocks)


def details(wish: Wish) -> list[dict[str, Any]]:
    """Return what the budget leaves out: speed, people and sources, or the other figures of a table."""
    return block_kit.details(outcome(wish).document)


def problems(wish: Wish) -> dict[str, str]:
    """Return what keeps a form from being sized, by its field."""
    found = outcome(wish)
    told = {question.name: question.text for question in found.sized.diagnosis.questions} if found.is_open else {}
    told |= {bad.name: bad.sentence for bad in found.bad if bad.name != "text" or found.is_open}
    by_field: dict[str, list[str]] = {}
    for name, sentence in told.items():
        by_field.setdefault(name if name in _FIELDS else "text", []).append(sentence)
    return {field: " ".join(sentences)[:500] for field, sentences in by_field.items()}


def _said(found: Outcome, buttons: Iterable[dict[str, Any]]) -> Message:
    load = block_kit.blocks_of(found.asked_load) if found.asked_load else []
    blocks = [*block_kit.render(found.document, asks=False, attaches=False), *load, *_unused(found), *buttons]
    return Message(escape(found.document.summary), tuple(blocks))


def _too_long(wish: Wish) -> dict[str, Any]:
    text = (
        f"Your line has {len(wish.text):,} characters. Buttons for what-ifs and for sharing carry about {LONGEST_WISH:,}: "
        "leave out what is not about memory, and they are back."
    )
    return {"type": "context", "elements": [{"type": "plain_text", "text": text}]}


def _unused(found: Outcome) -> list[dict[str, Any]]:
    """Name what of the input could not be used, field by field."""
    wanted = [question.text for question in found.sized.diagnosis.questions] if found.is_open else []
    headed = () if found.rows else found.sized.misread  # a budget's heading says it
    sentences = [*(bad.sentence for bad in found.bad if bad.sentence not in headed), *wanted]
    elements = [{"type": "plain_text", "text": sentence[:1_000], "emoji": False} for sentence in sentences[:8]]
    return [{"type": "context", "elements": elements}] if elements else []
