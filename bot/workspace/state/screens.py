"""Modals and Home tabs: opened, pushed, updated, closed; what people filled in."""

from __future__ import annotations

from bot.workspace.naming import with_ids
from bot.workspace.state.records import Installation, View
from bot.workspace.state.world import World
from bot.workspace.values import initial_values
from bot.workspace.wire import ApiError, Json, fresh_id

_DEEPEST_STACK = 3
_DEFAULTS: Json = {
    "callback_id": "",
    "private_metadata": "",
    "external_id": "",
    "clear_on_close": False,
    "notify_on_close": False,
    "title": None,
    "submit": None,
    "close": None,
}


def ready(body: Json) -> Json:
    """Return a view that the app sent, completed as Slack completes it."""
    return {**_DEFAULTS, **body, "blocks": with_ids(body["blocks"])}


def open_view(world: World, install: Installation, user: str, body: Json) -> View:
    """Open a modal for a user; it replaces whatever modal was open."""
    close_all(world, user)
    return _add(world, install, user, body)


def push_view(world: World, install: Installation, user: str, body: Json) -> View:
    """Put a modal on top of the user's stack.

    Raises:
        ApiError: `push_limit_reached` when three are open.
    """
    if len(world.stacks.get(user, [])) >= _DEEPEST_STACK:
        raise ApiError("push_limit_reached")
    return _add(world, install, user, body)


def update_view(world: World, view: View, body: Json) -> View:
    """Replace what a modal shows; inputs keep their value where block and action stay."""
    kept = {key: view.body[key] for key in ("id", "team_id", "root_view_id", "previous_view_id", "app_id", "bot_id")}
    view.body = {**body, **kept, "hash": fresh_hash(world), "state": {"values": {}}}
    old, view.values = view.values, initial_values(body["blocks"])
    for block, actions in view.values.items():
        actions.update({name: value for name, value in old.get(block, {}).items() if name in actions})
    view.errors = {}
    world.show("views", user=view.user)
    return view


def publish_home(world: World, install: Installation, user: str, body: Json) -> View:
    """Set what a user's Home tab of the app shows."""
    view = View(fresh_id("V"), install.team, user, {})
    view.body = {**body, **_identity(world, install, view.id)}
    view.values = initial_values(body["blocks"])
    if user in world.homes:
        world.views.pop(world.homes[user].id, None)
    world.homes[user] = view
    world.views[view.id] = view
    world.show("home", user=user)
    return view


def close_top(world: World, user: str) -> View | None:
    """Close the modal on top, and return it."""
    stack = world.stacks.get(user, [])
    view = world.views.pop(stack.pop(), None) if stack else None
    world.show("views", user=user)
    return view


def close_all(world: World, user: str) -> None:
    """Close every modal of a user."""
    for view_id in world.stacks.pop(user, []):
        world.views.pop(view_id, None)
    world.show("views", user=user)


def stack_of(world: World, user: str) -> list[View]:
    """Return the user's open modals, the lowest first."""
    return [world.views[view_id] for view_id in world.stacks.get(user, [])]


def fill_in(world: World, view: View, values: Json) -> None:
    """Write what the user entered: block id to action id to Slack's value object."""
    for block, actions in values.items():
        view.values.setdefault(block, {}).update(actions)
    view.errors = {}
    world.show("views", user=view.user)


def complain(world: World, view: View, errors: dict[str, str]) -> None:
    """Show validation errors beside the inputs of a modal."""
    view.errors = errors
    world.show("views", user=view.user)


def as_json(view: View) -> Json:
    """Return the view object with the state that the user gave it."""
    return {**view.body, "state": {"values": view.values}}


def fresh_hash(world: World) -> str:
    """Return a new version mark of a view."""
    return f"{int(world.clock.now())}.{fresh_id('', 8).lower()}"


def _add(world: World, install: Installation, user: str, body: Json) -> View:
    stack = world.stacks.setdefault(user, [])
    view = View(fresh_id("V"), install.team, user, {})
    root, previous = (stack[0], stack[-1]) if stack else (view.id, None)
    view.body = {**body, **_identity(world, install, view.id), "root_view_id": root, "previous_view_id": previous}
    view.values = initial_values(body["blocks"])
    world.views[view.id] = view
    stack.append(view.id)
    world.show("views", user=user)
    return view


def _identity(world: World, install: Installation, view_id: str) -> Json:
    return {
        "id": view_id,
        "team_id": install.team,
        "app_id": install.app_id,
        "app_installed_team_id": install.team,
        "bot_id": install.bot_id,
        "hash": fresh_hash(world),
        "state": {"values": {}},
        "root_view_id": view_id,
        "previous_view_id": None,
    }
