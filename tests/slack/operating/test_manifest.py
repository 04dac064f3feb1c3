from __future__ import annotations

import re
from pathlib import Path

from bot.slack.operating.manifest import EVENTS, LEAVING, OPTIONAL_SCOPES, SCOPES, SHORTCUT, manifest

LISTENERS = "\n".join(path.read_text() for path in (Path(__file__).parents[3] / "bot/slack/listeners").glob("*.py"))


def test_every_event_that_we_listen_to_is_subscribed() -> None:
    heard = set(re.findall(r'app\.event\("(\w+)"\)', LISTENERS))

    assert {event.split(".")[0] for event in (*EVENTS, *LEAVING)} == heard


def test_every_scope_has_a_reason() -> None:
    assert all(SCOPES.values())
    assert not set(SCOPES) & set(OPTIONAL_SCOPES)


def test_socket_mode_names_no_address() -> None:
    assert "url" not in str(manifest("socket")["settings"])


def test_http_names_its_address_wherever_slack_calls_us() -> None:
    made = manifest("http", "https://bot.example/slack/events")

    assert 4 == str(made).count("https://bot.example/slack/events")
    assert made["settings"]["socket_mode_enabled"] is False


def test_the_shortcut_is_declared() -> None:
    assert [SHORTCUT] == [shortcut["callback_id"] for shortcut in manifest()["features"]["shortcuts"]]


def test_where_workspaces_install_us_their_tokens_rotate() -> None:
    made = manifest("http", "https://bot.example/slack/events", "https://bot.example/")

    assert ["https://bot.example/slack/oauth_redirect"] == made["oauth_config"]["redirect_urls"]
    assert made["settings"]["token_rotation_enabled"]
