"""Teams, users, groups and installations: how they come to be."""

from __future__ import annotations

from bot.workspace.state.records import AppIdentity, Installation, Team, User
from bot.workspace.state.world import World
from bot.workspace.wire import Json, fresh_id, steady_id


def found_team(world: World, name: str, team_id: str | None = None) -> Team:
    """Add a team, with Slackbot in it."""
    team = Team(team_id or steady_id("T", name), name, name.lower().replace(" ", "-"))
    world.teams[team.id] = team
    return team


def hire(world: World, user: User) -> User:
    """Add a user to its team."""
    world.users[user.id] = user
    return user


def install(world: World, team: str, token: str, app: AppIdentity) -> Installation:
    """Install the app in a team: a token and a bot user that speaks for it."""
    bot = User(steady_id("U", team, app.handle), team, app.handle, app.name, bot_id=steady_id("B", team, app.id))
    hire(world, bot)
    installation = Installation(team, token, app.id, bot.id, bot.bot_id or "", app.scopes)
    world.installations[token] = installation
    return installation


def form_group(world: World, team: str, handle: str, members: list[str]) -> Json:
    """Add a user group, which `<!subteam^S…>` mentions."""
    group: Json = {"id": fresh_id("S"), "team_id": team, "handle": handle, "name": handle, "users": members}
    world.usergroups[group["id"]] = group
    return group


def find_user(world: World, team: str, wanted: str) -> User | None:
    """Return a user of the team by id or by name."""
    user = world.users.get(wanted)
    if user and user.team == team:
        return user
    return next((each for each in world.users.values() if each.team == team and each.name == wanted), None)


def identity(world: World) -> AppIdentity:
    """Return the app as it is installed already."""
    known = next(iter(world.installations.values()))
    bot = world.users[known.bot_user]
    return AppIdentity(known.app_id, bot.name, bot.real_name, known.scopes)
