from __future__ import annotations

from bot.journal.channels import all_channels, channel, set_channel
from bot.journal.open import Journal


def test_a_channel_that_nobody_set_speaks_when_mentioned(journal: Journal) -> None:
    assert "mention" == channel(journal, "T1", "C1").mode


def test_settings_change_one_by_one(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", mode="auto")

    set_channel(journal, "T1", "C1", team="inference")

    assert ("auto", "inference") == (channel(journal, "T1", "C1").mode, channel(journal, "T1", "C1").team)


def test_whether_a_channel_is_private_is_not_known_until_slack_said_so(journal: Journal) -> None:
    assert set_channel(journal, "T1", "C1", mode="auto").is_private is None


def test_a_workspace_lists_its_own_channels_only(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", mode="auto")
    set_channel(journal, "T2", "C2", mode="auto")

    assert ["C1"] == [room.id for room in all_channels(journal, "T1")]
