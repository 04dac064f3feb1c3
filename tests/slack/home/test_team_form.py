from __future__ import annotations

from bot.journal.team_sheet import TeamSheet
from bot.slack.home.team_form import section


def test_a_channel_beside_the_button_is_a_link_as_slack_shows_it() -> None:
    sheet = TeamSheet(name="search", channels=("C1",))

    (block,) = section([sheet], {"C1"}, {"search"}, may_add=False)

    assert {"type": "mrkdwn", "text": "search · <#C1> · no digest"} == block["text"]


def test_a_channel_that_is_not_public_is_counted_and_not_named() -> None:
    sheet = TeamSheet(name="search", channels=("C1",))

    (block,) = section([sheet], (), {"search"}, may_add=False)

    assert "search · 1 private · no digest" == block["text"]["text"]
