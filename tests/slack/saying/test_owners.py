from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.case import Thread
from bot.incident import Incident
from bot.journal.incidents import incident_of
from bot.journal.teams import Team, drop_team, set_team
from tests.slack.conftest import NO_ROOM, Party, wait_for


def workspace_of(party: Party) -> str:
    return next(iter(party.workspace.rig.world.teams))


def thread_of(party: Party, posted: dict[str, str]) -> Thread:
    return Thread(workspace=workspace_of(party), channel=posted["channel"], root=posted["ts"])


@pytest.fixture
def team(party: Party) -> Iterator[str]:
    set_team(party.journal, Team(workspace=workspace_of(party), name="ml"))
    yield "ml"
    drop_team(party.journal, workspace_of(party), "ml")


def filed(party: Party, posted: dict[str, str]) -> Incident:
    return wait_for(lambda: incident_of(party.journal, thread_of(party, posted)))


def test_whose_case_it_is_may_be_chosen_below_the_reply(party: Party, team: str) -> None:
    channel = party.a_channel()
    posted = party.maya.post(channel, NO_ROOM)
    reply = party.maya.wait_for_reply(channel, posted["ts"])
    party.settled()
    assert workspace_of(party) == filed(party, posted).team

    party.maya.do("select", channel=channel, ts=reply["ts"], action_id="vt1:own", value=team)

    party.settled()
    assert team == filed(party, posted).team
    assert "vt1:own" not in str(party.said(channel, posted["ts"])[0]["blocks"])


@pytest.mark.usefixtures("team")
def test_a_persons_team_owns_what_they_paste(party: Party) -> None:
    maya = next(user for user in party.workspace.rig.world.users.values() if user.name == "maya")
    set_team(party.journal, Team(workspace=workspace_of(party), name="ml", members=(maya.id,)))
    channel = party.a_channel()

    posted = party.maya.post(channel, NO_ROOM)

    party.maya.wait_for_reply(channel, posted["ts"])
    party.settled()
    assert "ml" == filed(party, posted).team


def test_an_incident_knows_when_it_was_first_answered(party: Party) -> None:
    channel = party.a_channel()
    posted = party.maya.post(channel, NO_ROOM)
    party.maya.wait_for_reply(channel, posted["ts"])
    party.settled()

    found = filed(party, posted)
    assert found.answered_at is not None
    assert found.answered_at >= found.opened_at


def test_a_withdrawn_case_is_kept_as_withdrawn(party: Party) -> None:
    channel = party.a_channel()
    posted = party.maya.post(channel, NO_ROOM)
    party.maya.wait_for_reply(channel, posted["ts"])
    party.settled()

    party.maya.do("delete", channel=channel, ts=posted["ts"])

    party.settled()
    wait_for(lambda: filed(party, posted).state == "withdrawn")
    assert filed(party, posted).pasted is None
