"""The journal's tables; migrations make them, and a test compares the two."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    text,
)
from sqlalchemy.types import TypeDecorator

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Moment(TypeDecorator[datetime]):
    """A point in time, in UTC; SQLite keeps no zone, so it is taken off and put back here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - theirs
        """Return the moment in UTC, so that SQLite's texts sort as time does."""
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - theirs
        """Return the moment with its zone."""
        return value.replace(tzinfo=UTC) if value and not value.tzinfo else value


def _thread() -> tuple[Column[str], Column[str], Column[str]]:
    return (
        Column("workspace", String(64), nullable=False),
        Column("channel", String(32), nullable=False),
        Column("root", String(32), nullable=False),
    )


channels = Table(
    "channels",
    metadata,
    Column("workspace", String(64), nullable=False),
    Column("id", String(32), nullable=False),
    Column("name", String(200)),
    Column("mode", String(16), nullable=False, server_default="mention"),  # auto, mention, off
    Column("is_private", Boolean),  # unknown counts as private
    Column("team", String(100)),  # the owning team; None: the workspace
    Column("enabled_by", String(32)),
    Column("allowed_bots", JSON),  # alert bots whose messages count as pastes
    Column("helpers", String(32)),  # the user group that an escalation mentions
    PrimaryKeyConstraint("workspace", "id"),
)

# One row a thread that anything was said in; an answer is owed while `taken` is ahead of `answered`. They count entries
# instead of naming the last one: ids are given out in another order than transactions commit.
cases = Table(
    "cases",
    metadata,
    *_thread(),
    Column("taken", Integer, nullable=False, server_default="0"),
    Column("answered", Integer, nullable=False, server_default="0"),
    Column("due_at", Moment),  # not before; None: now
    Column("claimed_by", String(64)),
    Column("claimed_until", Moment),
    Column("attempts", Integer, nullable=False, server_default="0"),
    PrimaryKeyConstraint("workspace", "channel", "root"),
    Index("ix_cases_owed", "due_at", postgresql_where=text("taken > answered"), sqlite_where=text("taken > answered")),
)

entries = Table(
    "entries",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),  # SQLite counts INTEGER keys only
    *_thread(),
    Column("kind", String(16), nullable=False),
    Column("at", Moment, nullable=False),
    Column("author", String(32)),
    Column("message", String(32)),
    Column("text", Text, nullable=False, server_default=""),
    Column("fact", String(64)),
    Column("value", Text),
    Column("files", JSON),
    Index(None, "workspace", "channel", "root"),
    Index(None, "workspace", "channel", "message"),
    Index(None, "workspace", "at"),  # what is older than a team keeps it
    Index(None, "workspace", "author"),  # what is forgotten with a person
)

# What makes a delivery a duplicate: event id, message, client message id. One entry has several.
entry_keys = Table(
    "entry_keys",
    metadata,
    Column("workspace", String(64), nullable=False),
    Column("key", String(200), nullable=False),
    Column("entry", BigInteger, ForeignKey("entries.id", ondelete="CASCADE"), nullable=False),
    PrimaryKeyConstraint("workspace", "key"),
)

# What we did to the outside world: written before, completed after, reconciled in between.
effects = Table(
    "effects",
    metadata,
    *_thread(),
    Column("purpose", String(64), nullable=False),
    Column("state", String(16), nullable=False),  # begun, done
    Column("message", String(32)),  # timestamp of what was posted
    Column("digest", String(64)),  # of what it said, so that an edit without a change is left out
    Column("at", Moment, nullable=False),
    PrimaryKeyConstraint("workspace", "channel", "root", "purpose"),
)

