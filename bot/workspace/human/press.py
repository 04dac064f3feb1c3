"""Pressing, choosing, typing ahead, submitting; commands and shortcuts."""

from __future__ import annotations

from bot.workspace.carrying import Answer
from bot.workspace.human import payloads
from bot.workspace.human.hooks import say_as_app
from bot.workspace.stage import Ask
from bot.workspace.state import screens
from bot.workspace.state.records import Message, View
from bot.workspace.tickets import Hook
from bot.workspace.values import chosen, is_empty, is_state, placed_elements
from bot.workspace.wire import ApiError, Json, escaped


async def act(ask: Ask) -> Json:
    """Press a button or choose a value, in a message or in a view; the app gets `block_actions`."""
    place = _place(ask)
    block, element = _find_element(ask, _blocks(place))
    value = chosen(element, ask.given.get("value"))
    _keep(ask, place, block, {element["action_id"]: value})
    if block["type"] == "input" and not block.get("dispatch_action"):
        return {"ok": True, "sent": False}
    user = ask.user
    action: Json = {**value, "action_id": element["action_id"], "block_id": block["block_id"]}
    action["action_ts"] = ask.world.next_ts()
    body = payloads.common(ask, "block_actions", user)
    body |= payloads.in_view(place) if isinstance(place, View) else payloads.in_message(ask, place, user)
    return _told(await ask.stage.delivery.ask("interactive", body | {"actions": [action]}))


async def suggest(ask: Ask) -> Json:
    """Type ahead in an external select; returns what the app offers."""
    place = _place(ask)
    block, element = _find_element(ask, _blocks(place))
    user, query = ask.user, str(ask.given.get("query") or "")
    body = payloads.common(ask, "block_suggestion", user)
    body |= payloads.in_view(place) if isinstance(place, View) else payloads.in_message(ask, place, user)
    body.pop("trigger_id")
    body |= {"action_id": element["action_id"], "block_id": block["block_id"], "value": query}
    answer = await ask.stage.delivery.ask("interactive", body)
    offered: Json = answer.payload if isinstance(answer.payload, dict) else {}
    _check_offer(offered)
    return _told(answer) | {"options": offered.get("options", []), "option_groups": offered.get("option_groups", [])}


async def fill(ask: Ask) -> Json:
    """Fill inputs without sending anything, in a view or a message: `values` maps action ids to what was entered."""
    place = _view(ask) if not ask.words("ts") else _place(ask)
    for action_id, given in ask.given.get("values", {}).items():
        block, element = _find_element(ask, _blocks(place), action_id)
        _keep(ask, place, block, {action_id: chosen(element, given)})
    return {"ok": True}


async def submit(ask: Ask) -> Json:
    """Submit a modal; first what Slack's client checks, then what the app answers."""
    await fill(ask)
    view, user = _view(ask), ask.user
    if missing := _unfilled(view):
        screens.complain(ask.world, view, missing)
        return {"ok": False, "errors": missing, "error": "incomplete"}
    body = payloads.common(ask, "view_submission", user) | {"view": screens.as_json(view), "response_urls": []}
    answer = await ask.stage.delivery.ask("interactive", body)
    return _told(answer) | (_after_submit(ask, view, answer) if answer.is_ok else {})


async def close(ask: Ask) -> Json:
    """Close the modal on top (`all` closes the stack); the app hears of it when it asked to."""
    user = ask.user
    is_cleared = bool(ask.given.get("all"))
    stack = screens.stack_of(ask.world, user.id)
    if not stack:
        return {"ok": True, "closed": 0}
    going = stack if is_cleared else stack[-1:]
    screens.close_all(ask.world, user.id) if is_cleared else screens.close_top(ask.world, user.id)
    for view in going:
        if view.body.get("notify_on_close"):
            body = payloads.common(ask, "view_closed", user) | {"view": screens.as_json(view)}
            body.pop("trigger_id")
            await ask.stage.delivery.ask("interactive", body | {"is_cleared": is_cleared})
    return {"ok": True, "closed": len(going)}


async def slash(ask: Ask) -> Json:
    """Type a slash command; text that the app answers is shown to the user alone, or to all."""
    command, user = ask.need("command"), ask.user
    known = [each["command"] for each in ask.stage.rig.app.commands]
    if known and command not in known:
        raise ApiError("unknown_command", f"{command} is not a valid command. The app has: {', '.join(known)}.")
    if ask.words("thread_ts"):
        raise ApiError("not_in_threads", "Slack does not run an app's commands in threads.")
    body = payloads.slash(ask, user, command, escaped(str(ask.given.get("text") or "")))
    answer = await ask.stage.delivery.ask("slash_commands", body)
    if answer.is_ok and (said := _spoken(answer.payload)):
        say_as_app(ask.stage.rig, Hook(user.team, body["channel_id"], user.id, 0.0), said)
    return _told(answer)


