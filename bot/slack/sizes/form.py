"""The form of `/vllm-size`: fields to fill, and the budget below them, computed anew as they change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.diagnosis.identify import LookUp
from bot.hub.look_up import recall
from bot.reply.block_kit import ID
from bot.slack.sizes.answer import details, shown
from bot.slack.sizes.buttons import LONGEST_WISH
from bot.slack.sizes.wish import Wish

VIEW = f"{ID}:size:form"
_MOST_BLOCKS = 90


def form(wish: Wish, channel: str) -> dict[str, Any]:
    """Return the form as it stands with these wishes; what cannot be sized yet shows no budget."""
    is_ready = bool(wish.text or wish.facts)
    budget = shown(wish) if is_ready else []
    return {
        "type": "modal",
        "callback_id": VIEW,
        "private_metadata": channel,
        "title": {"type": "plain_text", "text": "Size a deployment"},
        "submit": {"type": "plain_text", "text": "Show"},
        "close": {"type": "plain_text", "text": "Close"},
        "blocks": [*_fields(wish), *([{"type": "divider"}] if budget else []), *budget][:_MOST_BLOCKS],
    }


def result(wish: Wish, look_up: LookUp = recall) -> dict[str, Any]:
    """Return the budget as a view of its own, for a channel in which we cannot whisper."""
    return _page("Size a deployment", shown(wish, look_up))


def waiting(text: str) -> dict[str, Any]:
    """Return what the form becomes while somebody else is asked."""
    return _page("Size a deployment", [{"type": "section", "text": {"type": "plain_text", "text": text}}])


def details_page(wish: Wish) -> dict[str, Any]:
    """Return what a budget leaves out, as a view."""
    empty = {"type": "section", "text": {"type": "plain_text", "text": "There is nothing more to say."}}
    return _page("Details", details(wish) or [empty])


def _page(title: str, blocks: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "type": "modal",
        "title": {"type": "plain_text", "text": title},
        "close": {"type": "plain_text", "text": "Close"},
        "blocks": blocks[:_MOST_BLOCKS],
    }


def _fields(wish: Wish) -> list[dict[str, Any]]:
    return [
        _input("model", "Model", _names("model", wish)),
        _input("gpu", "GPU", _names("gpu", wish)),
        _input("gpu_count", "Number of GPUs", _number("gpu_count", wish)),
        _input("text", "Anything else: flags, or the whole command", _words(wish)),
    ]


def _input(fact: str, label: str, element: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "input",
        "block_id": fact,
        "optional": True,
        "dispatch_action": True,
        "label": {"type": "plain_text", "text": label},
        "element": element,
    }


def _names(fact: str, wish: Wish) -> dict[str, Any]:
    element: dict[str, Any] = {
        "type": "external_select",
        "action_id": f"{ID}:sizing:{fact}",
        "min_query_length": 1,
        "placeholder": {"type": "plain_text", "text": "Type a few letters"},
    }
    value = str(wish.facts.get(fact) or "")
    option = {"text": {"type": "plain_text", "text": value[:75]}, "value": value[:150]}
    return {**element, "initial_option": option} if value else element


def _number(fact: str, wish: Wish) -> dict[str, Any]:
    element: dict[str, Any] = {
        "type": "number_input",
        "action_id": f"{ID}:sizing:{fact}",
        "is_decimal_allowed": False,
        "min_value": "1",
        "max_value": "1024",
        "dispatch_action_config": {"trigger_actions_on": ["on_enter_pressed", "on_character_entered"]},
    }
    value = wish.facts.get(fact)
    return {**element, "initial_value": str(value)} if value else element


def _words(wish: Wish) -> dict[str, Any]:
    element: dict[str, Any] = {
        "type": "plain_text_input",
        "action_id": f"{ID}:sizing:text",
        "multiline": False,
        "max_length": LONGEST_WISH,
        "placeholder": {"type": "plain_text", "text": "--max-model-len 32k --kv-cache-dtype fp8"},
        "dispatch_action_config": {"trigger_actions_on": ["on_enter_pressed", "on_character_entered"]},
    }
    return {**element, "initial_value": wish.text[:LONGEST_WISH]} if wish.text else element


def filled(view: Mapping[str, Any]) -> Wish:
    """Return what the form says."""
    values: Mapping[str, Mapping[str, Any]] = (view.get("state") or {}).get("values") or {}
    said = {fact: _value(next(iter(field.values()), {})) for fact, field in values.items()}
    text = said.pop("text", None)
    return Wish(text=text or "", facts={fact: _whole(fact, value) for fact, value in said.items() if value})


def _whole(fact: str, value: str) -> str | int:
    """Return a number of cards; what is none, such as one half typed, stays as it stands and is told at its field."""
    return int(value) if fact == "gpu_count" and value.isdecimal() and len(value) < 10 else value


def _value(field: Mapping[str, Any]) -> str | None:
    return (field.get("selected_option") or {}).get("value") or field.get("value")
