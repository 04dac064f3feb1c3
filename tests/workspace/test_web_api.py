from __future__ import annotations

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from tests.workspace.makers import a_section


def refused(work, **arguments):
    with pytest.raises(SlackApiError) as caught:
        work(**arguments)
    return caught.value.response["error"]


def test_a_token_tells_its_team_and_bot(client, workspace):
    known = client.auth_test()

    assert "Local" == known["team"]
    assert workspace.rig.world.installations["xoxb-local"].bot_user == known["user_id"]


def test_an_unknown_method_is_called_so(client):
    assert "unknown_method" == refused(client.api_call, api_method="rtm.start")


def test_a_foreign_token_is_invalid(workspace):
    stranger = WebClient(token="xoxb-stranger", base_url=workspace.api_url)

    assert "invalid_auth" == refused(stranger.auth_test)


def test_a_bot_token_opens_no_socket(client):
    assert "not_allowed_token_type" == refused(client.apps_connections_open, app_token="xoxb-local")


def test_a_missing_scope_is_named_with_what_is_there(client, maya):
    maya.do("scopes", without=["reactions:write"])

    with pytest.raises(SlackApiError) as caught:
        client.reactions_add(channel="vllm-help", name="eyes", timestamp="1.0")

    assert "reactions:write" == caught.value.response["needed"]
    assert "chat:write" in caught.value.response["provided"]


def test_the_granted_scopes_are_in_a_header(client):
    headers = {name.lower(): value for name, value in client.auth_test().headers.items()}

    assert "chat:write" in headers["x-oauth-scopes"]


def test_another_team_sees_none_of_this_one(workspace, client):
    other = WebClient(token="xoxb-other", base_url=workspace.api_url)
    channel = client.conversations_list()["channels"][0]["id"]

    assert "channel_not_found" == refused(other.conversations_info, channel=channel)
    assert not {each["id"] for each in other.users_list()["members"]} & {
        each["id"] for each in client.users_list()["members"]
    }


def test_a_rate_limited_call_is_answered_with_429_once(client, maya):
    client.retry_handlers.append(RateLimitErrorRetryHandler(max_retry_count=1))
    maya.do("fault", kind="rate_limited", on="chat.postMessage", seconds=1)

    client.chat_postMessage(channel="vllm-help", text="patience")

    calls = maya.calls("chat.postMessage")
    assert ["rate_limited", None] == [call.get("fault") for call in calls]


def test_a_server_error_has_no_effect(client, maya):
    maya.do("fault", kind="server_error", on="chat.*")

    with pytest.raises((SlackApiError, SlackRequestError)):
        client.chat_postMessage(channel="vllm-help", text="lost")

    assert [] == maya.messages("#vllm-help")


def test_a_lost_answer_still_posted_the_message(client, maya):
    maya.do("fault", kind="lost_answer", on="chat.postMessage")

    with pytest.raises(Exception, match=r"closed|reset|Remote"):
        client.chat_postMessage(channel="vllm-help", text="kept")

    assert ["kept"] == [each["text"] for each in maya.messages("#vllm-help")]


def test_a_burst_in_one_channel_is_slowed_down_when_limits_are_on(client, maya):
    maya.do("rates", on=True)

    def burst():
        for _ in range(8):
            client.chat_postMessage(channel="vllm-help", text="again")

    assert "ratelimited" == refused(burst)


def test_limits_recover_with_time(client, maya):
    maya.do("rates", on=True)
    for _ in range(5):
        client.chat_postMessage(channel="vllm-help", text="again")
    maya.do("clock", advance=2)

    assert client.chat_postMessage(channel="vllm-help", text="again")["ok"]


def test_a_code_becomes_a_token_once(client, maya):
    code = maya.do("oauth_code")["code"]
    keys = {"client_id": "1000.2000", "client_secret": "local-client-secret"}

    assert "xoxb-local" == client.oauth_v2_access(code=code, **keys)["access_token"]
    assert "invalid_code" == refused(client.oauth_v2_access, code=code, **keys)


def test_a_form_and_json_mean_the_same(client):
    blocks = [a_section("from a form")]

    sent = client.api_call(
        "chat.postMessage", params={"channel": "vllm-help", "text": "x", "blocks": str(blocks).replace("'", '"')}
    )

    assert "from a form" == sent["message"]["blocks"][0]["text"]["text"]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example"])
def test_a_foreign_page_is_refused(workspace, host):
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    request = Request(f"{workspace.rig.base}/driver/world", headers={"Origin": f"https://{host}"})

    with pytest.raises(HTTPError, match="403") as caught:
        urlopen(request)
    caught.value.close()
