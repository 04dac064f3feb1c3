from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from slack_sdk import WebClient

from bot.journal.team_sheet import TeamSheet, keep, sheet_of, sheets
from bot.slack.desk import Desk
from bot.slack.listeners.teams import save
from tests.slack.conftest import Party, texts, wait_for


def workspace_of(party: Party) -> str:
    return next(iter(party.workspace.rig.world.teams))


def set_up(party: Party, name: str, **settings: object) -> None:
    keep(party.journal, workspace_of(party), TeamSheet.model_validate({"name": name, **settings}))


def open_form(party: Party, name: str, person: str = "maya") -> str:
    human = party.workspace.human(person)
    human.do("open_home")
    wait_for(lambda: name in texts(human.do("home")["view"]))
    view = human.shown_by(lambda: human.do("click", view="home", action_id=f"vt1:team:edit:{name}"))
    return view["id"]


def test_home_names_the_teams_and_when_they_are_told(party: Party) -> None:
    set_up(party, "search", digest_channel="C9", digest_day="friday", zone="Europe/Berlin")

    party.maya.do("open_home")

    wait_for(lambda: "digest on Friday at 09:00, Europe/Berlin" in texts(party.maya.do("home")["view"]))


def test_an_admin_changes_a_team_in_a_form(party: Party) -> None:
    set_up(party, "editable")
    view = open_form(party, "editable")

    values = {"vt1:teaming:zone": "Asia/Tokyo", "vt1:teaming:quiet_hours": "20:00-7:00"}
    party.maya.do("submit", view=view, values=values)

    found = wait_for(lambda: sheet_of(party.journal, workspace_of(party), "editable"))
    assert ("Asia/Tokyo", "20:00-07:00") == (found.zone, found.quiet_hours)


def test_what_is_wrong_is_said_beside_its_field(party: Party) -> None:
    set_up(party, "wrong")
    view = open_form(party, "wrong")

    said = party.maya.do("submit", view=view, values={"vt1:teaming:zone": "Mars"})

    assert "no time zone" in str(said)
    party.maya.do("close", all=True)


def test_a_team_that_is_new_is_made(party: Party) -> None:
    party.maya.do("open_home")
    wait_for(lambda: "New team" in texts(party.maya.do("home")["view"]))
    view = party.maya.shown_by(lambda: party.maya.do("click", view="home", action_id="vt1:team:new"))

    party.maya.do("submit", view=view["id"], values={"vt1:teaming:name": "fresh"})

    assert wait_for(lambda: sheet_of(party.journal, workspace_of(party), "fresh"))


def test_who_leads_nothing_changes_nothing(party: Party) -> None:
    set_up(party, "guarded")

    party.jonas.do("open_home")

    wait_for(lambda: "guarded" in texts(party.jonas.do("home")["view"]))
    assert "vt1:team" not in str(party.jonas.do("home")["view"])


def test_home_tells_people_how_their_team_did(party: Party) -> None:
    users = party.workspace.rig.world.users.values()
    jonas = next(user.id for user in users if user.name == "jonas")
    set_up(party, "told", members=(jonas,))

    party.jonas.do("open_home")

    wait_for(lambda: "told: No vLLM problems." in texts(party.jonas.do("home")["view"]))


@pytest.mark.parametrize("name", ["sealed-off", ""])
def test_a_form_that_a_stranger_sends_is_refused_whoever_opened_it(party: Party, name: str) -> None:
    set_up(party, "sealed-off", digest_channel="C9", retention_days=30)
    workspace = workspace_of(party)
    client = WebClient("xoxb-local", base_url=party.workspace.api_url, retry_handlers=[])
    people = {user.name: user.id for user in party.workspace.rig.world.users.values()}
    before = sheets(party.journal, workspace)

    said = save(Desk(party.journal, client, "U0"), workspace, people["jonas"], {"private_metadata": name, "state": {}})

    assert {"zone": "Only admins of the workspace and the team's leads may change this."} == said
    assert before == sheets(party.journal, workspace)


def test_a_form_that_is_sent_twice_at_once_makes_one_team_and_complains_of_nothing(party: Party) -> None:
    party.maya.do("open_home")
    wait_for(lambda: "New team" in texts(party.maya.do("home")["view"]))
    view = party.maya.shown_by(lambda: party.maya.do("click", view="home", action_id="vt1:team:new"))["id"]
    values = {"vt1:teaming:name": "twice"}
    party.maya.do("submit", view=view, values={**values, "vt1:teaming:zone": "Mars"})

    with ThreadPoolExecutor(2) as hands:
        sent = {**values, "vt1:teaming:zone": "Asia/Tokyo"}
        told = list(hands.map(lambda _: party.maya.do("submit", view=view, values=sent), range(2)))

    assert [True, True] == [each["ok"] for each in told]
    assert sheet_of(party.journal, workspace_of(party), "twice")


def test_a_lead_takes_no_channel_from_a_team_that_is_not_theirs(party: Party) -> None:
    workspace = workspace_of(party)
    client = WebClient("xoxb-local", base_url=party.workspace.api_url, retry_handlers=[])
    people = {user.name: user.id for user in party.workspace.rig.world.users.values()}
    set_up(party, "robbed", channels=("C77",))
    set_up(party, "grasping", leads=(people["jonas"],))
    desk = Desk(party.journal, client, "U0")
    wanted = {"channels": {"chosen": {"selected_conversations": ["C77"]}}}
    form = {"private_metadata": "grasping", "state": {"values": wanted}}

    assert "robbed's" in save(desk, workspace, people["jonas"], form)["channels"]
    assert ("C77",) == sheet_of(party.journal, workspace, "robbed").channels

    assert {} == save(desk, workspace, people["maya"], form)
    assert ("C77",) == sheet_of(party.journal, workspace, "grasping").channels