async def shortcut(ask: Ask) -> Json:
    """Use a shortcut, on a message when one is named."""
    message = ask.message if ask.words("ts") else None
    body = payloads.shortcut(ask, ask.user, ask.need("callback_id"), message)
    return _told(await ask.stage.delivery.ask("interactive", body))


def _spoken(payload: object) -> Json:
    """Return the message that a command's answer holds, if any."""
    if isinstance(payload, str):
        return {"text": payload} if payload.strip() else {}
    said: Json = payload if isinstance(payload, dict) else {}
    return said if said.get("text") or said.get("blocks") or said.get("attachments") else {}


def _told(answer: Answer) -> Json:
    """Return what the person sees: done, or Slack's sentence that the app did not answer."""
    if answer.is_ok:
        return {"ok": True, "sent": True}
    return {"ok": False, "error": "operation_timeout", "reason": answer.reason}


def _place(ask: Ask) -> Message | View:
    return _view(ask) if ask.words("view") else ask.message


def _view(ask: Ask) -> View:
    """Return the named view, or the one on top of the user's stack."""
    stack = screens.stack_of(ask.world, ask.user.id)
    wanted = ask.words("view")
    view = ask.world.views.get(wanted) if wanted and wanted != "top" else stack[-1] if stack else None
    if wanted == "home":
        view = ask.world.homes.get(ask.user.id)
    if view is None:
        raise ApiError("view_not_found", "No such view is open.")
    return view


def _blocks(place: Message | View) -> list[Json]:
    return place.body.get("blocks", [])


def _find_element(ask: Ask, blocks: list[Json], action_id: str | None = None) -> tuple[Json, Json]:
    """Return the block and the element with an action id; a button's value tells twins apart."""
    wanted, block_id, value = action_id or ask.need("action_id"), ask.words("block_id"), ask.given.get("value")
    placed = [pair for block in blocks for pair in placed_elements(block)]
    found = [
        (block, element)
        for block, element in placed
        if element["action_id"] == wanted and block_id in (None, block["block_id"])
    ]
    twins = [pair for pair in found if value is not None and pair[1].get("value") == value]
    if not found:
        offered = [element["action_id"] for _, element in placed]
        raise ApiError("no_such_action", f"There is no {wanted!r} here; there are {offered}.")
    return (twins or found)[0]


def _keep(ask: Ask, place: Message | View, block: Json, actions: Json) -> None:
    """Remember a choice as part of the state of its message or view; a press leaves none."""
    values = {name: value for name, value in actions.items() if is_state(value)}
    if not values:
        return
    if isinstance(place, View):
        screens.fill_in(ask.world, place, {block["block_id"]: values})
        return
    state = ask.stage.rig.message_values.setdefault((place.channel, place.ts), {})
    state.setdefault(block["block_id"], {}).update(values)


def _unfilled(view: View) -> dict[str, str]:
    """Return the complaints of Slack's client about inputs that must be filled."""
    missing: dict[str, str] = {}
    for block in view.body["blocks"]:
        if block["type"] == "input" and not block.get("optional"):
            held = view.values.get(block["block_id"], {}).values()
            if all(is_empty(value) for value in held):
                missing[block["block_id"]] = "Please complete this required field."
    return missing


def _after_submit(ask: Ask, view: View, answer: Answer) -> Json:
    """Do what the app's answer to a submission says: show errors, replace, push, clear, or close."""
    said: Json = answer.payload if isinstance(answer.payload, dict) else {}
    kind = said.get("response_action")
    if kind == "errors":
        screens.complain(ask.world, view, said.get("errors", {}))
        return {"ok": False, "error": "refused", "errors": said.get("errors", {})}
    if kind in ("update", "push"):
        return _show_next(ask, view, kind, said["view"])
    if kind == "clear":
        screens.close_all(ask.world, view.user)
    elif view.id in ask.world.stacks.get(view.user, []):
        screens.close_top(ask.world, view.user)
    return {"closed": True}


def _show_next(ask: Ask, view: View, kind: str, body: Json) -> Json:
    ready = screens.ready(body)
    if kind == "update":
        screens.update_view(ask.world, view, ready)
        return {"view": view.id}
    return {"view": screens.push_view(ask.world, ask.install, view.user, ready).id}


def _check_offer(offered: Json) -> None:
    if len(offered.get("options", [])) > 100:
        raise ApiError("too_many_options", "An external select takes at most 100 options.")
