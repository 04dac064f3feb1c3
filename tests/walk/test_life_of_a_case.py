"""The life of a case: edited, deleted, resolved, reopened, escalated, muted, judged, closed when it goes quiet."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.walk.pastes import KV_TOO_SMALL, NO_BLOCKS, NO_ROOM
from tests.walk.served import Json, Walk, buttons, texts, wait_for

DAY = 24 * 3600


def a_case(walk: Walk, text: str = NO_ROOM) -> tuple[str, str, Json]:
    channel = walk.a_channel()
    ts = walk.maya.post(channel, text)["ts"]
    walk.reply(channel, ts)
    walk.settled()
    return channel, ts, walk.said(channel, ts)[0]


def state_of(walk: Walk, ts: str) -> str:
    return walk.query("SELECT state FROM incidents WHERE root = ?", ts)[0][0]


def test_an_edited_paste_is_diagnosed_again_in_the_same_reply_with_what_changed(walk: Walk) -> None:
    channel, ts, reply = a_case(walk)

    walk.maya.do("edit", channel=channel, ts=ts, text=KV_TOO_SMALL)

    wait_for(lambda: "131,072" in texts(walk.said(channel, ts)[0]["blocks"]))
    (now,) = walk.said(channel, ts)
    assert reply["ts"] == now["ts"]
    assert "Before the edit: Nothing is left for the KV cache" in texts(now["blocks"])


def test_an_edit_that_says_what_was_missing_makes_it_speak(walk: Walk) -> None:
    channel = walk.a_channel()
    ts = walk.maya.post(channel, "my server does not start")["ts"]
    walk.settled()

    walk.maya.do("edit", channel=channel, ts=ts, text=NO_ROOM)

    assert "KV cache" in walk.reply(channel, ts)["text"]


def test_an_unfurled_link_changes_nothing(walk: Walk) -> None:
    channel, ts, reply = a_case(walk)

    walk.maya.do("unfurl", channel=channel, ts=ts)

    walk.settled()
    assert [reply["blocks"]] == [each["blocks"] for each in walk.said(channel, ts)]
    assert not [call for call in walk.maya.calls("chat.update") if call["args"]["ts"] == reply["ts"]]


def test_a_deleted_paste_takes_its_reply_along(walk: Walk) -> None:
    channel, ts, _ = a_case(walk)

    walk.maya.do("delete", channel=channel, ts=ts)

    wait_for(lambda: not walk.said(channel, ts))
    walk.settled()
    assert "withdrawn" == state_of(walk, ts)


def test_a_deleted_paste_that_others_spoke_about_keeps_a_word_in_the_thread(walk: Walk) -> None:
    channel, ts, reply = a_case(walk)
    walk.jonas.post(channel, "I had that last week", thread_ts=ts)
    walk.settled()

    walk.maya.do("delete", channel=channel, ts=ts)

    wait_for(lambda: "was deleted" in walk.said(channel, ts)[0]["text"])
    assert [reply["ts"]] == [each["ts"] for each in walk.said(channel, ts)]


def test_solved_names_who_solved_it_and_offers_to_reopen(walk: Walk) -> None:
    channel, ts, reply = a_case(walk)

    walk.jonas.click(channel, reply["ts"], "vt1:resolve")

    wait_for(lambda: "Resolved by" in texts(walk.said(channel, ts)[0]["blocks"]))
    walk.settled()
    (now,) = walk.said(channel, ts)
    assert {"vt1:reopen"} < buttons(now).keys()
    assert "vt1:resolve" not in buttons(now)
    wait_for(lambda: ["white_check_mark"] == walk.marks(channel, ts))
    assert "resolved" == state_of(walk, ts)
    walk.jonas.do("close", all=True)


def test_who_presses_solved_can_say_which_fix_worked(walk: Walk) -> None:
    channel, ts, reply = a_case(walk, KV_TOO_SMALL)
    view = walk.jonas.shown_by(lambda: walk.jonas.click(channel, reply["ts"], "vt1:resolve"))
    choices = view["blocks"][0]["element"]["options"]

    walk.jonas.do("submit", view=view["id"], values={"fix": choices[0]["value"]})

    wait_for(lambda: choices[0]["text"]["text"] in texts(walk.said(channel, ts)[0]["blocks"][0]))
    walk.settled()
    assert choices[0]["value"] == walk.query("SELECT fix FROM incidents WHERE root = ?", ts)[0][0]


def test_solved_counts_when_nobody_says_which_fix(walk: Walk) -> None:
    channel, ts, reply = a_case(walk, KV_TOO_SMALL)

    walk.jonas.click(channel, reply["ts"], "vt1:resolve")
    walk.jonas.do("close", all=True)

    walk.settled()
    assert "resolved" == state_of(walk, ts)


def test_reopen_opens_the_case_again(walk: Walk) -> None:
    channel, ts, reply = a_case(walk)
    walk.jonas.click(channel, reply["ts"], "vt1:resolve")
    wait_for(lambda: "vt1:reopen" in buttons(walk.said(channel, ts)[0]))
    walk.jonas.do("close", all=True)

    walk.maya.click(channel, reply["ts"], "vt1:reopen")

    wait_for(lambda: "vt1:resolve" in buttons(walk.said(channel, ts)[0]))
    wait_for(lambda: ["eyes"] == walk.marks(channel, ts))
    assert "open" == state_of(walk, ts)


def test_a_check_mark_resolves_and_taking_it_back_reopens(walk: Walk) -> None:
    channel, ts, _ = a_case(walk)

    walk.maya.do("react", channel=channel, ts=ts, name="white_check_mark")

    wait_for(lambda: "Resolved by" in texts(walk.said(channel, ts)[0]["blocks"]))
    walk.maya.do("react", channel=channel, ts=ts, name="white_check_mark")
    wait_for(lambda: "Resolved by" not in texts(walk.said(channel, ts)[0]["blocks"]))


@pytest.mark.parametrize(("words", "state"), [("resolved", "resolved"), ("solved.", "resolved")])
def test_a_word_in_the_thread_resolves(walk: Walk, words: str, state: str) -> None:
    channel, ts, _ = a_case(walk)

    walk.jonas.post(channel, f"@vllm-triage {words}", thread_ts=ts)

    wait_for(lambda: state_of(walk, ts) == state)


def test_not_a_vllm_problem_takes_the_reply_back(walk: Walk) -> None:
    channel, ts, reply = a_case(walk)

    walk.jonas.click(channel, reply["ts"], "vt1:more", "not-ours")

    wait_for(lambda: not walk.said(channel, ts))
    wait_for(lambda: not walk.marks(channel, ts))
    walk.settled()
    assert "not-ours" == state_of(walk, ts)


def test_an_escalation_mentions_the_owning_group_once_with_a_summary(walk: Walk) -> None:
    group = walk.maya.do("world")["usergroups"][0]["id"]
    channel, ts, reply = a_case(walk, KV_TOO_SMALL)
    walk.maya.wait_for_reply(channel, walk.maya.post(channel, f"@vllm-triage helpers <!subteam^{group}>")["ts"])

    for person in (walk.jonas, walk.maya):
        person.click(channel, reply["ts"], "vt1:more", "escalate")
    walk.jonas.post(channel, "@vllm-triage escalate", thread_ts=ts)

    walk.settled()
    (call,) = [each for each in walk.said(channel, ts) if group in str(each["blocks"])]
    assert "cannot hold one request" in texts(call["blocks"])
    assert "L4" in texts(call["blocks"])


@pytest.mark.parametrize("words", ["mute this thread", "@vllm-triage mute"])
def test_a_word_mutes_the_thread(walk: Walk, words: str) -> None:
    channel, ts, reply = a_case(walk)

    walk.jonas.post(channel, words, thread_ts=ts)

    wait_for(lambda: ["zipper_mouth_face"] == walk.marks(channel, ts))
    walk.maya.post(channel, "one L4, vllm 0.11.0", thread_ts=ts)
    walk.settled()
    assert [reply["blocks"]] == [each["blocks"] for each in walk.said(channel, ts)]


def test_a_reaction_mutes_and_a_mention_wakes(walk: Walk) -> None:
    channel, ts, _ = a_case(walk)
    walk.jonas.do("react", channel=channel, ts=ts, name="mute")
    wait_for(lambda: ["zipper_mouth_face"] == [name for name in walk.marks(channel, ts) if name != "mute"])

    walk.maya.post(channel, "@vllm-triage it is one L4, vllm 0.11.0", thread_ts=ts)

    wait_for(lambda: "L4" in texts(walk.said(channel, ts)[0]["blocks"]))


def test_a_reply_that_did_not_help_is_asked_why(walk: Walk) -> None:
    channel, ts, reply = a_case(walk)
    view = walk.jonas.shown_by(lambda: walk.jonas.click(channel, reply["ts"], "vt1:unhelpful"))

    walk.jonas.do("submit", view=view["id"], values={"reason": "we run on TPUs"})

    walk.settled()
    heard = walk.query("SELECT text, value FROM entries WHERE root = ? AND kind = 'feedback' ORDER BY id", ts)
    assert [("", "unhelpful"), ("we run on TPUs", "unhelpful")] == heard
    assert 0 == walk.query("SELECT helpful FROM incidents WHERE root = ?", ts)[0][0]


def test_a_thumb_counts_as_feedback(walk: Walk) -> None:
    channel, ts, reply = a_case(walk)

    walk.jonas.do("react", channel=channel, ts=reply["ts"], name="+1")

    wait_for(lambda: walk.query("SELECT helpful FROM incidents WHERE root = ?", ts)[0][0] == 1)


def older(walk: Walk, days: float) -> None:
    """Make everything that was said so many days older, while the program is down."""
    for table, column in (("entries", "at"), ("incidents", "opened_at")):
        walk.query(f"UPDATE {table} SET {column} = strftime('%Y-%m-%d %H:%M:%f000', {column}, '-{days} days')")


def test_a_quiet_case_gets_one_reminder_and_then_closes_itself(own_walk: Callable[..., Walk]) -> None:
    walk = own_walk()
    channel, ts, reply = a_case(walk)

    for _ in range(2):  # a second start reminds nobody again
        walk.kill()
        older(walk, 2)
        walk.start()
        wait_for(lambda: walk.workspace.stage.hub.sockets)
        walk.settled()
    wait_for(lambda: [each for each in walk.said(channel, ts) if "Is this solved?" in each["text"]])
    assert 2 == len(walk.said(channel, ts))

    walk.kill()
    older(walk, 7)
    walk.start()

    wait_for(lambda: "nothing was heard" in texts(walk.said(channel, ts)[0]["blocks"]))
    assert [reply["ts"]] == [each["ts"] for each in walk.said(channel, ts)][:1]
    assert 2 == len(walk.said(channel, ts))


def test_a_case_that_people_still_talk_about_is_not_reminded(walk: Walk) -> None:
    channel, ts, _ = a_case(walk, NO_BLOCKS)
    walk.jonas.post(channel, "looking into it", thread_ts=ts)

    walk.settled()
    assert 1 == len(walk.said(channel, ts))
