"""Many workspaces in one app: each installs it, is answered in its own name, and hears nothing of another."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from bot.journal.digest_rules import Rule, rules, set_rule
from bot.journal.installations import installation, save_installation
from bot.journal.open import Journal, connect, open_journal
from bot.journal.sealing import Seal, new_key
from bot.settings import Settings
from bot.slack.api.accounts import Accounts, NotInstalledError
from bot.slack.doors.serve import Operation, serve
from bot.slack.operating.manifest import manifest
from bot.workspace.person import Person
from bot.workspace.server import Workspace
from tests.slack.conftest import NO_ROOM, texts, wait_for

KEY = new_key()


class Many(NamedTuple):
    """Two companies, and an app that both may install."""

    workspace: Workspace
    journal: Journal
    settings: Settings
    url: str

    def team(self, name: str) -> str:
        return next(each.id for each in self.workspace.rig.world.teams.values() if each.name == name)

    def maya(self, team: str) -> Person:
        return self.workspace.human("maya", team)

    def install(self, team: str) -> int:
        """Go through the install pages as an admin's browser does, and return the last page's status."""
        with urlopen(f"{self.url}/slack/install", timeout=60) as page:
            found = re.search(r"state=([\w-]+)", page.read().decode())
            cookie = str(page.headers["set-cookie"]).partition(";")[0]  # it is for HTTPS, which a proxy adds
        assert found
        code = self.maya(team).do("oauth_code")["code"]
        return self.come_back(code, found[1], cookie)

    def come_back(self, code: str, state: str, cookie: str) -> int:
        """Come back from Slack with a code."""
        address = f"{self.url}/slack/oauth_redirect?code={code}&state={state}"
        try:
            with urlopen(Request(address, headers={"Cookie": cookie}), timeout=60) as page:
                return page.status
        except HTTPError as error:
            return error.code


@pytest.fixture
def many(tmp_path: Path) -> Iterator[Many]:
    made = manifest("http", "http://127.0.0.1/slack/events", "http://127.0.0.1")
    workspace = Workspace(manifest=made, other_teams={"Rival": "xoxb-rival"})
    with workspace.run_in_thread():
        settings = Settings(
            slack_client_id=workspace.rig.app.client_id,
            slack_client_secret=SecretStr(workspace.rig.app.client_secret),
            slack_signing_secret=SecretStr("local-signing-secret"),
            slack_api_url=workspace.api_url,
            database_url=f"sqlite:///{tmp_path / 'journal.sqlite3'}",
            vllm_triage_encryption_key=SecretStr(KEY),
        )
        said, stop, ready = list[str](), threading.Event(), threading.Event()

        def say(words: str) -> None:
            said.append(words)
            ready.set()

        thread = threading.Thread(target=serve, args=(settings, "http", Operation(say=say, stop=stop)), daemon=True)
        thread.start()
        assert ready.wait(60)
        url = said[0].split()[-1]
        workspace.human().do("request_url", url=url, verify=True)
        journal = Journal(connect(settings.database_url), Seal(KEY))
        yield Many(workspace, journal, settings, url.removesuffix("/slack/events"))
        journal.close()
        stop.set()
        thread.join(60)


def test_each_workspace_is_answered_with_its_own_token(many: Many) -> None:
    for team in ("Local", "Rival"):
        assert 200 == many.install(team)
        ts = many.maya(team).post("#vllm-help", f"@vllm-triage {NO_ROOM}")["ts"]

        assert "KV cache" in many.maya(team).wait_for_reply("#vllm-help", ts)["text"]

    posted = [call for call in many.workspace.human().calls("chat.postMessage") if call["ok"]]
    assert {many.team("Local"), many.team("Rival")} == {call["team"] for call in posted}


def test_tokens_are_not_readable_in_the_database(many: Many) -> None:
    many.install("Local")

    with many.journal.engine.connect() as connection:
        stored = str(connection.execute(text("SELECT * FROM installations")).all())

    assert many.team("Local") in stored
    assert "xoxb" not in stored


def test_a_browser_that_did_not_begin_cannot_finish(many: Many) -> None:
    code = many.maya("Local").do("oauth_code")["code"]

    assert many.come_back(code, "made-up", "slack-app-oauth-state=made-up") >= 400

    assert installation(many.journal, many.team("Local")) is None


def test_what_one_workspace_met_another_is_not_told(many: Many) -> None:
    for team in ("Local", "Rival"):
        many.install(team)
        ts = many.maya(team).post("#vllm-help", f"@vllm-triage {NO_ROOM}")["ts"]
        reply = many.maya(team).wait_for_reply("#vllm-help", ts)

        assert "last 28 days" not in texts(reply["blocks"])
    many.maya("Rival").do("open_home")
    home = wait_for(lambda: many.maya("Rival").do("home").get("view"))
    rival_channels = {each.id for each in many.workspace.rig.world.channels.values() if each.team == many.team("Rival")}
    assert set(re.findall(r"<#(\w+)>", texts(home["blocks"]))) <= rival_channels


def test_a_workspace_that_takes_us_off_is_forgotten(many: Many) -> None:
    many.install("Local")
    team = many.team("Local")
    set_rule(many.journal, Rule(workspace=team, team="ml", channel="C1", since=datetime(2026, 1, 1, tzinfo=UTC)))

    many.maya("Local").do("event", event={"type": "tokens_revoked", "tokens": {"oauth": [], "bot": ["U1"]}})

    wait_for(lambda: installation(many.journal, team) is None)
    assert () == rules(many.journal)
    with pytest.raises(NotInstalledError):
        Accounts(many.settings, many.journal)(team)


@pytest.mark.postgres
def test_a_token_that_is_about_to_expire_is_renewed_once(many: Many, postgres_url: str) -> None:
    many.install("Local")
    team = many.team("Local")
    granted, _ = installation(many.journal, team) or ({}, None)
    kept = next(each for each in many.workspace.rig.world.installations.values() if each.team == team)
    kept.refresh_token = "xoxe-first"
    soon = datetime.now(UTC) + timedelta(minutes=30)
    fresh = {**granted, "bot_refresh_token": "xoxe-first", "bot_token_expires_at": int(soon.timestamp())}
    journal = open_journal(postgres_url, Seal(KEY))
    save_installation(journal, team, fresh, datetime.now(UTC), soon)

    with ThreadPoolExecutor(4) as hands:
        clients = list(hands.map(lambda _: Accounts(many.settings, journal)(team)[0], range(4)))

    assert {kept.token} == {client.token for client in clients}
    assert 1 == len([each for each in many.workspace.human().calls("oauth.v2.access") if "grant_type" in each["args"]])
    assert (installation(journal, team) or ({}, soon))[1] > datetime.now(UTC) + timedelta(hours=11)
    journal.close()
