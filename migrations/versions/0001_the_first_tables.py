"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cases",
        sa.Column("workspace", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("root", sa.String(length=32), nullable=False),
        sa.Column("taken", sa.Integer(), server_default="0", nullable=False),
        sa.Column("answered", sa.Integer(), server_default="0", nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("claimed_by", sa.String(length=64), nullable=True),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("workspace", "channel", "root", name=op.f("pk_cases")),
    )
    with op.batch_alter_table("cases", schema=None) as batch_op:
        batch_op.create_index(
            "ix_cases_owed",
            ["due_at"],
            unique=False,
            postgresql_where=sa.text("taken > answered"),
            sqlite_where=sa.text("taken > answered"),
        )

    op.create_table(
        "channels",
        sa.Column("workspace", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=True),
        sa.Column("mode", sa.String(length=16), server_default="mention", nullable=False),
        sa.Column("is_private", sa.Boolean(), nullable=True),
        sa.Column("team", sa.String(length=100), nullable=True),
        sa.Column("enabled_by", sa.String(length=32), nullable=True),
        sa.Column("allowed_bots", sa.JSON(), nullable=True),
        sa.Column("helpers", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("workspace", "id", name=op.f("pk_channels")),
    )
    op.create_table(
        "digest_slots",
        sa.Column("workspace", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=100), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("week", sa.String(length=16), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("message", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("workspace", "team", "channel", "week", name=op.f("pk_digest_slots")),
    )
    op.create_table(
        "effects",
        sa.Column("workspace", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("root", sa.String(length=32), nullable=False),
        sa.Column("purpose", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("message", sa.String(length=32), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("workspace", "channel", "root", "purpose", name=op.f("pk_effects")),
    )
    op.create_table(
        "entries",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("workspace", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("root", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("author", sa.String(length=32), nullable=True),
        sa.Column("message", sa.String(length=32), nullable=True),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("fact", sa.String(length=64), nullable=True),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("files", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entries")),
    )
    with op.batch_alter_table("entries", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_entries_workspace_channel_message"), ["workspace", "channel", "message"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_entries_workspace_channel_root"), ["workspace", "channel", "root"], unique=False
        )

    op.create_table(
        "incidents",
        sa.Column("workspace", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("root", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("opener", sa.String(length=32), nullable=True),
        sa.Column("resolver", sa.String(length=32), nullable=True),
        sa.Column("problem", sa.String(length=64), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("cause", sa.String(length=64), nullable=True),
        sa.Column("fingerprint", sa.String(length=200), nullable=True),
        sa.Column("model", sa.String(length=200), nullable=True),
        sa.Column("gpu", sa.String(length=100), nullable=True),
        sa.Column("gpu_count", sa.Integer(), nullable=True),
        sa.Column("vllm_version", sa.String(length=64), nullable=True),
        sa.Column("confidence", sa.String(length=16), nullable=False),
        sa.Column("fix", sa.String(length=200), nullable=True),
        sa.Column("helpful", sa.Boolean(), nullable=True),
        sa.PrimaryKeyConstraint("workspace", "channel", "root", name=op.f("pk_incidents")),
    )
    with op.batch_alter_table("incidents", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_incidents_workspace_fingerprint_opened_at"),
            ["workspace", "fingerprint", "opened_at"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_incidents_workspace_opened_at"), ["workspace", "opened_at"], unique=False)

    op.create_table(
        "workspaces",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspaces")),
    )
    op.create_table(
        "entry_keys",
        sa.Column("workspace", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["entry"], ["entries.id"], name=op.f("fk_entry_keys_entry"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("workspace", "key", name=op.f("pk_entry_keys")),
    )


def downgrade() -> None:
    op.drop_table("entry_keys")
    op.drop_table("workspaces")
    with op.batch_alter_table("incidents", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_incidents_workspace_opened_at"))
        batch_op.drop_index(batch_op.f("ix_incidents_workspace_fingerprint_opened_at"))

    op.drop_table("incidents")
    with op.batch_alter_table("entries", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_entries_workspace_channel_root"))
        batch_op.drop_index(batch_op.f("ix_entries_workspace_channel_message"))

    op.drop_table("entries")
    op.drop_table("effects")
    op.drop_table("digest_slots")
    op.drop_table("channels")
    with op.batch_alter_table("cases", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_cases_owed", postgresql_where=sa.text("taken > answered"), sqlite_where=sa.text("taken > answered")
        )

    op.drop_table("cases")
