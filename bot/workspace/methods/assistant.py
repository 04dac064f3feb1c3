"""`assistant.threads.*`: what the app is doing just now, and what one might ask it."""

from __future__ import annotations

from bot.workspace.rig import Call, Method
from bot.workspace.wire import ApiError, Json

_STATUS_SECONDS = 120.0


def set_status(call: Call) -> Json:
    """Show a status in a thread until the app answers there, clears it, or two minutes have passed."""
    channel = call.channel("channel_id")
    key = (channel.id, call.need("thread_ts"))
    status = str(call.args.get("status") or "")
    messages = call.json("loading_messages")
    if isinstance(messages, list) and len(messages) > 10:
        raise ApiError("invalid_arguments", "[ERROR] no more than 10 items allowed [json-pointer:/loading_messages]")
    call.world.statuses.pop(key, None)
    if status:
        shown: Json = {"status": status, "loading_messages": messages, "user": call.caller.bot_user}
        call.world.statuses[key] = shown
        call.rig.later(_STATUS_SECONDS, lambda: _expire(call, key, shown))
    call.world.show("status", channel=channel.id)
    return {"ok": True}


def set_suggested_prompts(call: Call) -> Json:
    """Show prompts that a person may pick in the app's direct message."""
    channel = call.channel("channel_id")
    prompts = call.json("prompts")
    if not isinstance(prompts, list) or not prompts or len(prompts) > 4:
        raise ApiError("invalid_arguments", "[ERROR] must hold 1 to 4 items [json-pointer:/prompts]")
    call.world.prompts[channel.id] = {"title": call.words("title"), "prompts": prompts}
    call.world.show("status", channel=channel.id)
    return {"ok": True}


def set_title(call: Call) -> Json:
    """Accept the title of a thread."""
    call.channel("channel_id")
    call.need("thread_ts")
    call.need("title")
    return {"ok": True}


def _expire(call: Call, key: tuple[str, str], shown: Json) -> None:
    if call.world.statuses.get(key) is shown:
        del call.world.statuses[key]
        call.world.show("status", channel=key[0])


METHODS: dict[str, Method] = {
    "assistant.threads.setStatus": set_status,
    "assistant.threads.setSuggestedPrompts": set_suggested_prompts,
    "assistant.threads.setTitle": set_title,
}
