"""What the stand-in takes from an app's manifest."""

from __future__ import annotations

from bot.workspace.scopes import ALL_SCOPES
from bot.workspace.wire import Json

EVERY_EVENT = frozenset(
    {
        "app_home_opened",
        "app_mention",
        "app_uninstalled",
        "assistant_thread_context_changed",
        "assistant_thread_started",
        "file_shared",
        "member_joined_channel",
        "member_left_channel",
        "message.channels",
        "message.groups",
        "message.im",
        "reaction_added",
        "reaction_removed",
        "tokens_revoked",
    }
)


def commands_of(manifest: Json | None) -> list[Json]:
    """Return the slash commands that a manifest declares."""
    return list((manifest or {}).get("features", {}).get("slash_commands", []))


def shortcuts_of(manifest: Json | None) -> list[Json]:
    """Return the shortcuts that a manifest declares."""
    return list((manifest or {}).get("features", {}).get("shortcuts", []))


def events_of(manifest: Json) -> frozenset[str]:
    """Return the events that a manifest subscribes to."""
    return frozenset(manifest.get("settings", {}).get("event_subscriptions", {}).get("bot_events", []))


def scopes_of(manifest: Json | None) -> frozenset[str]:
    """Return the scopes that a manifest asks for, or all that there are without one."""
    if manifest is None:
        return ALL_SCOPES
    scopes = manifest.get("oauth_config", {}).get("scopes", {})
    return frozenset([*scopes.get("bot", []), *scopes.get("bot_optional", [])])
