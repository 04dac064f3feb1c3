"""`views.*`: modals and the Home tab."""

from __future__ import annotations

from bot.workspace.limits import check_view
from bot.workspace.rig import Call, Method
from bot.workspace.state import screens
from bot.workspace.state.records import View
from bot.workspace.wire import ApiError, Json


def open_view(call: Call) -> Json:
    """Open a modal for whoever caused the trigger."""
    body = _checked(call, "modal")
    user = call.rig.tickets.redeem(_trigger(call)).user
    return _shown(screens.open_view(call.world, call.caller, user, body))


def push(call: Call) -> Json:
    """Put a modal on top of the one that caused the trigger."""
    body = _checked(call, "modal")
    user = call.rig.tickets.redeem(_trigger(call)).user
    return _shown(screens.push_view(call.world, call.caller, user, body))


def update(call: Call) -> Json:
    """Replace what a modal shows, if the hash still fits."""
    body = _checked(call, "modal")
    view = _find(call)
    if (mark := call.words("hash")) and mark != view.body["hash"]:
        raise ApiError("hash_conflict")
    return _shown(screens.update_view(call.world, view, body))


def publish(call: Call) -> Json:
    """Set what a user's Home tab shows."""
    body = _checked(call, "home")
    user = call.need("user_id")
    known = call.world.users.get(user)
    if known is None or known.team != call.caller.team:
        raise ApiError("user_not_found")
    old = call.world.homes.get(user)
    if (mark := call.words("hash")) and old and mark != old.body["hash"]:
        raise ApiError("hash_conflict")
    return _shown(screens.publish_home(call.world, call.caller, user, body))


def _trigger(call: Call) -> str:
    return call.need("trigger_id", "invalid_arguments")


def _checked(call: Call, kind: str) -> Json:
    view = call.json("view")
    if not isinstance(view, dict):
        raise ApiError("invalid_arguments", "[ERROR] missing required field: view")
    body: Json = view
    if check_view(body) != kind:
        raise ApiError("invalid_arguments", f"[ERROR] must be a {kind} [json-pointer:/view/type]")
    _check_external_id(call, body)
    return screens.ready(body)


def _check_external_id(call: Call, body: Json) -> None:
    external = body.get("external_id")
    if not external or call.method == "views.update":
        return
    if any(
        view.body.get("external_id") == external and view.team == call.caller.team for view in call.world.views.values()
    ):
        raise ApiError("duplicate_external_id")


def _find(call: Call) -> View:
    view_id, external = call.words("view_id"), call.words("external_id")
    for view in call.world.views.values():
        if view.team == call.caller.team and (
            view.id == view_id or (external and view.body.get("external_id") == external)
        ):
            return view
    raise ApiError("not_found" if view_id or external else "invalid_arguments")


def _shown(view: View) -> Json:
    return {"ok": True, "view": screens.as_json(view)}


METHODS: dict[str, Method] = {
    "views.open": open_view,
    "views.push": push,
    "views.update": update,
    "views.publish": publish,
}
