from __future__ import annotations

from slack_bolt import Respond

from bot.slack.saying.telling import answer, person_of
from tests.slack.conftest import Party


def test_an_address_that_is_used_up_takes_no_answer(party: Party) -> None:
    assert not answer(Respond(response_url=f"{party.workspace.rig.base}/hook/used-up"), text="hello")


def test_a_person_is_named_by_a_press_and_by_a_command() -> None:
    assert ("U1", "U2") == (person_of({"user": {"id": "U1"}}), person_of({"user_id": "U2"}))
