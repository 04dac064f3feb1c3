"""Owners for incidents that a version before 0003 filed beside newer ones; the table of workspaces, never used, goes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "UPDATE incidents SET updated_at = coalesce(updated_at, resolved_at, opened_at), team = coalesce(("
        "SELECT channels.team FROM channels WHERE channels.workspace = incidents.workspace"
        " AND channels.id = incidents.channel), workspace) WHERE team IS NULL"
    )
    op.drop_table("workspaces")


def downgrade() -> None:
    op.create_table(
        "workspaces",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspaces")),
    )
