"""Where we may speak: each channel's mode, owning team and visibility."""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy import select

from bot.frozen import Frozen
from bot.journal.entries import insert_or
from bot.journal.ids import read_id
from bot.journal.open import Journal
from bot.journal.tables import channels

Mode = Literal["auto", "mention", "off"]


class Channel(Frozen):
    """A channel as its people set it; one that nobody set speaks when mentioned."""

    workspace: str
    id: str
    name: str | None = None
    mode: Mode = "mention"
    is_private: bool | None = None  # None: not known, and treated as private
    team: str | None = None
    enabled_by: str | None = None
    allowed_bots: tuple[str, ...] = ()
    helpers: str | None = None


def channel(journal: Journal, workspace: str, id_: str) -> Channel:
    """Return a channel's settings; the defaults for one never seen."""
    query = select(channels).filter_by(workspace=workspace, id=id_)
    with journal.engine.connect() as connection:
        row = connection.execute(query).mappings().first()
    return _channel(row) if row else Channel(workspace=workspace, id=id_)


def set_channel(journal: Journal, workspace: str, id_: str, **settings: Any) -> Channel:
    """Change some of a channel's settings and return them all."""
    with journal.writing() as connection:
        adding = insert_or(connection, channels).values(workspace=workspace, id=id_, **settings)
        connection.execute(adding.on_conflict_do_update(index_elements=["workspace", "id"], set_=settings))
    return channel(journal, workspace, id_)


def all_channels(journal: Journal, workspace: str | None = None) -> tuple[Channel, ...]:
    """Return every channel that was ever set, of one workspace or of all."""
    query = select(channels).order_by(channels.c.workspace, channels.c.name, channels.c.id)
    if workspace is not None:
        query = query.filter_by(workspace=workspace)
    with journal.engine.connect() as connection:
        return tuple(_channel(row) for row in connection.execute(query).mappings())


def find_channel(journal: Journal, workspace: str, named: str) -> str | None:
    """Return the id of the channel that a person means: its id, its link, or a name that only one known channel has."""
    try:
        return read_id("channel", named)
    except ValueError:
        name = named.strip().removeprefix("#")
    found = [room.id for room in all_channels(journal, workspace) if room.name == name]
    return found[0] if len(found) == 1 else None


def _channel(row: Any) -> Channel:
    return Channel.model_validate({**row, "allowed_bots": tuple(row["allowed_bots"] or ())})
