"""Presses that come several times at once, as impatient people and resent deliveries make them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from slack_bolt import Respond
from slack_sdk import WebClient

from bot.slack.desk import Desk, now
from bot.slack.listeners import sizes
from bot.slack.listeners.once import AGAIN, held, once, press_in
from bot.slack.operating.manifest import SHORTCUT
from bot.slack.saying.words import UNDER_WAY
from tests.slack.conftest import NO_ROOM, Party, wait_for
from tests.slack.listeners.test_actions import a_case
from tests.slack.listeners.test_commands import whispers
from tests.slack.listeners.test_sizes import a_budget, direct_files

TODAY = now()  # what was pressed days ago the worker forgets meanwhile


def press_thrice(party: Party, channel: str, ts: str, action: str) -> None:
    with ThreadPoolExecutor(3) as hands:
        pressed = list(hands.map(lambda _: party.maya.click(channel, ts, action), range(3)))
    assert all(each["ok"] for each in pressed)
    party.settled()


def heard(party: Party, channel: str, words: str) -> list[dict[str, Any]]:
    return [each for each in whispers(party, channel) if words in each["text"]]


def test_three_presses_of_share_share_once_and_say_so(party: Party) -> None:
    channel, said = a_budget(party)

    press_thrice(party, channel, said["ts"], "vt1:size:share")

    wait_for(lambda: heard(party, channel, "already"))
    shared = wait_for(lambda: [each for each in party.jonas.messages(channel) if "It fits" in each["text"]])
    assert 1 == len(shared)


def test_three_presses_of_picture_draw_once_and_a_fourth_says_where_it_is(party: Party) -> None:
    channel, said = a_budget(party)
    before = len(direct_files(party))
    press_thrice(party, channel, said["ts"], "vt1:size:draw")
    wait_for(lambda: heard(party, channel, "direct messages"))

    party.maya.click(channel, said["ts"], "vt1:size:draw")

    wait_for(lambda: 2 == len(heard(party, channel, "direct messages")))
    assert before + 1 == len(direct_files(party))


@pytest.mark.parametrize("action", ["vt1:size:details", "vt1:size:form"])
def test_three_presses_open_one_view(party: Party, action: str) -> None:
    channel, said = a_budget(party)
    party.maya.do("calls", clear=True)

    press_thrice(party, channel, said["ts"], action)

    wait_for(party.maya.views)
    party.maya.do("close", all=True)
    assert 1 == len(party.maya.calls("views.open"))


@pytest.mark.parametrize("action", ["vt1:details", "vt1:resolve", "vt1:unhelpful"])
def test_three_presses_below_a_reply_open_one_view(party: Party, action: str) -> None:
    channel, _, reply = a_case(party)
    party.maya.do("calls", clear=True)

    press_thrice(party, channel, reply, action)

    wait_for(party.maya.views)
    party.maya.do("close", all=True)
    assert 1 == len(party.maya.calls("views.open"))


def test_three_presses_of_a_mode_are_confirmed_once(party: Party) -> None:
    channel = party.a_channel(mode=None)
    (welcome,) = [each for each in party.maya.messages(channel) if each.get("bot_id")]

    press_thrice(party, channel, welcome["ts"], "vt1:mode:auto")

    confirmed = [each for each in party.maya.messages(channel) if "From now on" in each["text"]]
    assert 1 == len(confirmed)


def test_three_shortcuts_where_we_are_no_member_are_answered_once(party: Party) -> None:
    channel = party.a_channel(mode=None)
    party.maya.do("remove", channel=channel)
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    with ThreadPoolExecutor(3) as hands:
        list(hands.map(lambda _: party.maya.do("shortcut", callback_id=SHORTCUT, channel=channel, ts=ts), range(3)))
    party.settled()

    assert 1 == len(wait_for(lambda: heard(party, channel, "Invite me")))


def test_a_share_that_slack_does_not_take_is_said_and_can_be_pressed_again(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel, said = a_budget(party)
    monkeypatch.setattr(sizes, "answer", lambda *_, **__: False)
    party.maya.click(channel, said["ts"], "vt1:size:share")
    wait_for(lambda: heard(party, channel, "did not take it"))
    monkeypatch.undo()

    party.maya.click(channel, said["ts"], "vt1:size:share")

    wait_for(lambda: [each for each in party.jonas.messages(channel) if "It fits" in each["text"]])


def test_a_command_that_is_sent_again_is_answered_once(party: Party) -> None:
    answered: list[str] = []
    desk = Desk(party.journal, WebClient("xoxb-local", base_url=party.workspace.api_url), "U0")
    command = {"team_id": "T1", "channel_id": "C1", "user_id": "U1", "text": "L4", "trigger_id": "1.2.resent"}
    listen = once(desk, lambda *_: answered.append("here"))

    for _ in range(3):
        listen(command, desk.client, Respond(response_url=None))
    listen({**command, "trigger_id": "1.3.typed-anew"}, desk.client, Respond(response_url=None))

    assert ["here", "here"] == answered


def test_a_press_that_fails_tells_a_reference_and_can_be_pressed_again(party: Party) -> None:
    desk = Desk(party.journal, WebClient("xoxb-local", base_url=party.workspace.api_url), "U0")
    maya = next(user.id for user in party.workspace.rig.world.users.values() if user.name == "maya")
    command = {"team_id": "T1", "user_id": maya, "trigger_id": "1.2.failing"}
    acts = iter([ZeroDivisionError(), None])

    def act(*_: object) -> None:
        if error := next(acts):
            raise error

    for _ in range(3):
        once(desk, act)(command, desk.client, Respond(response_url=None))

    assert [] == list(acts)
    assert wait_for(lambda: [each for each in party.maya.messages("@app") if "reference" in each["text"]])


def test_forms_are_told_apart_by_their_view_and_buttons_by_what_they_stand_for() -> None:
    form = {"view": {"id": "V1", "hash": "1"}, "user": {"id": "U1"}}
    button = {"container": {"message_ts": "1.0"}, "actions": [{"action_id": "a", "value": "x"}], "user": {"id": "U1"}}
    changed = {**button, "actions": [{"action_id": "a", "value": "y"}]}
    presses = [press_in(each) for each in (form, {**form, "view": {"id": "V2", "hash": "1"}}, button, changed)]

    assert 4 == len(set(presses))


def a_desk(party: Party) -> tuple[Desk, list[datetime]]:
    """Return a desk, and the time that its clock shows."""
    times = [TODAY]
    client = WebClient("xoxb-local", base_url=party.workspace.api_url)
    return Desk(party.journal, client, "U0", clock=lambda: times[-1]), times


def test_what_opens_is_opened_anew_after_a_few_seconds_and_what_is_done_stays_done(party: Party) -> None:
    desk, times = a_desk(party)
    acted: list[str] = []
    opens = once(desk, lambda *_: acted.append("opened"))
    shares = once(desk, lambda *_: acted.append("shared"), "It is shared already.")
    for passed in (timedelta(0), AGAIN - timedelta(seconds=1), AGAIN):
        times.append(TODAY + passed)
        opens({"team_id": "T1", "trigger_id": "1.2.open"}, desk.client, Respond(response_url=None))
        shares({"team_id": "T1", "trigger_id": "1.2.share"}, desk.client, Respond(response_url=None))

    assert ["opened", "shared", "opened"] == acted


def test_who_presses_many_times_is_told_once_that_we_are_at_it(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, times = a_desk(party)
    said: list[str] = []
    monkeypatch.setattr("bot.slack.listeners.once.tell", lambda *told: said.append(told[-1]))
    body = {"team_id": "T1", "trigger_id": "1.2.often"}

    def press(after: timedelta) -> None:
        times.append(TODAY + after)
        once(desk, act, "It is done.")(body, desk.client, Respond(response_url=None))

    def act(*_: object) -> None:
        for after in (timedelta(0), timedelta(seconds=1), AGAIN):
            press(after)

    press(timedelta(0))
    press(timedelta(seconds=1))
    press(timedelta(seconds=2))

    assert [UNDER_WAY, UNDER_WAY, "It is done."] == said


def test_a_held_press_that_fails_is_given_back(party: Party) -> None:
    desk, _ = a_desk(party)
    press = press_in({"team_id": "T1", "trigger_id": "1.2.held"})
    with pytest.raises(ZeroDivisionError), held(desk, press):
        raise ZeroDivisionError

    with held(desk, press) as is_ours:
        assert is_ours
