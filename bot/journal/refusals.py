"""Why the journal cannot be opened or used, in a sentence for its operator."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError

from bot.journal.sealing import SealError

_TO_DO = "DATABASE_URL says where it is; `vllm-triage doctor` looks further."


class AddressError(SQLAlchemyError):
    """DATABASE_URL is no address that we can use."""


def refused(found: object, why: str) -> AddressError:
    """Return the error for an address that is none of ours; it never repeats the address, which may hold a password."""
    return AddressError(
        f"DATABASE_URL is {found}: {why}. Write sqlite:////home/me/journal.sqlite3 or "
        "postgresql://user:password@host/database."
    )


def sentence(error: Exception) -> str | None:
    """Return what an operator should read of an error of the database's; None for any other error."""
    if isinstance(error, (AddressError, SealError)):
        return str(error)
    if isinstance(error, NoSuchModuleError):
        return str(refused("of a kind that I do not know", "the journal is on SQLite or PostgreSQL"))
    if isinstance(error, DBAPIError):
        why = str(error.orig).strip().splitlines() or [type(error).__name__]
        return f"The database cannot be used: {why[0]}. {_TO_DO}"
    return None
