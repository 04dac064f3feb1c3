"""Every Web API method that the stand-in answers; others are `unknown_method`."""

from __future__ import annotations

from bot.workspace.methods import (
    apps,
    assistant,
    auth,
    blocks,
    bots,
    chat,
    conversations,
    files,
    oauth,
    reactions,
    streams,
    team,
    usergroups,
    users,
    views,
)
from bot.workspace.rig import Method

METHODS: dict[str, Method] = {
    **apps.METHODS,
    **assistant.METHODS,
    **auth.METHODS,
    **blocks.METHODS,
    **bots.METHODS,
    **chat.METHODS,
    **conversations.METHODS,
    **files.METHODS,
    **oauth.METHODS,
    **reactions.METHODS,
    **streams.METHODS,
    **team.METHODS,
    **usergroups.METHODS,
    **users.METHODS,
    **views.METHODS,
}

WITHOUT_TOKEN = frozenset({"api.test", "oauth.v2.access"})
WITH_APP_TOKEN = frozenset({"apps.connections.open"})
