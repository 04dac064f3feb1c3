"""What was met before, told to those who may know of it."""

from __future__ import annotations

from collections.abc import Callable

from tests.walk.pastes import KV_TOO_SMALL
from tests.walk.served import Json, Walk, texts, wait_for


def a_case(walk: Walk, *, private: bool = False, solved: bool = True) -> Json:
    channel = walk.a_channel(private=private)
    posted = walk.maya.post(channel, KV_TOO_SMALL)
    reply = walk.reply(channel, posted["ts"])
    if solved:
        person = walk.maya if private else walk.jonas
        person.click(channel, reply["ts"], "vt1:resolve")
        person.do("close", all=True)
    walk.settled()
    return posted | {"reply": walk.said(channel, posted["ts"])[0], "name": channel}


def test_a_problem_that_was_met_before_is_told_in_short_with_who_solved_it(walk: Walk) -> None:
    first = a_case(walk)
    full = texts(first["reply"]["blocks"])
    for _ in range(3):
        a_case(walk, solved=False)

    again = a_case(walk, solved=False)

    said = texts(again["reply"]["blocks"])
    jonas = next(user["id"] for user in walk.maya.do("world")["users"] if user["name"] == "jonas")
    assert "Seen 4 times this week" in said
    assert "last solved by" in said
    assert jonas in str(again["reply"]["blocks"])
    assert f"/archives/{first['channel']}/p{first['ts'].replace('.', '')}" in str(again["reply"]["blocks"])
    assert "--max-model-len" in said
    left_out = ("outside", "--kv-cache-dtype fp8", "Under Details")
    assert [(True, False)] * len(left_out) == [(text in full, text in said) for text in left_out]


def test_what_the_short_reply_leaves_out_is_under_details(walk: Walk) -> None:
    a_case(walk)
    again = a_case(walk, solved=False)

    view = walk.maya.shown_by(lambda: walk.maya.click(again["name"], again["reply"]["ts"], "vt1:details"))

    assert "allowance" in texts(view["blocks"])


def test_a_private_channel_is_never_told_of_in_another(walk: Walk) -> None:
    secret = a_case(walk, private=True)

    public = a_case(walk, solved=False)

    assert "Seen" not in texts(public["reply"]["blocks"])
    assert secret["channel"] not in str(public["reply"])


def test_a_private_channel_remembers_its_own_cases(walk: Walk) -> None:
    channel = walk.a_channel(private=True)
    walk.reply(channel, walk.maya.post(channel, KV_TOO_SMALL)["ts"])
    walk.settled()

    again = walk.maya.post(channel, KV_TOO_SMALL)["ts"]

    assert "Seen once this week" in texts(walk.reply(channel, again)["blocks"])


def test_a_direct_message_is_told_of_public_cases_and_never_the_other_way_round(walk: Walk) -> None:
    ts = walk.maya.post("@app", KV_TOO_SMALL)["ts"]
    assert "Seen" not in texts(walk.reply("@app", ts)["blocks"])
    walk.settled()

    public = a_case(walk, solved=False)

    assert "Seen" not in texts(public["reply"]["blocks"])


def test_what_was_said_survives_a_restart(mortal: Callable[..., Walk]) -> None:
    walk = mortal("socket")
    first = a_case(walk, solved=False)
    walk.kill()
    walk.start()

    walk.jonas.click(first["name"], first["reply"]["ts"], "vt1:resolve")

    wait_for(lambda: "Resolved by" in texts(walk.said(first["name"], first["ts"])[0]["blocks"]))
    walk.jonas.do("close", all=True)
