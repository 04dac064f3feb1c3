"""Slack as the doctor finds it: each token, its scopes, the clock, and whether our replies are taken."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.consult import ask
from bot.reply import block_kit
from bot.reply.compose import compose
from bot.settings import Settings, Transport
from bot.slack.api.client import client
from bot.slack.operating.finding import Finding, clock_finding
from bot.slack.operating.installed import clients
from bot.slack.operating.manifest import OPTIONAL_SCOPES, SCOPES

_SAMPLE = "ValueError: No available memory for the cache blocks.\nvllm serve meta-llama/Llama-3.1-8B-Instruct on one L4"
_REACH = "see that this machine reaches it, and that SLACK_API_URL is right or not set"
_GRANT = "add it under OAuth & Permissions, or with the manifest of `vllm-triage manifest`, and install the app again"


def look_at_slack(settings: Settings, transport: Transport) -> Iterator[Finding]:
    """Look at every token that is set or stored."""
    if settings.has_many_workspaces:
        yield from _every_workspace(settings)
    elif settings.slack_bot_token:
        yield from _workspace(client(settings, settings.slack_bot_token.get_secret_value()), "bot token")
    if transport == "socket" and settings.slack_app_token:
        yield _app_token(client(settings, settings.slack_app_token.get_secret_value()))


def _every_workspace(settings: Settings) -> Iterator[Finding]:
    count = 0
    for workspace, found in clients(settings):
        count += 1
        if isinstance(found, str):
            yield Finding(f"bot token of {workspace}", "ill", found)
        else:
            yield from _workspace(found, f"bot token of {workspace}")
    if not count:
        yield Finding("workspaces", "warning", "none has installed the app yet: send an admin to …/slack/install")


def _workspace(ours: WebClient, name: str) -> Iterator[Finding]:
    try:
        said = ours.auth_test()
    except SlackApiError as error:
        code = error.response.get("error")
        yield Finding(name, "ill", f"Slack says {code}: install the app again, or copy the token again")
        return
    except OSError as error:
        yield Finding(name, "ill", f"{ours.base_url} cannot be reached ({error}): {_REACH}")
        return
    yield Finding(name, "well", f"we are {said['user']} in {said['team']}")
    headers = {each.lower(): value for each, value in dict(said.headers).items()}
    if headers.get("date"):
        ahead = (datetime.now(UTC) - parsedate_to_datetime(headers["date"])).total_seconds()
        yield clock_finding("clock, against Slack", ahead)
    yield from _scopes({scope.strip() for scope in headers.get("x-oauth-scopes", "").split(",")})
    yield _blocks(ours)


def _scopes(granted: set[str]) -> Iterator[Finding]:
    for scope, reason in SCOPES.items():
        if scope not in granted:
            yield Finding(f"scope {scope}", "ill", f"not granted; it is needed to {reason}: {_GRANT}")
    for scope, reason in OPTIONAL_SCOPES.items():
        if scope not in granted:
            yield Finding(f"scope {scope}", "warning", f"not granted; without it we do not {reason}: {_GRANT}")
    if granted >= set(SCOPES):
        yield Finding("scopes", "well", f"all {len(SCOPES)} that are needed")
    spare = granted - set(SCOPES) - set(OPTIONAL_SCOPES) - {""}
    if spare:
        said = f"granted and not needed: {', '.join(sorted(spare))}; take them off under OAuth & Permissions"
        yield Finding("scopes", "warning", said)


def _app_token(ours: WebClient) -> Finding:
    try:
        ours.apps_connections_open(app_token=str(ours.token))
    except SlackApiError as error:
        code = error.response.get("error")
        return Finding("app token", "ill", f"Slack says {code}: make one with the scope connections:write")
    except OSError as error:
        return Finding("app token", "ill", f"{ours.base_url} cannot be reached ({error}): {_REACH}")
    return Finding("app token", "well", "a socket can be opened")


def _blocks(ours: WebClient) -> Finding:
    blocks: Any = block_kit.render(compose(ask(_SAMPLE)), "1764000000.000100")
    try:
        ours.api_call("blocks.validate", json={"blocks": blocks, "surface": "message"})
    except SlackApiError as error:
        code = str(error.response.get("error"))
        if code == "invalid_blocks":
            told = (error.response.get("response_metadata") or {}).get("messages") or [code]
            said = f"Slack does not take a sample reply ({told[0]}): bring vllm-triage up to date, or report it"
            return Finding("blocks", "ill", said)
        return Finding(
            "blocks", "unknown", f"Slack would not look at a sample reply ({code}); the first real one tells"
        )
    except OSError as error:
        return Finding("blocks", "unknown", f"{ours.base_url} cannot be reached ({error}): {_REACH}")
    return Finding("blocks", "well", "Slack takes a sample reply")
