"""Setting teams up on the Home tab: admins make them, their leads change them."""

from __future__ import annotations

import re
from typing import Any

from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient

from bot.journal.channels import all_channels
from bot.journal.presses import give_back
from bot.journal.team_sheet import TeamSheet, keep, sheet_of
from bot.slack.desk import Desk
from bot.slack.home.authority import may_administer
from bot.slack.home.groups import groups_of
from bot.slack.home.tab import home
from bot.slack.home.team_form import VIEW, filled, form
from bot.slack.listeners.actions import acknowledge
from bot.slack.listeners.messages import workspace_of
from bot.slack.listeners.once import held, once, press_in
from bot.slack.saying.opening import open_view
from bot.slack.saying.telling import person_of, tell
from bot.slack.saying.words import NO_TEAM, NOT_YOURS


def register(app: App, desk: Desk) -> None:
    """Listen to the buttons beside the teams and to the form they open."""
    _register_buttons(app, desk)

    def take(ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        press = press_in(body)
        with held(desk, press) as is_ours:
            complaints = save(desk, workspace_of(body), person_of(body), view) if is_ours else {}
            if complaints:  # the same form comes again when they are dealt with
                give_back(desk.journal, press)
        ack(response_action="errors", errors=complaints) if complaints else ack()

    def draw(body: dict[str, Any], client: WebClient) -> None:
        client.views_publish(user_id=person_of(body), view=home(desk, workspace_of(body), person_of(body)))

    app.view(VIEW)(ack=take, lazy=[draw])


def _register_buttons(app: App, desk: Desk) -> None:
    def new(body: dict[str, Any], client: WebClient, respond: Respond) -> bool:
        if may_administer(desk, workspace_of(body), person_of(body)):
            return open_view(client, respond, body, form(None, groups_of(desk, workspace_of(body))))
        tell(client, respond, body, NOT_YOURS)
        return False

    def edit(body: dict[str, Any], client: WebClient, respond: Respond) -> bool:
        name = str(body["actions"][0].get("value"))
        sheet = sheet_of(desk.journal, workspace_of(body), name)
        if sheet and may_lead(desk, workspace_of(body), person_of(body), sheet):
            return open_view(client, respond, body, form(sheet, groups_of(desk, workspace_of(body))))
        tell(client, respond, body, NOT_YOURS if sheet else NO_TEAM.format(name=name))
        return False

    app.action("vt1:team:new")(ack=acknowledge, lazy=[once(desk, new)])
    app.action(re.compile(r"^vt1:team:edit"))(ack=acknowledge, lazy=[once(desk, edit)])


def save(desk: Desk, workspace: str, person: str, view: dict[str, Any]) -> dict[str, str]:
    """Set the team that a form describes; return what is wrong by field, or nothing.

    Who may is asked again here: a form can be sent by whoever has seen one.
    """
    name = str(view.get("private_metadata") or "")
    before = sheet_of(desk.journal, workspace, name) if name else None
    if not (may_lead(desk, workspace, person, before) if before else may_administer(desk, workspace, person)):
        return {"zone": NOT_YOURS}
    sheet = filled(view, before)
    if isinstance(sheet, dict):
        return sheet
    if before is None and sheet_of(desk.journal, workspace, sheet.name):
        return {"name": f"There is a team {sheet.name} already; edit that one."}
    if owner := _other_owner(desk, workspace, person, sheet):
        return {
            "channels": f"A channel there is {owner}'s: a lead of {owner} or an admin of the workspace may move it."
        }
    keep(desk.journal, workspace, sheet)
    return {}


def _other_owner(desk: Desk, workspace: str, person: str, sheet: TeamSheet) -> str | None:
    """Return a team that would lose a channel, and with it its incidents, to somebody who has no say in it."""
    for room in all_channels(desk.journal, workspace):
        if room.team in {None, sheet.name} or room.id not in sheet.channels:
            continue
        other = sheet_of(desk.journal, workspace, room.team or "")
        if other and not may_lead(desk, workspace, person, other):
            return other.name
    return None


def may_lead(desk: Desk, workspace: str, person: str, sheet: TeamSheet) -> bool:
    """Say whether a person may change a team: its leads and whoever administers the workspace."""
    return person in sheet.leads or may_administer(desk, workspace, person)
