from __future__ import annotations

from bot.slack.home.room_form import VIEW, filled, finder, form


def test_the_form_begins_at_the_channels_mode() -> None:
    view = form("C1", "mention")

    assert (VIEW, "C1") == (view["callback_id"], view["private_metadata"])
    assert "mention" == view["blocks"][1]["element"]["initial_option"]["value"]


def test_what_was_chosen_is_read_back() -> None:
    chosen = {"mode": {"mode": {"selected_option": {"value": "off"}}}}

    assert ("C1", "off") == filled({"private_metadata": "C1", "state": {"values": chosen}})


def test_a_mode_that_nobody_knows_is_none() -> None:
    chosen = {"mode": {"mode": {"selected_option": {"value": "loud"}}}}

    assert ("C1", None) == filled({"private_metadata": "C1", "state": {"values": chosen}})


def test_direct_messages_are_not_offered() -> None:
    assert ["public", "private"] == finder()["accessory"]["filter"]["include"]
