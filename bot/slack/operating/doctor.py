"""Looking for what would keep the app from working, before somebody's paste finds it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Literal

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.consult import ask
from bot.journal.health import look_at
from bot.journal.open import connect
from bot.journal.refusals import AddressError
from bot.journal.sealing import Seal, SealError
from bot.journal.upgrade import head
from bot.reply import block_kit
from bot.reply.compose import compose
from bot.settings import Settings, Transport
from bot.slack.api.client import client
from bot.slack.operating.manifest import OPTIONAL_SCOPES, SCOPES

State = Literal["well", "warning", "ill", "unknown"]
_SKEW_SECONDS = 60  # Slack's signatures and our leases bear five times as much
_LEAST_DISK = 500 * 2**20  # bytes
_SAMPLE = "ValueError: No available memory for the cache blocks.\nvllm serve meta-llama/Llama-3.1-8B-Instruct on one L4"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at, how it is, and what to do where it is not well."""

    name: str
    state: State
    said: str


def examine(settings: Settings, transport: Transport) -> Iterator[Finding]:
    """Look at everything that this transport needs, the cheap things first."""
    yield from _settings(settings, transport)
    yield from _database(settings)
    yield _disk(settings)
    yield from _slack(settings, transport)


def _settings(settings: Settings, transport: Transport) -> Iterator[Finding]:
    missing = settings.missing(transport)
    for sentence in missing:
        yield Finding("settings", "ill", sentence)
    if not missing:
        yield Finding("settings", "well", f"all that --transport {transport} needs is set")
    key = settings.vllm_triage_encryption_key
    if key:
        yield _key(key.get_secret_value())


def _key(key: str) -> Finding:
    try:
        seal = Seal(key)
        seal.open(seal.seal("sample"))
    except SealError as error:
        return Finding("encryption key", "ill", str(error))
    return Finding("encryption key", "well", "it seals and opens")


def _database(settings: Settings) -> Iterator[Finding]:
    try:
        engine = connect(settings.database_url)
    except AddressError as error:
        yield Finding("database", "ill", str(error))
        return
    health = look_at(engine)
    engine.dispose()
    if health.error:
        yield Finding("database", "ill", f"{health.where} cannot be reached: {health.error}")
        return
    yield Finding("database", "well", health.where)
    at = health.revision
    if at is None or at < head():
        yield Finding("migrations", "warning", f"at {at or 'nothing'}, wanted {head()}: run `vllm-triage db upgrade`")
    else:
        yield Finding("migrations", "well", f"at {at}")
    yield _clock("clock, against the database", health.seconds_ahead)


def _clock(name: str, ahead: float) -> Finding:
    if abs(ahead) <= _SKEW_SECONDS:
        return Finding(name, "well", f"{abs(ahead):.1f} s apart")
    way = "ahead" if ahead > 0 else "behind"
    return Finding(name, "ill", f"this machine is {abs(ahead):.0f} s {way}: let NTP set its clock")


def _disk(settings: Settings) -> Finding:
    folder = _folder(settings) or Path(tempfile.gettempdir())
    free = shutil.disk_usage(folder).free
    said = f"{free / 2**30:.1f} GiB free in {folder}"
    return Finding("disk", "well" if free >= _LEAST_DISK else "warning", said)


def _folder(settings: Settings) -> Path | None:
    """Return where a SQLite file is."""
    try:
        engine = connect(settings.database_url)
    except AddressError:
        return None
    folder = look_at(engine).folder
    engine.dispose()
    return folder


def _slack(settings: Settings, transport: Transport) -> Iterator[Finding]:
    if settings.has_many_workspaces:
        yield Finding("Slack", "unknown", "each workspace has its own token; install one at /slack/install and try it")
    elif settings.slack_bot_token:
        ours = client(settings, settings.slack_bot_token.get_secret_value())
        yield from _token(ours)
        yield _blocks(ours)
    if transport == "socket" and settings.slack_app_token:
        yield _app_token(client(settings, settings.slack_app_token.get_secret_value()))


def _token(ours: WebClient) -> Iterator[Finding]:
    try:
        said = ours.auth_test()
    except SlackApiError as error:
        yield Finding(
            "bot token", "ill", f"Slack says {error.response.get('error')}: install the app again, or copy it"
        )
        return
    except OSError as error:
        yield Finding("Slack", "ill", f"{ours.base_url} cannot be reached: {error}")
        return
    yield Finding("bot token", "well", f"we are {said['user']} in {said['team']}")
    headers = {name.lower(): value for name, value in dict(said.headers).items()}
    if headers.get("date"):
        ahead = (datetime.now(UTC) - parsedate_to_datetime(headers["date"])).total_seconds()
        yield _clock("clock, against Slack", ahead)
    yield from _scopes({scope.strip() for scope in headers.get("x-oauth-scopes", "").split(",")})


def _scopes(granted: set[str]) -> Iterator[Finding]:
    for scope, reason in SCOPES.items():
        if scope not in granted:
            yield Finding(f"scope {scope}", "ill", f"not granted; it is needed to {reason}")
    for scope, reason in OPTIONAL_SCOPES.items():
        if scope not in granted:
            yield Finding(f"scope {scope}", "warning", f"not granted; without it we do not {reason}")
    if granted >= set(SCOPES):
        yield Finding("scopes", "well", f"all {len(SCOPES)} that are needed")
    spare = granted - set(SCOPES) - set(OPTIONAL_SCOPES) - {""}
    if spare:
        yield Finding("scopes", "warning", f"granted and not needed: {', '.join(sorted(spare))}")


def _app_token(ours: WebClient) -> Finding:
    try:
        ours.apps_connections_open(app_token=str(ours.token))
    except SlackApiError as error:
        return Finding(
            "app token", "ill", f"Slack says {error.response.get('error')}: make one with the scope connections:write"
        )
    except OSError as error:
        return Finding("app token", "unknown", f"Slack cannot be reached: {error}")
    return Finding("app token", "well", "a socket can be opened")


def _blocks(ours: WebClient) -> Finding:
    blocks: Any = block_kit.render(compose(ask(_SAMPLE)), "1764000000.000100")
    try:
        ours.api_call("blocks.validate", json={"blocks": blocks, "surface": "message"})
    except SlackApiError as error:
        code = str(error.response.get("error"))
        if code == "invalid_blocks":
            told = (error.response.get("response_metadata") or {}).get("messages") or [code]
            return Finding("blocks", "ill", f"Slack does not take our replies any more: {told[0]}")
        return Finding("blocks", "unknown", f"Slack would not look at a sample reply: {code}")
    except OSError as error:
        return Finding("blocks", "unknown", f"Slack cannot be reached: {error}")
    return Finding("blocks", "well", "Slack takes a sample reply")


def is_well(findings: Iterable[Finding]) -> bool:
    """Say whether the app can work."""
    return all(finding.state != "ill" for finding in findings)
