from __future__ import annotations

import pytest

from bot.case import Attachment
from bot.settings import Settings
from bot.slack.api.client import client
from bot.slack.desk import Desk
from bot.slack.hearing.files import UnreadableError, fetch
from tests.slack.conftest import NO_ROOM, Party


@pytest.fixture
def desk(party: Party) -> Desk:
    settings = Settings(slack_api_url=party.workspace.api_url)
    return Desk(journal=party.journal, client=client(settings, "xoxb-local"), bot_user="U")


def test_a_login_page_is_no_log(party: Party) -> None:
    channel = party.a_channel()
    party.maya.do("fault", kind="html_file", times=9)

    ts = party.maya.upload(channel, NO_ROOM, name="vllm.log", text="@vllm-triage see")["ts"]

    party.settled()
    party.maya.do("fault", clear=True)
    assert [message for message in party.said(channel, ts) if "files:read" in message["text"]]


def test_our_token_goes_to_slack_only(desk: Desk) -> None:
    with pytest.raises(UnreadableError):
        fetch(desk, Attachment(id="F1", name="x.log", url="https://files.example.org/x.log"))


def test_a_picture_is_not_even_fetched(desk: Desk) -> None:
    with pytest.raises(UnreadableError, match="pictures"):
        fetch(desk, Attachment(id="F1", kind="image/png", url="https://files.slack.com/x.png"))


@pytest.mark.parametrize(("name", "code"), [(f"hf_{'aB3' * 10}.log", "utf-8"), ("vllm.log", "utf-16")])
def test_a_file_with_a_secret_in_its_name_is_read_and_so_is_one_of_powershell(
    party: Party, name: str, code: str
) -> None:
    channel = party.a_channel()

    ts = party.maya.upload(channel, "", name=name, hex=NO_ROOM.encode(code).hex())["ts"]

    assert "Nothing is left for the KV cache" in party.maya.wait_for_reply(channel, ts)["text"]
