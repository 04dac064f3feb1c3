from __future__ import annotations

import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from slack_sdk.errors import SlackApiError

from bot.workspace.tickets import Hook
from tests.workspace.makers import a_modal, a_section, an_input, an_option, plain


@pytest.fixture
def user(workspace):
    return next(each for each in workspace.rig.world.users.values() if each.name == "maya")


@pytest.fixture
def trigger(workspace, user):
    return lambda: workspace.rig.tickets.trigger(user.id, user.team)


def refused(work, **arguments):
    with pytest.raises(SlackApiError) as caught:
        work(**arguments)
    return caught.value.response["error"]


def test_a_trigger_opens_one_view(client, trigger):
    once = trigger()
    client.views_open(trigger_id=once, view=a_modal())

    assert "exchanged_trigger_id" == refused(client.views_open, trigger_id=once, view=a_modal())


def test_a_trigger_lives_as_long_as_the_app_may_take_to_answer(client, trigger, maya):
    late = trigger()
    maya.do("clock", advance=30.1)

    assert "expired_trigger_id" == refused(client.views_open, trigger_id=late, view=a_modal())


def test_three_views_are_a_full_stack(client, trigger):
    client.views_open(trigger_id=trigger(), view=a_modal())
    for _ in range(2):
        client.views_push(trigger_id=trigger(), view=a_modal())

    assert "push_limit_reached" == refused(client.views_push, trigger_id=trigger(), view=a_modal())


def test_closing_shows_the_view_below(client, trigger, maya):
    first = client.views_open(trigger_id=trigger(), view=a_modal())["view"]["id"]
    client.views_push(trigger_id=trigger(), view=a_modal())
    maya.do("close")

    assert [first] == [view["id"] for view in maya.views()]


def test_an_old_hash_conflicts(client, trigger):
    view = client.views_open(trigger_id=trigger(), view=a_modal())["view"]
    client.views_update(view_id=view["id"], hash=view["hash"], view=a_modal())

    assert "hash_conflict" == refused(client.views_update, view_id=view["id"], hash=view["hash"], view=a_modal())


def test_an_update_keeps_what_was_typed(client, trigger, maya):
    view = client.views_open(trigger_id=trigger(), view=a_modal())["view"]
    maya.do("fill", values={"name": "Qwen3"})
    client.views_update(view_id=view["id"], view=a_modal(blocks=[an_input(), a_section("4.22 GiB")]))

    assert "Qwen3" == maya.views()[0]["state"]["values"]["model"]["name"]["value"]


def test_initial_values_are_state_from_the_start(client, trigger):
    element = {
        "type": "static_select",
        "action_id": "gpu",
        "options": [an_option("L4")],
        "initial_option": an_option("L4"),
    }

    view = client.views_open(trigger_id=trigger(), view=a_modal(blocks=[an_input("card", element)]))["view"]

    assert "L4" == view["state"]["values"]["card"]["gpu"]["selected_option"]["value"]


def test_a_required_input_is_asked_for_before_the_app_hears(client, trigger, maya):
    client.views_open(trigger_id=trigger(), view=a_modal())

    assert ["model"] == list(maya.do("submit")["errors"])
    assert [] == maya.do("deliveries")["deliveries"]


@pytest.mark.parametrize(
    "fields",
    [
        {"title": plain("x" * 25)},
        {"title": None},
        {"private_metadata": "x" * 3001},
        {"submit": None},
        {"blocks": [a_section() for _ in range(101)]},
        {"blocks": [{"type": "markdown", "text": "x"}]},
    ],
)
def test_a_view_beyond_the_limits_is_refused(client, trigger, fields):
    assert "invalid_arguments" == refused(client.views_open, trigger_id=trigger(), view=a_modal(**fields))


def test_a_home_tab_is_what_was_published_last(client, user, maya):
    for text in ("one", "two"):
        client.views_publish(user_id=user.id, view={"type": "home", "blocks": [a_section(text)]})

    assert "two" == maya.do("home")["view"]["blocks"][0]["text"]["text"]


def post_to(workspace, hook: str, body: dict) -> None:
    data = json.dumps(body).encode()
    with urlopen(Request(f"{workspace.rig.base}/hook/{hook}", data, {"Content-Type": "application/json"})):
        pass


@pytest.fixture
def hook(workspace, user, maya):
    sent = maya.post("#vllm-help", "x")
    return workspace.rig.tickets.hook(Hook(user.team, sent["channel"], user.id, workspace.rig.clock.now(), sent["ts"]))


def test_a_response_address_takes_five_messages(workspace, hook, maya):
    for number in range(5):
        post_to(workspace, hook, {"text": str(number)})

    with pytest.raises(HTTPError, match="404") as caught:
        post_to(workspace, hook, {"text": "5"})
    caught.value.close()
    assert 5 == len(maya.do("ephemerals")["messages"])


def test_a_response_address_lives_thirty_minutes(workspace, hook, maya):
    maya.do("clock", advance=1801)

    with pytest.raises(HTTPError, match="404") as caught:
        post_to(workspace, hook, {"text": "late"})
    caught.value.close()


def test_a_response_can_replace_the_original(workspace, hook, maya):
    post_to(workspace, hook, {"text": "answered", "replace_original": True})

    assert ["answered"] == [each["text"] for each in maya.messages("#vllm-help")]
