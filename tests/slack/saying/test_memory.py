from __future__ import annotations

from tests.slack.conftest import NO_ROOM, Party, texts


def a_solved_case(party: Party, channel: str, paste: str) -> None:
    ts = party.maya.post(channel, paste)["ts"]
    reply = party.maya.wait_for_reply(channel, ts)["ts"]
    party.jonas.click(channel, reply, "vt1:resolve")
    party.settled()


def test_a_problem_that_was_met_before_is_told_with_who_solved_it(fresh_party: Party) -> None:
    first, second = fresh_party.a_channel(), fresh_party.a_channel()
    a_solved_case(fresh_party, first, NO_ROOM)

    ts = fresh_party.maya.post(second, NO_ROOM)["ts"]

    fresh_party.maya.wait_for_reply(second, ts)
    blocks = fresh_party.said(second, ts)[0]["blocks"]
    assert "Seen once" in texts(blocks)
    assert "archives" in str(blocks)


def test_a_private_channel_is_never_told_of_in_another(fresh_party: Party) -> None:
    secret, public = fresh_party.a_channel(private=True), fresh_party.a_channel()
    a_solved_case(fresh_party, secret, NO_ROOM)

    ts = fresh_party.maya.post(public, NO_ROOM)["ts"]

    fresh_party.maya.wait_for_reply(public, ts)
    assert "Seen" not in texts(fresh_party.said(public, ts)[0]["blocks"])


def test_another_model_with_the_same_problem_has_a_budget_of_its_own(fresh_party: Party) -> None:
    channel = fresh_party.a_channel()
    a_solved_case(fresh_party, channel, f"{NO_ROOM} # on an L4")
    again = f"{NO_ROOM} # on an L4"
    other = again.replace("meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen2.5-7B-Instruct")

    stamps = [fresh_party.maya.post(channel, text)["ts"] for text in (again, other)]

    replies = [texts(fresh_party.maya.wait_for_reply(channel, ts)["blocks"]) for ts in stamps]
    assert [(True, False), (True, True)] == [("Seen" in said, "allowance" in said) for said in replies]
