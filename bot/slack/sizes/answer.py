"""A budget in answer to a line of text, with what-ifs to press, and the same to share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator

from bot.consult import Sized, size
from bot.deployment import Frozen
from bot.hub.look_up import recall
from bot.reading.noise.scrub import scrub
from bot.reply import block_kit
from bot.reply.block_kit import ID, button
from bot.reply.compose_size import compose_size
from bot.slack.api.markup import escape
from bot.slack.saying.delivery import Message

EXAMPLES = (
    "• `/vllm-size llama-3.3-70b on 8xH100`\n"
    "• `/vllm-size 2xL4 Qwen/Qwen3-14B --max-model-len 32k --kv-cache-dtype fp8`\n"
    "• `/vllm-size` alone opens a form."
)
USAGE = f"Tell me a model and the GPUs, and whatever else you know. For example:\n{EXAMPLES}"
_FIELDS = frozenset({"model", "gpu", "gpu_count"})  # of the form; everything else is said in its line of text
_LONGEST_WISH = 1_800  # characters of a button's value, which Slack limits to 2,000


class Wish(Frozen):
    """What somebody wants sized, without secrets; it travels in the value of a button, so that nothing need be kept."""

    text: Annotated[str, AfterValidator(scrub)] = ""
    facts: Mapping[str, str | int] = {}

    def with_(self, **facts: str | int) -> Wish:
        """Return the same with other facts, which outrank the text."""
        return Wish(text=self.text, facts={**self.facts, **facts})


def size_reply(wish: Wish) -> Message:
    """Return the budget, with buttons for what-ifs, for the form and for sharing."""
    sized = size(wish.text, wish.facts, look_up=recall)
    example = {"type": "section", "text": {"type": "mrkdwn", "text": f"For example:\n{EXAMPLES}"}}
    return Message(*_said(sized, [*([] if sized.diagnosis.budget else [example]), *_buttons(wish, sized)]))


def problems(wish: Wish) -> dict[str, str]:
    """Return what keeps a form from being sized, by its field."""
    sized = size(wish.text, wish.facts, look_up=recall)
    found = {question.name: question.text for question in sized.diagnosis.questions} if _is_unsized(sized) else {}
    found |= {bad.name: bad.sentence for bad in sized.bad if bad.name != "text" or _is_unsized(sized)}
    by_field: dict[str, list[str]] = {}
    for name, sentence in found.items():
        by_field.setdefault(name if name in _FIELDS else "text", []).append(sentence)
    return {field: " ".join(sentences)[:500] for field, sentences in by_field.items()}


def _is_unsized(sized: Sized) -> bool:
    return sized.diagnosis.budget is None


def shared(wish: Wish) -> Message:
    """Return the budget as everybody in the channel sees it."""
    return Message(*_said(size(wish.text, wish.facts, look_up=recall), []))


def _said(sized: Sized, buttons: Iterable[dict[str, Any]]) -> tuple[str, tuple[dict[str, Any], ...]]:
    document = compose_size(sized.diagnosis, sized.command)
    blocks = [*block_kit.render(document, asks=False, attaches=False), *_unused(sized), *buttons]
    return escape(document.summary), tuple(blocks)


def _unused(sized: Sized) -> list[dict[str, Any]]:
    """Name what of the input could not be used, field by field."""
    wanted = [question.text for question in sized.diagnosis.questions] if sized.diagnosis.budget is None else []
    sentences = [*(bad.sentence for bad in sized.bad), *wanted]
    elements = [{"type": "plain_text", "text": sentence[:1_000], "emoji": False} for sentence in sentences[:8]]
    return [{"type": "context", "elements": elements}] if elements else []


def _buttons(wish: Wish, sized: Sized) -> list[dict[str, Any]]:
    value = wish.model_dump_json()
    if len(value) > _LONGEST_WISH:
        return []
    row = [
        *(button(label, f"{ID}:size:try:{n}", wish.model_dump_json()) for n, (label, wish) in _numbered(wish, sized)),
        button("Change", f"{ID}:size:form", value),
        *([button("Share here", f"{ID}:size:share", value)] if sized.diagnosis.budget else []),
    ]
    return [{"type": "actions", "block_id": f"{ID}:size", "elements": row}]


def _numbered(wish: Wish, sized: Sized) -> Iterable[tuple[int, tuple[str, Wish]]]:
    return enumerate(what_ifs(wish, sized))


def what_ifs(wish: Wish, sized: Sized) -> tuple[tuple[str, Wish], ...]:
    """Return the changes that people try first: a smaller KV cache, more cards, another context."""
    budget = sized.diagnosis.budget
    if budget is None:
        return ()
    used, tries = budget.deployment, list[tuple[str, Wish]]()
    if not str(used.kv_cache_dtype or "").startswith("fp8"):
        tries.append(("fp8 KV cache", wish.with_(kv_cache_dtype="fp8")))
    cards = (used.tensor_parallel or 1) * 2
    tries.append((f"{cards} GPUs", wish.with_(gpu_count=cards, tensor_parallel=cards)))
    length = used.max_model_len or 0
    if length > 1_024:
        tries.append((f"{length // 2:,} tokens", wish.with_(max_model_len=length // 2)))
    return tuple(tries)
