"""The Home tab: a person's open cases, the week so far, the channels we are in, and how to use us."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from bot.incident import Incident
from bot.journal.channels import Channel, all_channels
from bot.journal.counting import Lately, lately
from bot.journal.incidents import opened_by
from bot.journal.team_sheet import sheets
from bot.journal.teams import all_teams
from bot.reply.block_kit import ID
from bot.reply.words import inner
from bot.slack.desk import Desk
from bot.slack.home import room_form, team_form
from bot.slack.home.authority import may_administer
from bot.slack.operating.scopes import missing_scopes
from bot.slack.saying.addresses import redirect
from bot.slack.saying.words import ADD_SCOPES, HELP

_MOST_CASES = 10
_MOST_CHANNELS = 10
_MOST_TEAMS = 5


def home(desk: Desk, workspace: str, person: str) -> dict[str, Any]:
    """Return the Home tab of one person; private channels are shown by their own settings only."""
    mine = opened_by(desk.journal, workspace, person)
    places = {incident.thread.channel: place for place, incident in reversed(tuple(enumerate(mine)))}
    public = [room for room in all_channels(desk.journal, workspace) if room.is_private is False]
    # Where the reader has something to do comes first, the newest before all.
    rooms = sorted(public, key=lambda room: places.get(room.id, len(mine)))
    may_change = may_administer(desk, workspace, person)
    return {
        "type": "home",
        "blocks": [
            *(_scopes(desk.at(workspace)) if may_change else ()),
            *_heading("Your open cases"),
            *_cases(mine[:_MOST_CASES]),
            *_heading("The last seven days"),
            *_last_days(desk, workspace, person),
            *_heading("Channels"),
            *_rooms(rooms, may_change=may_change),
            *_heading("Teams"),
            *_teams(desk, workspace, person, {room.id for room in rooms}, is_admin=may_change),
            *_heading("How to use me"),
            {"type": "section", "text": {"type": "mrkdwn", "text": HELP}},
        ],
    }


def _scopes(desk: Desk) -> list[dict[str, Any]]:
    """Tell an admin what we cannot do for want of a scope."""
    missing = missing_scopes(desk)
    if not missing:
        return []
    wants = [f"• `{scope}`: {use}" for scope, use in sorted(missing.items())]
    text = "\n".join(["Without these scopes I cannot do all of my work:", *wants, ADD_SCOPES])
    return [*_heading("Scopes that I lack"), {"type": "section", "text": {"type": "mrkdwn", "text": text[:2900]}}]


def _last_days(desk: Desk, workspace: str, person: str) -> list[dict[str, Any]]:
    """Tell how the last days went, for everybody and for each team that its reader is in."""
    since = desk.clock() - timedelta(days=7)
    own = [team.name for team in all_teams(desk.journal, workspace) if person in (*team.members, *team.leads)]
    told = [_figures(lately(desk.journal, workspace, since))]
    told += [f"{name}: {_figures(lately(desk.journal, workspace, since, name))}" for name in own[:_MOST_TEAMS]]
    return [_prose(text) for text in told]


def _teams(desk: Desk, workspace: str, person: str, public: Collection[str], *, is_admin: bool) -> list[dict[str, Any]]:
    known = sheets(desk.journal, workspace)
    editable = {sheet.name for sheet in known if is_admin or person in sheet.leads}
    return team_form.section(known, public, editable, may_add=is_admin)


def _heading(text: str) -> list[dict[str, Any]]:
    return [{"type": "header", "text": {"type": "plain_text", "text": text}}]


def _prose(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "plain_text", "text": text}}


def _cases(mine: Sequence[Incident]) -> list[dict[str, Any]]:
    return [_case(incident) for incident in mine] or [_prose("None. May it stay so.")]


def _case(incident: Incident) -> dict[str, Any]:
    where = " · ".join(part for part in (incident.model, incident.gpu) if part)
    title = incident.title or "An error that I do not know"
    text = f"{title}{f' · {where}' if where else ''} · since {_day(incident.opened_at)}"
    opening = {"type": "button", "action_id": f"{ID}:open", "text": {"type": "plain_text", "text": "Open"}}
    return {**_prose(text[:2900]), "accessory": {**opening, "url": redirect(incident)}}


def _day(moment: datetime) -> str:
    return moment.strftime("%a %d %b")


def _figures(days: Lately) -> str:
    if not days.count:
        return "No vLLM problems."
    top = ", ".join(f"{title or 'not known'} ({count:,})" for title, count in days.titles[:3])
    cases = "1 case" if days.count == 1 else f"{days.count:,} cases"
    return f"{cases}, {days.open:,} open. Most often: {top}."[:2900]


def _rooms(rooms: Sequence[Channel], *, may_change: bool) -> list[dict[str, Any]]:
    shown = [_room(room, may_change=may_change) for room in rooms[:_MOST_CHANNELS]]
    left = len(rooms) - len(shown)
    more = [_prose(f"{left} more.")] if left else []
    none = [] if rooms else [_prose("Invite me to a channel, and choose there when I speak.")]
    return [*shown, *none, *more, *([room_form.finder()] if may_change else [])]


def _room(room: Channel, *, may_change: bool) -> dict[str, Any]:
    if not may_change:
        return {
            "type": "section",
            "text": {"type": "mrkdwn", "text": f"<#{room.id}> · {inner(room_form.MODES[room.mode])}"},
        }
    options = room_form.options()
    select = {
        "type": "static_select",
        "action_id": f"{ID}:mode:home:{room.id}",
        "options": list(options.values()),
        "initial_option": options[room.mode],
    }
    return {"type": "section", "text": {"type": "mrkdwn", "text": f"<#{room.id}>"}, "accessory": select}
