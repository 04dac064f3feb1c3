"""More than one workspace and process: digest rules, installations, states, answered requests."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "digest_rules",
        sa.Column("workspace", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=100), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("weekday", sa.Integer(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("workspace", "team", "channel", name=op.f("pk_digest_rules")),
    )
    op.create_table(
        "installations",
        sa.Column("workspace", sa.String(length=64), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("installed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("workspace", name=op.f("pk_installations")),
    )
    op.create_table(
        "oauth_states",
        sa.Column("state", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("state", name=op.f("pk_oauth_states")),
    )
    op.create_table(
        "answered_requests",
        sa.Column("signature", sa.String(length=100), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("signature", name=op.f("pk_answered_requests")),
    )
    op.create_index(op.f("ix_answered_requests_at"), "answered_requests", ["at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_answered_requests_at"), table_name="answered_requests")
    for name in ("answered_requests", "oauth_states", "installations", "digest_rules"):
        op.drop_table(name)
