from __future__ import annotations

import pytest

from bot.journal.team_sheet import TeamSheet
from bot.slack.home.team_form import filled, form, section


def test_a_channel_beside_the_button_is_a_link_as_slack_shows_it() -> None:
    sheet = TeamSheet(name="search", channels=("C1",))

    (block,) = section([sheet], {"C1"}, {"search"}, may_add=False)

    assert {"type": "mrkdwn", "text": "search · <#C1> · no digest"} == block["text"]


def test_a_channel_that_is_not_public_is_counted_and_not_named() -> None:
    sheet = TeamSheet(name="search", channels=("C1",))

    (block,) = section([sheet], (), {"search"}, may_add=False)

    assert "search · 1 private · no digest" == block["text"]["text"]


def elements(sheet: TeamSheet | None, groups: dict[str, str]) -> dict[str, dict]:
    return {block["block_id"]: block["element"] for block in form(sheet, groups)["blocks"]}


def test_user_groups_are_chosen_by_name() -> None:
    shown = elements(TeamSheet(name="search", groups=("S12",), escalation="S34"), {"S12": "@search", "S34": "@oncall"})

    assert ["@search"] == [each["text"]["text"] for each in shown["groups"]["initial_options"]]
    assert ["@oncall"] == [each["text"]["text"] for each in shown["escalation"]["initial_options"]]
    assert 1 == shown["escalation"]["max_selected_items"]


def test_without_their_names_ids_are_typed_and_the_form_says_where_they_are() -> None:
    (block,) = [each for each in form(None, {})["blocks"] if each["block_id"] == "escalation"]

    assert ("plain_text_input", True) == (block["element"]["type"], "Copy group ID" in block["hint"]["text"])


def test_chosen_groups_are_read_back() -> None:
    chosen = {"groups": {"g": {"selected_options": [{"value": "S12"}, {"value": "S34"}]}}}
    sheet = filled({"state": {"values": chosen}}, TeamSheet(name="search"))

    assert ("S12", "S34") == getattr(sheet, "groups", sheet)


@pytest.mark.parametrize(("options", "called"), [([{"value": "S34"}], "S34"), ([], None)])
def test_who_is_called_can_be_taken_back(options: list[dict], called: str | None) -> None:
    sheet = filled(
        {"state": {"values": {"escalation": {"e": {"selected_options": options}}}}}, TeamSheet(name="search")
    )

    assert isinstance(sheet, TeamSheet)
    assert called == sheet.escalation
