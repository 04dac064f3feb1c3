# ruff: noqa: INP001 - Alembic runs this file; nobody imports it
"""How Alembic reaches the journal: through the engine that the program already has, or DATABASE_URL."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, Engine

from bot.journal.tables import metadata

# Two replicas that start together must not both migrate; any number will do as long as it never changes.
_LOCK = 761_443_020


def _engine() -> Engine:
    engine = context.config.attributes.get("engine")
    if engine is None:
        from bot.journal.open import connect  # noqa: PLC0415  only when Alembic's own command line is used
        from bot.settings import database_url  # noqa: PLC0415

        engine = connect(database_url())
    return engine


def _run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_server_default=False,
        transaction_per_migration=True,
    )
    with context.begin_transaction():
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        elif connection.dialect.name == "sqlite":  # whose driver begins no transaction for tables by itself
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        context.run_migrations()


with _engine().begin() as connection:
    _run(connection)
