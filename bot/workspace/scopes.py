"""Which scope each method and each event asks for."""

from __future__ import annotations

METHOD_SCOPES: dict[str, tuple[str, ...]] = {
    "chat.postMessage": ("chat:write",),
    "chat.update": ("chat:write",),
    "chat.delete": ("chat:write",),
    "chat.postEphemeral": ("chat:write",),
    "chat.scheduleMessage": ("chat:write",),
    "chat.deleteScheduledMessage": ("chat:write",),
    "chat.startStream": ("chat:write",),
    "chat.appendStream": ("chat:write",),
    "chat.stopStream": ("chat:write",),
    "assistant.threads.setStatus": ("chat:write", "assistant:write"),
    "assistant.threads.setSuggestedPrompts": ("assistant:write", "chat:write"),
    "assistant.threads.setTitle": ("assistant:write", "chat:write"),
    "conversations.info": ("channels:read", "groups:read", "im:read"),
    "conversations.list": ("channels:read", "groups:read", "im:read"),
    "conversations.members": ("channels:read", "groups:read", "im:read"),
    "conversations.history": ("channels:history", "groups:history", "im:history"),
    "conversations.replies": ("channels:history", "groups:history", "im:history"),
    "conversations.open": ("im:write",),
    "conversations.join": ("channels:join",),
    "reactions.add": ("reactions:write",),
    "reactions.remove": ("reactions:write",),
    "reactions.get": ("reactions:read",),
    "users.info": ("users:read",),
    "users.list": ("users:read",),
    "users.lookupByEmail": ("users:read.email",),
    "users.conversations": ("channels:read", "groups:read", "im:read"),
    "usergroups.list": ("usergroups:read",),
    "usergroups.users.list": ("usergroups:read",),
    "team.info": ("team:read",),
    "bots.info": ("users:read",),
    "files.info": ("files:read",),
    "files.getUploadURLExternal": ("files:write",),
    "files.completeUploadExternal": ("files:write",),
    "apps.connections.open": ("connections:write",),
}

EVENT_SCOPES: dict[str, str] = {
    "app_mention": "app_mentions:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "reaction_added": "reactions:read",
    "reaction_removed": "reactions:read",
    "member_joined_channel": "channels:read",
    "member_left_channel": "channels:read",
    "file_shared": "files:read",
}

ALL_SCOPES = frozenset(
    {scope for scopes in METHOD_SCOPES.values() for scope in scopes}
    | set(EVENT_SCOPES.values())
    | {"commands", "chat:write.public", "files:read", "channels:manage"}
)


def missing_scope(method: str, granted: frozenset[str]) -> str | None:
    """Return the scopes a method wants when none of them was granted, or nothing when it may run."""
    wanted = METHOD_SCOPES.get(method, ())
    return None if not wanted or granted.intersection(wanted) else ",".join(wanted)
