"""The shortcut, the Home tab, the welcome and the direct message."""

from __future__ import annotations

import time

from tests.walk.pastes import KV_TOO_SMALL, NO_ROOM
from tests.walk.served import Walk, texts, wait_for


def home_of(walk: Walk, name: str) -> str:
    """Return the text of somebody's Home tab, drawn anew."""
    person = walk.workspace.human(name)
    before = person.do("home")["view"] or {"hash": None}
    person.do("open_home")
    drawn = wait_for(lambda: [each for each in [person.do("home")["view"]] if each and each["hash"] != before["hash"]])
    return texts(drawn[0]["blocks"])


def test_the_shortcut_diagnoses_a_message_where_the_program_keeps_quiet(walk: Walk) -> None:
    channel = walk.a_channel("mention only")
    ts = walk.maya.post(channel, KV_TOO_SMALL)["ts"]
    walk.settled()
    assert [] == walk.said(channel, ts)

    walk.jonas.do("shortcut", channel=channel, ts=ts, callback_id="vt1:diagnose")

    assert "131,072" in texts(walk.reply(channel, ts)["blocks"])


def test_the_shortcut_says_where_the_program_was_not_invited(walk: Walk) -> None:
    channel = walk.a_channel_without_it()
    ts = walk.maya.post(channel, KV_TOO_SMALL)["ts"]

    told = walk.maya.do("shortcut", channel=channel, ts=ts, callback_id="vt1:diagnose")

    assert told["ok"]
    (said,) = wait_for(lambda: walk.whispers(walk.maya, channel))
    assert "Invite me" in said["text"]
    assert "131,072" in texts(said["blocks"])
    assert [] == walk.said(channel, ts)


def test_home_lists_the_open_cases_of_its_reader(walk: Walk) -> None:
    channel = walk.a_channel()
    ts = walk.jonas.post(channel, KV_TOO_SMALL)["ts"]
    walk.reply(channel, ts)
    walk.settled()

    said = home_of(walk, "jonas")

    assert "Your open cases" in said
    assert "Llama-3.1-8B" in said


def test_home_tells_the_figures_of_the_week_and_how_to_use_it(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.reply(channel, walk.jonas.post(channel, KV_TOO_SMALL)["ts"])
    walk.settled()

    said = home_of(walk, "priya")

    assert "The last seven days" in said
    assert "Most often: The KV cache cannot hold one request (1)" in said
    assert "1 case, 1 open" in said
    assert "/vllm-size" in said


def test_home_sets_when_the_program_speaks_in_a_channel(walk: Walk) -> None:
    channel = walk.a_channel()
    posted = walk.maya.post(channel, NO_ROOM)
    walk.reply(channel, posted["ts"])
    walk.settled()
    home_of(walk, "maya")

    walk.maya.do("select", view="home", action_id=f"vt1:mode:home:{posted['channel']}", value="off")

    walk.settled()
    ts = walk.maya.post(channel, f"@vllm-triage {NO_ROOM}")["ts"]
    walk.settled()
    assert [] == walk.said(channel, ts)


def test_home_never_shows_a_private_channel_to_others(walk: Walk) -> None:
    channel = walk.a_channel(private=True)
    posted = walk.maya.post(channel, NO_ROOM)
    walk.reply(channel, posted["ts"])
    walk.settled()

    home_of(walk, "priya")

    assert posted["channel"] not in str(walk.priya.do("home")["view"])


def test_home_tells_admins_alone_which_scopes_are_missing(walk: Walk) -> None:
    walk.maya.do("scopes", without=["files:write"])
    try:
        admins, others = home_of(walk, "maya"), home_of(walk, "priya")
    finally:
        walk.maya.do("scopes")

    assert "files:write" in admins
    assert "attach commands" in admins
    assert "files:write" not in others


def test_home_lets_admins_set_up_teams_and_their_digests(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.reply(channel, walk.maya.post(channel, NO_ROOM)["ts"])
    walk.settled()

    admins, others = home_of(walk, "maya"), home_of(walk, "priya")

    assert "New team" in admins
    assert "New team" not in others


def test_an_invitation_is_welcomed_once(walk: Walk) -> None:
    channel = walk.a_channel(mode=None)
    wait_for(lambda: [each for each in walk.maya.messages(channel) if each.get("bot_id")])

    walk.maya.do("remove", channel=channel)
    walk.maya.do("invite", channel=channel)

    walk.settled()
    assert 1 == len([each for each in walk.maya.messages(channel) if each.get("bot_id")])


def test_a_direct_message_begins_with_prompts_to_try(walk: Walk) -> None:
    newcomer = f"new-{time.monotonic_ns()}"
    walk.maya.do("hire", name=newcomer)
    person = walk.workspace.human(newcomer)

    person.do("open_direct")

    prompts = wait_for(lambda: person.do("messages", channel="@app")["prompts"])
    assert 2 <= len(prompts["prompts"]) <= 4
    said = wait_for(lambda: [each for each in person.messages("@app") if each.get("bot_id")])
    assert "Paste a vLLM error" in said[0]["text"]


def test_each_prompt_gets_a_useful_answer(walk: Walk) -> None:
    newcomer = f"new-{time.monotonic_ns()}"
    walk.maya.do("hire", name=newcomer)
    person = walk.workspace.human(newcomer)
    person.do("open_direct")
    prompts = wait_for(lambda: person.do("messages", channel="@app")["prompts"])["prompts"]

    for prompt in prompts:
        ts = person.post("@app", prompt["message"])["ts"]
        said = person.wait_for_reply("@app", ts)
        assert "not a vLLM problem I know" not in said["text"], prompt["message"]


def test_help_in_a_direct_message_says_how_to_use_it(walk: Walk) -> None:
    ts = walk.maya.post("@app", "help")["ts"]

    assert "Paste a vLLM error" in walk.reply("@app", ts)["text"]