_OPEN = text("state = 'open'")
incidents = Table(
    "incidents",
    metadata,
    *_thread(),
    Column("team", String(100)),  # who owns it; None only in rows of an older version, and then the workspace
    Column("state", String(16), nullable=False),
    Column("opened_at", Moment, nullable=False),
    Column("updated_at", Moment),  # when a person last said or did something in it
    Column("answered_at", Moment),  # our first answer
    Column("resolved_at", Moment),
    Column("reopened", Integer, nullable=False, server_default="0"),  # times
    Column("opener", String(32)),
    Column("resolver", String(32)),
    Column("problem", String(64)),
    Column("title", Text),
    Column("cause", String(64)),
    Column("fingerprint", String(200)),
    Column("error", Text),  # of a problem that nobody knows yet, without what differs from case to case
    Column("model", String(200)),
    Column("gpu", String(100)),
    Column("gpu_count", Integer),
    Column("vllm_version", String(64)),
    Column("era", String(8)),
    Column("confidence", String(16), nullable=False),
    Column("fix", String(200)),
    Column("patch", JSON),  # what the first fix that fits sets
    Column("pasted", JSON),  # the deployment's facts, as pasted
    Column("fixed", JSON),  # and with the fix
    Column("before", JSON),  # the budget's figures, as pasted
    Column("after", JSON),
    Column("context_lost", BigInteger),  # bytes of KV cache that the configured context takes and the fix does not
    Column("idle_memory", BigInteger),  # bytes on GPUs that the deployment does not use
    Column("helpful", Boolean),
    PrimaryKeyConstraint("workspace", "channel", "root"),
    Index(None, "workspace", "opened_at"),
    Index(None, "workspace", "team", "opened_at"),
    Index(None, "workspace", "fingerprint", "opened_at"),
    # What the Home tab and the digest ask of the few that are open, however many were.
    Index("ix_incidents_open", "workspace", "opened_at", "team", postgresql_where=_OPEN, sqlite_where=_OPEN),
    Index("ix_incidents_open_of", "workspace", "opener", "opened_at", postgresql_where=_OPEN, sqlite_where=_OPEN),
)

# A team owns incidents; a workspace is never called one. Its digest's day and channel are a rule of `digest_rules`.
teams = Table(
    "teams",
    metadata,
    Column("workspace", String(64), nullable=False),
    Column("name", String(100), nullable=False),
    Column("members", JSON, nullable=False),
    Column("leads", JSON, nullable=False),
    Column("groups", JSON, nullable=False),  # Slack user groups whose people's incidents it owns
    Column("zone", String(64), nullable=False),
    Column("retention_days", Integer),  # None: as the workspace's own, or kept
    Column("escalation", String(32)),  # the user group that an escalation mentions
    Column("quiet_from", Integer),  # minute of the day
    Column("quiet_until", Integer),
    Column("tells_quiet_weeks", Boolean, nullable=False),
    PrimaryKeyConstraint("workspace", "name"),
)

digest_slots = Table(
    "digest_slots",
    metadata,
    Column("workspace", String(64), nullable=False),
    Column("team", String(100), nullable=False),
    Column("channel", String(32), nullable=False),
    Column("week", String(16), nullable=False),  # 2026-W48
    Column("claimed_at", Moment, nullable=False),
    Column("message", String(32)),
    PrimaryKeyConstraint("workspace", "team", "channel", "week"),
)

# When a team's digest is due in a channel: every week at that minute of that day, by the clocks of that zone.
digest_rules = Table(
    "digest_rules",
    metadata,
    Column("workspace", String(64), nullable=False),
    Column("team", String(100), nullable=False),
    Column("channel", String(32), nullable=False),
    Column("zone", String(64), nullable=False),
    Column("weekday", Integer, nullable=False),  # 0 is Monday
    Column("minute", Integer, nullable=False),  # of the day
    Column("since", Moment, nullable=False),  # what was due before is not made up for
    PrimaryKeyConstraint("workspace", "team", "channel"),
)

# The workspaces that installed us: one row each, with everything Slack gave us in one sealed text.
installations = Table(
    "installations",
    metadata,
    Column("workspace", String(64), primary_key=True),  # the team's id, or the organisation's for all its teams
    Column("sealed", Text, nullable=False),
    Column("installed_at", Moment, nullable=False),
    Column("expires_at", Moment),  # of the bot's token, where tokens rotate
)

# What we gave a browser before it went to Slack, so that only that browser can finish an installation.
oauth_states = Table(
    "oauth_states",
    metadata,
    Column("state", String(64), primary_key=True),
    Column("expires_at", Moment, nullable=False),
)

# Signatures of requests that were answered: a second one with the same is a replay.
answered_requests = Table(
    "answered_requests",
    metadata,
    Column("signature", String(100), primary_key=True),
    Column("at", Moment, nullable=False, index=True),
)
