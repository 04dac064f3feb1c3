"""A form that is changed faster than it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any, cast

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.journal.drawings import Drawing, note_drawing
from bot.journal.presses import press_of
from bot.slack.desk import Desk, moment
from bot.slack.listeners import redrawing, sizes
from bot.slack.listeners.redrawing import redraw
from tests.slack.conftest import Party, texts, wait_for

TEXT = "vt1:sizing:text"


@pytest.fixture
def form(party: Party) -> Iterator[dict[str, Any]]:
    """An open form."""
    channel = party.a_channel(mode=None)
    yield party.maya.shown_by(lambda: party.maya.slash(channel, "/vllm-size"))
    party.maya.do("fault", clear=True)
    party.maya.do("close", all=True)


def slow(party: Party, seconds: float) -> None:
    """Let Slack take that long over the next drawing that it is not slow for yet."""
    party.maya.do("fault", kind="delay", on="views.update", seconds=seconds)


def change(party: Party, view: dict[str, Any], *values: str) -> None:
    for value in values:
        party.maya.do("select", view=view["id"], action_id=TEXT, value=value)


def shown(party: Party) -> str:
    return texts(party.maya.views()[0]["blocks"][5:])


def calls(party: Party) -> int:
    return len(party.maya.calls("views.update"))


def drawn(party: Party, before: int, times: int) -> str:
    """Return what the form shows when Slack was asked that often to draw it."""
    wait_for(lambda: calls(party) >= before + times)
    party.settled()
    return shown(party)


def test_a_change_made_while_an_earlier_one_is_drawn_is_drawn_over_it(party: Party, form: dict[str, Any]) -> None:
    slow(party, 0.5)
    slow(party, 0.5)

    change(party, form, "1xL4 Qwen/Qwen3-14B", "2xL40S Qwen/Qwen3-14B")

    wait_for(lambda: "L40S" in shown(party))


def test_a_change_that_is_drawn_late_leaves_a_later_one_as_it_is(party: Party, form: dict[str, Any]) -> None:
    slow(party, 0.5)
    before = calls(party)

    change(party, form, "1xL4 Qwen/Qwen3-14B", "2xL40S Qwen/Qwen3-14B")

    wait_for(lambda: "L40S" in shown(party))
    assert "L40S" in drawn(party, before, 2)


def test_a_change_that_slack_does_not_take_at_once_is_drawn_soon(party: Party, form: dict[str, Any]) -> None:
    party.maya.do("fault", kind="rate_limited", on="views.update", seconds=1)

    change(party, form, "2xL40S Qwen/Qwen3-14B")

    wait_for(lambda: "L40S" in shown(party))


def test_a_change_whose_drawing_nobody_wrote_down_is_drawn_over(party: Party, form: dict[str, Any]) -> None:
    party.maya.do("fault", kind="lost_answer", on="views.update")

    change(party, form, "2xL40S Qwen/Qwen3-14B")
    wait_for(lambda: "L40S" in shown(party))
    change(party, form, "4xL4 Qwen/Qwen3-14B")

    wait_for(lambda: "4 × L4" in shown(party))


def test_of_many_changes_made_while_the_first_is_drawn_only_the_last_is_drawn(
    party: Party, form: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, begun, goes_on = sizes._draw_form, Event(), Event()

    def draw_late(*told: Any) -> None:
        begun.set()
        goes_on.wait(30)
        draw(*told)

    monkeypatch.setattr(sizes, "_draw_form", draw_late)
    before = calls(party)
    change(party, form, "1xL4 Qwen/Qwen3-14B")
    begun.wait(30)
    change(party, form, "2xL4 Qwen/Qwen3-14B", "4xL4 Qwen/Qwen3-14B", "2xL40S Qwen/Qwen3-14B")
    party.settled()
    goes_on.set()

    wait_for(lambda: "L40S" in shown(party))
    assert before + 2 == calls(party)


def test_a_form_that_was_closed_is_left_alone(party: Party, form: dict[str, Any]) -> None:
    slow(party, 0.2)
    before = calls(party)

    change(party, form, "2xL40S Qwen/Qwen3-14B")
    party.maya.do("close", all=True)

    wait_for(lambda: calls(party) > before)
    assert [] == party.maya.views()


class Refusing:
    """Slack, for which every mark but the last drawing's is an old one."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused
        self.marks: list[str | None] = []

    def views_update(self, **said: Any) -> dict[str, Any]:
        self.marks.append(said["hash"])
        if said["hash"] in self.refused:
            raise SlackApiError("", {"error": "hash_conflict"})
        return {"view": {"hash": "ours"}}


def redrawn(party: Party, view: str, slack: Refusing) -> list[str | None]:
    """Return the marks with which a change of ten o'clock was drawn in a view that it saw as "seen"."""
    client = cast("WebClient", slack)
    body = {"team": {"id": "T1"}, "view": {"id": view, "hash": "seen"}, "actions": [{"action_ts": "36000.0"}]}
    redraw(Desk(party.journal, client, "U0"), client, body, {})
    return slack.marks


@pytest.mark.parametrize(("drawn_at", "marks"), [("36001.0", []), ("35999.0", ["drawn"])])
def test_a_change_goes_over_an_earlier_one_and_never_over_a_later(
    party: Party, drawn_at: str, marks: list[str]
) -> None:
    note_drawing(party.journal, press_of("T1", "", ["drawn", f"V{drawn_at}"]), Drawing(moment(drawn_at), "drawn"))

    assert marks == redrawn(party, f"V{drawn_at}", Refusing("seen"))


def test_a_change_made_in_a_drawing_that_nobody_wrote_down_goes_over_that(party: Party) -> None:
    note_drawing(party.journal, press_of("T1", "", ["drawn", "V-lost"]), Drawing(moment("35999.0"), "before"))

    assert ["before", "seen"] == redrawn(party, "V-lost", Refusing("before"))


def test_where_nobody_says_what_was_drawn_a_change_goes_over_whatever_is_there(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redrawing, "_PAUSES", (0.001, 0.001))

    assert ["seen", "seen", None] == redrawn(party, "V-unknown", Refusing("seen"))
