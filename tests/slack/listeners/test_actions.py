from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bot.case import fold
from bot.journal.entries import entries, thread_with
from tests.slack.conftest import NO_ROOM, Party, texts, wait_for


def a_case(party: Party) -> tuple[str, str, str]:
    """Return channel, paste and reply of a case."""
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    return channel, ts, party.maya.wait_for_reply(channel, ts)["ts"]


def test_a_solved_case_says_who_solved_it(party: Party) -> None:
    channel, ts, reply = a_case(party)

    party.jonas.click(channel, reply, "vt1:resolve")

    wait_for(lambda: "Resolved by" in texts(party.said(channel, ts)[0]["blocks"]))


def test_a_solved_case_can_be_reopened(party: Party) -> None:
    channel, ts, reply = a_case(party)
    party.jonas.click(channel, reply, "vt1:resolve")
    wait_for(lambda: "Resolved" in texts(party.said(channel, ts)[0]["blocks"]))

    party.maya.click(channel, reply, "vt1:reopen")

    wait_for(lambda: "Resolved" not in texts(party.said(channel, ts)[0]["blocks"]))


def test_details_open_at_once(party: Party) -> None:
    channel, _, reply = a_case(party)

    view = party.maya.shown_by(lambda: party.maya.click(channel, reply, "vt1:details"))

    party.maya.do("close", all=True)
    assert "All causes considered" in texts(view["blocks"])


def test_what_is_not_ours_is_taken_back(party: Party) -> None:
    channel, ts, reply = a_case(party)

    party.maya.click(channel, reply, "vt1:more", "not-ours")

    wait_for(lambda: not party.said(channel, ts))


def test_a_muted_thread_hears_no_more_of_us(party: Party) -> None:
    channel, ts, reply = a_case(party)
    party.maya.click(channel, reply, "vt1:more", "mute")
    party.settled()
    before = party.said(channel, ts)

    party.maya.post(channel, "it is one L4", thread_ts=ts)

    party.settled()
    assert before == party.said(channel, ts)


def test_an_escalation_calls_people_once(party: Party) -> None:
    channel, ts, reply = a_case(party)

    for person in (party.maya, party.jonas):
        person.click(channel, reply, "vt1:more", "escalate")

    wait_for(lambda: [message for message in party.said(channel, ts) if "Help is wanted" in message["text"]])
    party.settled()
    assert 1 == len([message for message in party.said(channel, ts) if "Help is wanted" in message["text"]])


def test_a_button_that_nobody_knows_any_more_gets_a_polite_answer(party: Party) -> None:
    channel, ts, _ = a_case(party)
    old = {
        "type": "actions",
        "block_id": "old",
        "elements": [{"type": "button", "action_id": "vt0:retired", "text": text("Old")}],
    }
    stamp = party.maya.post(channel, "x", thread_ts=ts, raw={"blocks": [old]})["ts"]

    party.maya.click(channel, stamp, "vt0:retired")

    wait_for(
        lambda: [whisper for whisper in party.maya.do("ephemerals")["messages"] if "older version" in str(whisper)]
    )


def test_an_answer_becomes_a_fact_of_the_case(party: Party) -> None:
    channel, ts, _ = a_case(party)

    press(party, channel, ts, "vt1:answer:gpu:0", "L4")

    wait_for(lambda: "L4" in texts(party.said(channel, ts)[0]["blocks"]))


def test_of_two_answers_the_later_counts(party: Party) -> None:
    channel, ts, _ = a_case(party)

    press(party, channel, ts, "vt1:answer:gpu:0", "L4")
    press(party, channel, ts, "vt1:answer:gpu:1", "H100")

    party.settled()
    assert fold(entries(party.journal, the_thread(party, ts))).facts == {"gpu": "H100"}


def test_not_knowing_is_an_answer_too(party: Party) -> None:
    channel, ts, _ = a_case(party)

    press(party, channel, ts, "vt1:unsure:gpu", ts)

    party.settled()
    assert {"gpu"} == fold(entries(party.journal, the_thread(party, ts))).declined


def press(party: Party, channel: str, ts: str, action: str, value: str) -> None:
    """Press a button as an old reply may hold it."""
    pressed = {"type": "button", "action_id": action, "text": text("B"), "value": value}
    row = {"type": "actions", "block_id": "b", "elements": [pressed]}
    stamp = party.maya.post(channel, "x", thread_ts=ts, raw={"blocks": [row]})["ts"]
    party.maya.click(channel, stamp, action)


def test_clicks_of_many_at_the_same_time_are_all_kept(party: Party) -> None:
    channel, ts, reply = a_case(party)
    people = [party.maya, party.jonas, party.workspace.human("priya")]

    with ThreadPoolExecutor(3) as hands:
        list(hands.map(lambda person: person.click(channel, reply, "vt1:unhelpful"), people))

    party.settled()
    thread = the_thread(party, ts)
    assert 3 == len(fold(entries(party.journal, thread)).feedback)


def text(label: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": label}


def the_thread(party: Party, ts: str) -> Any:
    with party.journal.engine.connect() as connection:
        workspace, channel = connection.exec_driver_sql(
            f"SELECT workspace, channel FROM entries WHERE message = '{ts}' LIMIT 1"
        ).one()
    return thread_with(party.journal, workspace, channel, ts)
