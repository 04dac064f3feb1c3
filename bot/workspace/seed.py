"""The team that a new stand-in begins with: a few people, a few channels, the app in one of them."""

from __future__ import annotations

from bot.workspace.state import people, rooms
from bot.workspace.state.records import AppIdentity, Team, User
from bot.workspace.state.world import World
from bot.workspace.wire import steady_id

_PEOPLE = (("maya", "Maya Ortiz", True), ("jonas", "Jonas Weber", False), ("priya", "Priya Raman", False))


def settle_team(world: World, name: str, token: str, app: AppIdentity) -> Team:
    """Found a team with people, channels and the app; the app is in `#vllm-help` only."""
    team = people.found_team(world, name)
    ids: list[str] = []
    for handle, real_name, is_admin in _PEOPLE:
        email = f"{handle}@example.com"
        person = User(steady_id("U", team.id, handle), team.id, handle, real_name, email, is_admin=is_admin)
        ids.append(people.hire(world, person).id)
    install = people.install(world, team.id, token, app)
    rooms.open_channel(world, team.id, "general", ids)
    rooms.open_channel(world, team.id, "vllm-help", [*ids, install.bot_user])
    rooms.open_channel(world, team.id, "inference-oncall", ids[:2], kind="group")
    people.form_group(world, team.id, "inference-team", ids[:2])
    for person in ids:
        rooms.direct_channel(world, team.id, person, install.bot_user)
    return team
