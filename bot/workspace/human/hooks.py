"""The response address of an interaction: what the app says through it."""

from __future__ import annotations

from bot.workspace.methods.chat import author, content
from bot.workspace.rig import Call, Rig
from bot.workspace.state import talk
from bot.workspace.state.records import Message
from bot.workspace.tickets import Hook
from bot.workspace.wire import ApiError, Json


def answer_hook(rig: Rig, name: str, said: Json) -> Json:
    """Take what the app posted to a response address.

    Raises:
        ApiError: when the address is unknown, too old or used up, or the message is refused.
    """
    hook = rig.tickets.use_hook(name)
    original = _original(rig, hook)
    if said.get("delete_original"):
        _remove(rig, original)
    elif said.get("replace_original"):
        _replace(rig, hook, original, said)
    else:
        say_as_app(rig, hook, said)
    return {"ok": True}


def say_as_app(rig: Rig, hook: Hook, said: Json) -> Message:
    """Post what the app answers: to the user alone unless it says `in_channel`."""
    body = _body(rig, hook, said)
    channel = rig.world.channels[hook.channel]
    thread = said.get("thread_ts") or hook.thread_ts
    if thread:
        body["thread_ts"] = thread
    if said.get("response_type") == "in_channel":
        return talk.post(rig.world, channel, body)
    return talk.whisper(rig.world, channel, body, hook.user)


def _body(rig: Rig, hook: Hook, said: Json) -> Json:
    call = Call(rig, "response_url", said, rig.world.installation_in(hook.team))
    return content(call) | author(call)


def _original(rig: Rig, hook: Hook) -> Message | None:
    if hook.message_ts is None:
        return None
    whispers = (each for each in rig.world.ephemerals if each.ts == hook.message_ts)
    return talk.find_message(rig.world, hook.channel, hook.message_ts) or next(whispers, None)


def _remove(rig: Rig, original: Message | None) -> None:
    if original is None:
        raise ApiError("message_not_found")
    if original.seen_by:
        talk.forget_whisper(rig.world, original)
    else:
        talk.delete(rig.world, original)


def _replace(rig: Rig, hook: Hook, original: Message | None, said: Json) -> None:
    if original is None:
        say_as_app(rig, hook, said)
        return
    body = {"blocks": [], **_body(rig, hook, said)}
    if original.seen_by:
        original.body |= body
        rig.world.show("messages", channel=original.channel)
    else:
        talk.edit(rig.world, original, body, hook.user)
