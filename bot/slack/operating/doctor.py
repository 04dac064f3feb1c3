"""Looking for what would keep the app from working, before somebody's paste finds it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from bot.journal.health import look_at
from bot.journal.open import connect
from bot.journal.refusals import AddressError
from bot.journal.sealing import Seal, SealError
from bot.journal.upgrade import head
from bot.settings import Settings, Transport
from bot.slack.operating.finding import Finding, clock_finding
from bot.slack.operating.reaching import look_at_slack

_LEAST_DISK = 500 * 2**20  # bytes


def examine(settings: Settings, transport: Transport) -> Iterator[Finding]:
    """Look at everything that this transport needs, the cheap things first."""
    yield from _settings(settings, transport)
    yield from _database(settings)
    yield _disk(settings)
    yield from look_at_slack(settings, transport)


def is_well(findings: Iterable[Finding]) -> bool:
    """Say whether the app can work."""
    return all(finding.state != "ill" for finding in findings)


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
        said = f"{health.where} cannot be reached: {health.error}. See that it runs, and that DATABASE_URL is right"
        yield Finding("database", "ill", said)
        return
    yield Finding("database", "well", health.where)
    yield _migrations(health.revision, is_file=health.folder is not None)
    yield clock_finding("clock, against the database", health.seconds_ahead)


def _migrations(at: str | None, *, is_file: bool) -> Finding:
    if at is not None and at >= head():
        return Finding("migrations", "well", f"at {at}")
    if is_file:
        return Finding("migrations", "well", f"at {at or 'nothing'}; whatever opens this file brings it to {head()}")
    said = f"at {at or 'nothing'}, wanted {head()}: run `vllm-triage db upgrade` with the rights of the tables' owner"
    return Finding("migrations", "warning", said)


def _disk(settings: Settings) -> Finding:
    try:
        folder = _folder(settings) or Path(tempfile.gettempdir())
    except FileNotFoundError:  # a read-only root without a /tmp
        return Finding("disk", "well", "nothing may be written here, and with this database nothing needs to be")
    free = shutil.disk_usage(folder).free
    said = f"{free / 2**30:.1f} GiB free in {folder}"
    if free < _LEAST_DISK:
        return Finding("disk", "warning", f"{said}: make room, or let DATABASE_URL name another place")
    return Finding("disk", "well", said)


def _folder(settings: Settings) -> Path | None:
    """Return where a SQLite file is."""
    try:
        engine = connect(settings.database_url)
    except AddressError:
        return None
    folder = look_at(engine).folder
    engine.dispose()
    return folder
