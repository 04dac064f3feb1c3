from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from bot.journal.open import Journal, open_journal
from bot.settings import Settings
from bot.slack.app import build
from bot.slack.doors.listening import LARGEST_REQUEST, listen
from bot.slack.doors.pages import PATH, own_pages, slack_pages
from bot.slack.doors.probes import Probes
from bot.slack.operating.manifest import manifest
from bot.workspace.http_carrier import signature
from bot.workspace.server import Workspace

SECRET = "local-signing-secret"


class House(NamedTuple):
    """The doors of an app, and what is behind them."""

    url: str
    operators_url: str
    journal: Journal
    probes: Probes
    workspace: Workspace


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    workspace = Workspace(manifest=manifest())
    with workspace.run_in_thread():
        settings = Settings(
            slack_bot_token=SecretStr("xoxb-local"),
            slack_signing_secret=SecretStr(SECRET),
            slack_api_url=workspace.api_url,
        )
        journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
        app, _ = build(settings, journal)
        probes = Probes(journal)
        port, close = listen(slack_pages(app, probes, shows_metrics=False), "127.0.0.1", 0)
        own, close_own = listen(own_pages(probes), "127.0.0.1", 0)
        yield House(f"http://127.0.0.1:{port}", f"http://127.0.0.1:{own}", journal, probes, workspace)
        close()
        close_own()
        journal.close()


class Answer(NamedTuple):
    status: int
    text: str
    headers: dict[str, str]


def get(url: str) -> Answer:
    return sent(Request(url))


def sent(request: Request) -> Answer:
    try:
        with urlopen(request, timeout=60) as answer:
            return Answer(answer.status, answer.read().decode(), {k.lower(): v for k, v in answer.headers.items()})
    except HTTPError as error:
        return Answer(error.code, error.read().decode(), {k.lower(): v for k, v in error.headers.items()})


def a_mention(house: House, secret: str = SECRET, age: int = 0, path: str = PATH) -> Request:
    """Make the request in which Slack tells that somebody called us."""
    team = next(iter(house.workspace.rig.world.teams))
    event = {"type": "app_mention", "user": "U1", "text": "<@U0> hi there", "ts": "1764000000.1", "channel": "C1"}
    body = json.dumps({"type": "event_callback", "team_id": team, "event_id": "Ev1", "event": event})
    stamp = str(int(time.time()) - age)
    headers = {
        "Content-Type": "application/json",
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": signature(secret, stamp, body),
    }
    return Request(house.url + path, body.encode(), headers)


def entries(house: House) -> int:
    with house.journal.engine.connect() as connection:
        return connection.execute(text("SELECT count(*) FROM entries")).scalar_one()


def test_what_slack_signed_is_taken(house: House) -> None:
    assert 200 == sent(a_mention(house)).status

    assert entries(house) > 0


@pytest.mark.parametrize(
    ("secret", "age"), [("wrong", 0), (SECRET, 600), (SECRET, -600)], ids=["forged", "old", "early"]
)
def test_what_slack_did_not_just_sign_is_refused(house: House, secret: str, age: int) -> None:
    assert 401 == sent(a_mention(house, secret, age)).status

    assert 0 == entries(house)


def test_what_is_not_signed_is_refused(house: House) -> None:
    assert 401 == sent(Request(house.url + PATH, b'{"type": "event_callback"}')).status


@pytest.mark.parametrize("moment", ["", "abc", "1.5", "nan", "1e9", "9" * 40, "-1"])
def test_what_was_signed_at_no_moment_is_refused(house: House, moment: str, caplog: pytest.LogCaptureFixture) -> None:
    request = a_mention(house)
    request.add_header("X-Slack-Request-Timestamp", moment)

    assert 401 == sent(request).status
    assert [] == [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("body", [b"null", b"[]", b"5", b'"x"', b'{"a":', b"[" * 100_000, b"\xff", b"9" * 5000])
@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded"])
def test_a_body_that_is_no_message_is_refused_in_a_line(
    house: House, body: bytes, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    body = body if kind == "application/json" else b"payload=" + body
    moment = str(int(time.time()))
    headers = {
        "Content-Type": kind,
        "X-Slack-Request-Timestamp": moment,
        "X-Slack-Signature": signature(SECRET, moment, body),
    }

    assert 400 == sent(Request(house.url + PATH, body, headers)).status
    assert [] == [record for record in caplog.records if record.exc_info]


def test_a_replay_is_refused_and_not_asked_for_again(house: House) -> None:
    request = a_mention(house)
    sent(request)
    taken = entries(house)

    again = sent(request)

    assert 409 == again.status
    assert "1" == again.headers["x-slack-no-retry"]
    assert taken == entries(house)


def test_a_body_beyond_all_measure_is_refused_before_it_is_read(house: House) -> None:
    connection = HTTPConnection(house.url.removeprefix("http://"), timeout=60)
    connection.putrequest("POST", PATH)
    connection.putheader("Content-Length", str(LARGEST_REQUEST + 1))
    connection.endheaders()

    assert 413 == connection.getresponse().status
    connection.close()


@pytest.mark.parametrize("path", ["/slack/other", "/slack/install", "/slack/oauth_redirect", "/", "/metrics"])
def test_there_is_nothing_behind_any_other_door(house: House, path: str) -> None:
    assert 404 == get(house.url + path).status
    assert sent(a_mention(house, path=path)).status in {404, 405}
    assert 0 == entries(house)


def test_a_process_that_answers_is_alive(house: House) -> None:
    assert 200 == get(house.url + "/livez").status


def test_a_process_that_was_told_to_stop_is_not_ready(house: House) -> None:
    assert 200 == get(house.url + "/readyz").status

    house.probes.is_stopping.set()

    assert (503, "not ready: stopping\n") == get(house.url + "/readyz")[:2]


def test_a_process_whose_tables_are_old_is_not_ready(house: House) -> None:
    with house.journal.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))

    assert (503, "not ready: migrations\n") == get(house.url + "/readyz")[:2]


def test_the_figures_count_what_came_in_and_what_is_owed(house: House) -> None:
    sent(a_mention(house))

    said = get(house.operators_url + "/metrics").text

    assert 'vllm_triage_events_total{type="app_mention"}' in said
    assert "vllm_triage_owed_threads 1.0" in said
    assert "vllm_triage_ack_seconds_bucket" in said
    assert "hi there" not in said
