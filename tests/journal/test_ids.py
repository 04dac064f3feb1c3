from __future__ import annotations

from typing import Any

import pytest

from bot.journal.ids import Kind, read_id
from bot.journal.team_sheet import TeamSheet


@pytest.mark.parametrize(
    ("kind", "text", "wanted"),
    [
        ("channel", "C0123", "C0123"),
        ("channel", "<#C0123|help>", "C0123"),
        ("channel", "#G0123", "G0123"),
        ("person", "<@U0123>", "U0123"),
        ("person", "W0123", "W0123"),
        ("user group", "<!subteam^S0123|@oncall>", "S0123"),
        ("workspace", "E0123", "E0123"),
    ],
)
def test_an_id_is_read_bare_and_from_a_mention(kind: Kind, text: str, wanted: str) -> None:
    assert wanted == read_id(kind, text)


@pytest.mark.parametrize("kind", ["channel", "person", "user group", "workspace"])
@pytest.mark.parametrize("text", ["", "maya", "#help", "C", "X0123", "C0123 C0124", "C" * 99])
def test_what_is_no_id_is_told_where_to_find_one(kind: Kind, text: str) -> None:
    with pytest.raises(ValueError, match=r"is no id of a .* \(\w0123…; "):
        read_id(kind, text)


@pytest.mark.parametrize(
    "told",
    [
        {"channels": ["help"]},
        {"digest_channel": "#help"},
        {"members": ["maya"]},
        {"leads": ["C0123"]},
        {"groups": ["oncall"]},
        {"escalation": "@oncall"},
    ],
)
def test_a_team_is_made_of_ids_only(told: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="is no id of a"):
        TeamSheet(name="ml", **told)
