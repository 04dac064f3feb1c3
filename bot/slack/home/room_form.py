"""The form that says when we speak in one channel: the Home tab shows only some of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.journal.channels import Mode
from bot.reply.block_kit import ID

VIEW = f"{ID}:room:form"
MODES: Mapping[Mode, str] = {
    "auto": "Answer every vLLM problem",
    "mention": "Only when mentioned",
    "off": "Keep quiet",
}


def options() -> dict[Mode, dict[str, Any]]:
    """Return the modes as options of a select."""
    return {mode: {"text": {"type": "plain_text", "text": label}, "value": mode} for mode, label in MODES.items()}


def finder() -> dict[str, Any]:
    """Return the row of the Home tab in which any channel can be found."""
    select = {
        "type": "conversations_select",
        "action_id": f"{ID}:room:find",
        "placeholder": {"type": "plain_text", "text": "Find a channel"},
        "filter": {"include": ["public", "private"], "exclude_bot_users": True},
    }
    return {"type": "section", "text": {"type": "plain_text", "text": "Any other channel"}, "accessory": select}


def form(channel: str, mode: Mode) -> dict[str, Any]:
    """Return the form for one channel as it is set now."""
    element = {
        "type": "radio_buttons",
        "action_id": "mode",
        "options": list(options().values()),
        "initial_option": options()[mode],
    }
    label = {"type": "plain_text", "text": "When I speak here, once I am invited"}
    return {
        "type": "modal",
        "callback_id": VIEW,
        "private_metadata": channel,
        "title": {"type": "plain_text", "text": "Channel"},
        "submit": {"type": "plain_text", "text": "Save"},
        "close": {"type": "plain_text", "text": "Cancel"},
        "blocks": [
            {"type": "section", "text": {"type": "mrkdwn", "text": f"<#{channel}>"}},
            {"type": "input", "block_id": "mode", "label": label, "element": element},
        ],
    }


def filled(view: Mapping[str, Any]) -> tuple[str, Mode | None]:
    """Return the channel, and the mode that was chosen for it."""
    values: Mapping[str, Any] = (view.get("state") or {}).get("values") or {}
    option: Mapping[str, Any] = values.get("mode", {}).get("mode", {}).get("selected_option") or {}
    mode: Mode | None = next((known for known in MODES if known == option.get("value")), None)
    return str(view.get("private_metadata")), mode
