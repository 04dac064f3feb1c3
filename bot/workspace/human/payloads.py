"""The interaction payloads that Slack sends: who did what where."""

from __future__ import annotations

from bot.workspace.stage import Ask
from bot.workspace.state import screens, talk
from bot.workspace.state.records import Channel, Message, User, View
from bot.workspace.tickets import Hook
from bot.workspace.wire import Json


def common(ask: Ask, kind: str, user: User) -> Json:
    """Return what every interaction says: the user, the team, the app, a trigger."""
    rig = ask.stage.rig
    team = ask.world.teams[user.team]
    return {
        "type": kind,
        "user": {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team},
        "api_app_id": rig.app.id,
        "token": rig.app.verification_token,
        "trigger_id": rig.tickets.trigger(user.id, user.team),
        "team": {"id": team.id, "domain": team.domain},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def in_message(ask: Ask, message: Message, user: User) -> Json:
    """Return the part of a payload that tells which message was touched."""
    channel = ask.world.channels[message.channel]
    container: Json = {"type": "message", "message_ts": message.ts, "channel_id": channel.id}
    container["is_ephemeral"] = message.seen_by is not None
    part: Json = {"container": container, "channel": channel_part(channel)}
    if "thread_ts" in message.body:
        container["thread_ts"] = message.body["thread_ts"]
    if message.seen_by is None:
        part["message"] = talk.as_json(ask.world, message)
    values = ask.stage.rig.message_values.get((channel.id, message.ts), {})
    hook = _hook(ask, user, channel.id, message)
    return part | {"state": {"values": values}, "response_url": hook}


def in_view(view: View) -> Json:
    """Return the part of a payload that tells which view was touched."""
    return {"container": {"type": "view", "view_id": view.id}, "view": screens.as_json(view)}


def channel_part(channel: Channel) -> Json:
    """Return a channel as payloads name it."""
    return {"id": channel.id, "name": channel.name or "directmessage"}


def slash(ask: Ask, user: User, command: str, text: str) -> Json:
    """Return the payload of a slash command."""
    rig, channel = ask.stage.rig, ask.channel
    team = ask.world.teams[user.team]
    names = {"im": "directmessage", "group": "privategroup", "channel": channel.name}
    return {
        "token": rig.app.verification_token,
        "team_id": team.id,
        "team_domain": team.domain,
        "channel_id": channel.id,
        "channel_name": names[channel.kind],
        "user_id": user.id,
        "user_name": user.name,
        "command": command,
        "text": text,
        "api_app_id": rig.app.id,
        "is_enterprise_install": "false",
        "response_url": _hook(ask, user, channel.id, None),
        "trigger_id": rig.tickets.trigger(user.id, user.team),
    }


def shortcut(ask: Ask, user: User, callback_id: str, message: Message | None) -> Json:
    """Return the payload of a shortcut, on a message or anywhere."""
    body = common(ask, "message_action" if message else "shortcut", user)
    body |= {"callback_id": callback_id, "action_ts": ask.world.next_ts()}
    if message is None:
        return body
    channel = ask.world.channels[message.channel]
    where: Json = {"channel": channel_part(channel), "message_ts": message.ts}
    return (
        body
        | where
        | {
            "message": talk.as_json(ask.world, message),
            "response_url": _hook(ask, user, channel.id, message),
        }
    )


def _hook(ask: Ask, user: User, channel: str, message: Message | None) -> str:
    rig = ask.stage.rig
    hook = Hook(user.team, channel, user.id, rig.clock.now())
    if message:
        hook.message_ts, hook.thread_ts = message.ts, message.body.get("thread_ts")
    return f"{rig.base}/hook/{rig.tickets.hook(hook)}"
