"""The app's manifest: what Slack must know of us, with the least scopes and a reason for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.settings import Transport

# Every scope and what would be missing without it.
SCOPES: Mapping[str, str] = {
    "app_mentions:read": "hear when somebody calls us by name",
    "channels:history": "read pastes in public channels that we were invited to",
    "channels:read": "know a public channel's name",
    "chat:write": "answer",
    "commands": "/vllm-size and the message shortcut",
    "files:read": "read snippets and log files",
    "groups:history": "read pastes in private channels that we were invited to",
    "groups:read": "know that a channel is private, so that nothing of it is told elsewhere",
    "im:history": "read what is said to us in a direct message",
    "im:write": "send a direct message to the person who opened us, or who wants a picture of a budget that they alone see",
    "reactions:read": "take ✅ as resolved and 🔇 as mute",
    "reactions:write": "show a case's state on its first message",
}
# Nice to have: without them the feature is missing and nothing else is.
OPTIONAL_SCOPES: Mapping[str, str] = {
    "files:write": "attach commands too long for a message, pictures of budgets, and the sheet of a weekly digest",
    "usergroups:read": "know by their user groups which team owns what a person pastes",
    "users:read": "show names and know who is an admin",
}
EVENTS = (
    "app_home_opened",
    "app_mention",
    "member_joined_channel",
    "message.channels",
    "message.groups",
    "message.im",
    "reaction_added",
    "reaction_removed",
)
LEAVING = ("app_uninstalled", "tokens_revoked")  # heard where any workspace may install us, and leave again
COMMAND = "/vllm-size"
SHORTCUT = "vt1:diagnose"
EVENTS_PATH = "/slack/events"
REDIRECT_PATH = "/slack/oauth_redirect"


def manifest(transport: Transport = "socket", url: str | None = None, installs: str | None = None) -> dict[str, Any]:
    """Return the manifest for Socket Mode, or for HTTP at `url`; `installs` is where other workspaces install us."""
    oauth: dict[str, Any] = {"scopes": {"bot": sorted(SCOPES), "bot_optional": sorted(OPTIONAL_SCOPES)}}
    if installs:
        oauth["redirect_urls"] = [installs.rstrip("/") + REDIRECT_PATH]
    return {
        "_metadata": {"major_version": 2, "minor_version": 1},
        "display_information": {
            "name": "vLLM Triage",
            "description": "Reads a vLLM failure, computes the memory budget, offers only fixes that fit.",
            "background_color": "#1d3557",
        },
        "features": _features({} if transport == "socket" else {"url": url}),
        "oauth_config": oauth,
        "settings": _settings(url if transport == "http" else None, installs=bool(installs)),
    }


def _features(address: dict[str, Any]) -> dict[str, Any]:
    size = {
        "command": COMMAND,
        "description": "Compute the GPU-memory budget of a deployment",
        "usage_hint": "8xH100 llama-3.3-70b --max-model-len 32k",
        "should_escape": False,
        **address,
    }
    diagnose = {
        "type": "message",
        "name": "Diagnose this",
        "callback_id": SHORTCUT,
        "description": "Read this message as a vLLM failure",
    }
    tabs = {"home_tab_enabled": True, "messages_tab_enabled": True, "messages_tab_read_only_enabled": False}
    bot = {"display_name": "vLLM Triage", "always_online": True}
    return {"app_home": tabs, "bot_user": bot, "slash_commands": [size], "shortcuts": [diagnose]}


def _settings(url: str | None, *, installs: bool) -> dict[str, Any]:
    request = {"request_url": url} if url else {}
    options = {"message_menu_options_url": url} if url else {}
    return {
        "event_subscriptions": {"bot_events": [*EVENTS, *(LEAVING if installs else ())], **request},
        "interactivity": {"is_enabled": True, **request, **options},
        "org_deploy_enabled": False,
        "socket_mode_enabled": not url,
        "token_rotation_enabled": installs,
    }
