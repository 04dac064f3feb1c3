"""`vllm-triage db`: the journal's tables, and the keys that seal what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bot.journal.open import Engine


@click.group("db")
def command() -> None:
    """Look after the database: migrations and encryption keys."""


@command.command("upgrade")
def upgrade_() -> None:
    """Bring the tables to what this program knows.

    Others may go on working meanwhile.
    """
    from bot.journal.upgrade import current, head, is_at_head, upgrade

    engine = _engine()
    before = current(engine)
    if not is_at_head(engine):
        upgrade(engine)
    click.echo(f"{_name(before)} → {_name(current(engine))}; this program knows {head()}.")


@command.command("current")
def current_() -> None:
    """Print the revision of the tables.

    Exits 1 when this program knows a newer one.
    """
    import sys

    from bot.journal.upgrade import current, head, is_at_head

    engine = _engine()
    click.echo(f"{_name(current(engine))}; this program knows {head()}.")
    sys.exit(0 if is_at_head(engine) else 1)


@command.command("new-key")
def new_key_() -> None:
    """Print a new key for VLLM_TRIAGE_ENCRYPTION_KEY.

    Put it before the old one to change keys.
    """
    from bot.journal.sealing import new_key

    click.echo(new_key())


@command.command("reseal")
def reseal_() -> None:
    """Seal everything anew with the newest key.

    After that the older ones can be dropped.
    """
    from bot.journal.open import Journal
    from bot.journal.reseal import reseal
    from bot.journal.sealing import Seal, SealError
    from bot.settings import Settings

    settings = Settings()
    key = settings.vllm_triage_encryption_key
    if key is None:
        raise click.ClickException("VLLM_TRIAGE_ENCRYPTION_KEY is not set: there is nothing to seal with.")
    journal = Journal(_engine(), Seal(key.get_secret_value()), settings.vllm_triage_encrypt_pastes)
    try:
        count = reseal(journal)
    except SealError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{count} texts are sealed with the newest key.")


def _engine() -> Engine:
    from bot.journal.open import connect
    from bot.settings import database_url

    return connect(database_url())


def _name(revision: str | None) -> str:
    return revision or "empty"
