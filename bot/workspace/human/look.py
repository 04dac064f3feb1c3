"""Looking: what a person sees, and what only a tester sees (calls, deliveries, faults)."""

from __future__ import annotations

from bot.workspace.stage import Ask
from bot.workspace.state import rooms, screens, talk
from bot.workspace.state.records import Message
from bot.workspace.wire import Json


async def world(ask: Ask) -> Json:
    """Return the teams, people, channels and the app: all but what was said."""
    state, rig = ask.world, ask.stage.rig
    viewer = ask.user.id
    channels = [_channel(ask, each.id, viewer) for each in state.channels.values()]
    return {
        "ok": True,
        "teams": [{"id": each.id, "name": each.name, "domain": each.domain} for each in state.teams.values()],
        "users": [each.as_json() for each in state.users.values()],
        "usergroups": list(state.usergroups.values()),
        "channels": channels,
        "app": {
            "id": rig.app.id,
            "commands": rig.app.commands,
            "shortcuts": rig.app.shortcuts,
            "bots": {each.team: each.bot_user for each in state.installations.values()},
            "sockets": len(ask.stage.hub.sockets),
            "request_url": rig.app.request_url,
        },
    }


async def messages(ask: Ask) -> Json:
    """Return a channel's messages, oldest first, with the ephemeral ones that the user sees; `thread_ts` narrows."""
    channel, thread = ask.channel, ask.words("thread_ts")
    viewer = ask.user.id
    shown = [*ask.world.messages[channel.id].values(), *_whispers(ask, channel.id, viewer)]
    if thread:
        shown = [each for each in shown if each.root == thread]
    elif not ask.given.get("all"):
        shown = [each for each in shown if each.root == each.ts or each.body.get("subtype") == "thread_broadcast"]
    shown.sort(key=lambda each: each.ts)
    return {
        "ok": True,
        "messages": [talk.as_json(ask.world, each, with_metadata=True) | _held(ask, each) for each in shown],
        "statuses": {key[1]: value for key, value in ask.world.statuses.items() if key[0] == channel.id},
        "prompts": ask.world.prompts.get(channel.id),
    }


async def ephemerals(ask: Ask) -> Json:
    """Return all ephemeral messages (of one user, if named) with who sees them."""
    wanted = ask.user.id if ask.words("user") else None
    seen = [each for each in ask.world.ephemerals if wanted in (None, each.seen_by)]
    return {"ok": True, "messages": [{**each.body, "channel": each.channel, "seen_by": each.seen_by} for each in seen]}


async def views(ask: Ask) -> Json:
    """Return a user's open modals, the lowest first, with what was entered and what is wrong."""
    stack = screens.stack_of(ask.world, ask.user.id)
    return {"ok": True, "views": [{**screens.as_json(view), "errors": view.errors} for view in stack]}


async def home(ask: Ask) -> Json:
    """Return a user's Home tab."""
    view = ask.world.homes.get(ask.user.id)
    return {"ok": True, "view": screens.as_json(view) if view else None}


async def file(ask: Ask) -> Json:
    """Return the text of a file."""
    found = ask.world.files[ask.need("file")]
    return {"ok": True, "name": found.name, "content": found.content.decode("utf-8", "replace")}


async def calls(ask: Ask) -> Json:
    """Return the Web API calls of the app, of one method if named; `clear` forgets them."""
    wanted = ask.words("method")
    found = [call for call in ask.stage.rig.calls if wanted in (None, call["method"])]
    if ask.given.get("clear"):
        ask.stage.rig.calls.clear()
    return {"ok": True, "calls": found}


async def deliveries(ask: Ask) -> Json:
    """Return what was sent to the app, with its acknowledgements; `clear` forgets them."""
    found = list(ask.stage.rig.deliveries)
    if ask.given.get("clear"):
        ask.stage.rig.deliveries.clear()
    return {"ok": True, "deliveries": found, "sent": list(ask.stage.delivery.sent.values())[-200:]}


def _whispers(ask: Ask, channel: str, viewer: str) -> list[Message]:
    return [each for each in ask.world.ephemerals if each.channel == channel and each.seen_by == viewer]


def _held(ask: Ask, message: Message) -> Json:
    """Return what was chosen in a message, for the page to show."""
    values = ask.stage.rig.message_values.get((message.channel, message.ts))
    return {"state": {"values": values}} if values else {}


def _channel(ask: Ask, channel_id: str, viewer: str) -> Json:
    channel = ask.world.channels[channel_id]
    members: Json = {"members": list(channel.members), "team": channel.team}
    return rooms.as_json(channel, viewer) | members
