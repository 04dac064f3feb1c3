"""The workspaces that installed us, and what Slack gave us there: sealed, one row each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select, update

from bot.journal.entries import insert_or
from bot.journal.open import Journal
from bot.journal.sealing import Seal, SealError
from bot.journal.tables import cases, digest_rules, installations, oauth_states

Granted = Mapping[str, Any]  # what Slack gave us, as its SDK writes it down


def save_installation(
    journal: Journal, workspace: str, granted: Granted, now: datetime, expires_at: datetime | None = None
) -> None:
    """Write down what a workspace granted us; what it granted before is gone.

    Raises:
        SealError: There is no key to seal it with.
    """
    row = _row(journal, granted, expires_at)
    with journal.writing() as connection:
        adding = insert_or(connection, installations).values(workspace=workspace, installed_at=now, **row)
        connection.execute(adding.on_conflict_do_update(index_elements=["workspace"], set_=row))


def _row(journal: Journal, granted: Granted, expires_at: datetime | None) -> dict[str, Any]:
    sealed = _seal(journal).seal(json.dumps(granted, default=str))
    return {"sealed": sealed, "expires_at": expires_at}


def _seal(journal: Journal) -> Seal:
    if journal.seal is None:
        raise SealError("VLLM_TRIAGE_ENCRYPTION_KEY is not set: tokens of other workspaces are stored sealed only.")
    return journal.seal


def installation(journal: Journal, workspace: str) -> tuple[Granted, datetime | None] | None:
    """Return what a workspace granted us and until when, or None where we are not installed."""
    query = select(installations).filter_by(workspace=workspace)
    with journal.engine.connect() as connection:
        row = connection.execute(query).mappings().first()
    return (json.loads(_seal(journal).open(row["sealed"])), row["expires_at"]) if row else None


def installed(journal: Journal) -> tuple[str, ...]:
    """Return the workspaces that installed us."""
    query = select(installations.c.workspace).order_by(installations.c.workspace)
    with journal.engine.connect() as connection:
        return tuple(connection.execute(query).scalars())


def refresh(
    journal: Journal,
    workspace: str,
    before: datetime,
    ask: Callable[[Granted], tuple[Granted, datetime | None] | None],
) -> None:
    """Let `ask` get a new grant where the old one expires before a moment; one process at a time asks.

    A refresh token works once: the row is locked while Slack is asked, and whoever waited finds the new grant.
    """
    query = select(installations).filter_by(workspace=workspace).where(installations.c.expires_at < before)
    with journal.writing() as connection:
        row = connection.execute(query.with_for_update()).mappings().first()
        renewed = ask(json.loads(_seal(journal).open(row["sealed"]))) if row else None
        if renewed:
            change = update(installations).filter_by(workspace=workspace)
            connection.execute(change.values(**_row(journal, *renewed)))


def drop_installation(journal: Journal, workspace: str) -> None:
    """Forget the tokens of a workspace that uninstalled us, and stop what was to be done there."""
    with journal.writing() as connection:
        connection.execute(delete(installations).filter_by(workspace=workspace))
        connection.execute(delete(digest_rules).filter_by(workspace=workspace))
        owed = update(cases).filter_by(workspace=workspace)
        connection.execute(owed.values(answered=cases.c.taken, claimed_by=None, claimed_until=None, due_at=None))


def add_state(journal: Journal, state: str, expires_at: datetime) -> None:
    """Write down what a browser must bring back from Slack."""
    with journal.writing() as connection:
        connection.execute(insert_or(connection, oauth_states).values(state=state, expires_at=expires_at))


def use_state(journal: Journal, state: str, now: datetime) -> bool:
    """Use a state up; False when it is unknown, used or too old."""
    with journal.writing() as connection:
        _forget_old_states(connection, now)
        using = delete(oauth_states).filter_by(state=state).returning(oauth_states.c.state)
        return connection.execute(using).first() is not None


def _forget_old_states(connection: Connection, now: datetime) -> None:
    connection.execute(delete(oauth_states).where(oauth_states.c.expires_at < now))
