"""Teams that own incidents, and the whole incident: answers, fixes, budgets and what was lost."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_OPEN = sa.text("state = 'open'")


def _new_columns() -> tuple[sa.Column, ...]:
    moment = sa.DateTime(timezone=True)
    return (
        sa.Column("team", sa.String(length=100)),
        sa.Column("updated_at", moment),
        sa.Column("answered_at", moment),
        sa.Column("reopened", sa.Integer(), server_default="0", nullable=False),
        sa.Column("error", sa.Text()),
        sa.Column("era", sa.String(length=8)),
        sa.Column("patch", sa.JSON()),
        sa.Column("pasted", sa.JSON()),
        sa.Column("fixed", sa.JSON()),
        sa.Column("before", sa.JSON()),
        sa.Column("after", sa.JSON()),
        sa.Column("context_lost", sa.BigInteger()),
        sa.Column("idle_memory", sa.BigInteger()),
    )


def upgrade() -> None:
    op.create_table(
        "teams",
        sa.Column("workspace", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("members", sa.JSON(), nullable=False),
        sa.Column("leads", sa.JSON(), nullable=False),
        sa.Column("groups", sa.JSON(), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("retention_days", sa.Integer(), nullable=True),
        sa.Column("escalation", sa.String(length=32), nullable=True),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_until", sa.Integer(), nullable=True),
        sa.Column("tells_quiet_weeks", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("workspace", "name", name=op.f("pk_teams")),
    )
    # Columns are added one by one on both databases: none of them needs the table to be copied.
    for column in _new_columns():
        op.add_column("incidents", column)
    _own_what_is_there()
    _index()


def _own_what_is_there() -> None:
    """Give each incident the team that its channel belongs to, which is how it was counted until now."""
    op.execute(
        "UPDATE incidents SET updated_at = coalesce(resolved_at, opened_at), team = coalesce(("
        "SELECT channels.team FROM channels WHERE channels.workspace = incidents.workspace"
        " AND channels.id = incidents.channel), workspace)"
    )
    answers = (
        "SELECT min(entries.at) FROM entries WHERE entries.workspace = incidents.workspace AND entries.channel ="
        " incidents.channel AND entries.root = incidents.root AND entries.kind = 'posted'"
    )
    op.execute(f"UPDATE incidents SET answered_at = ({answers})")
    op.execute(
        "INSERT INTO teams (workspace, name, members, leads, groups, zone, tells_quiet_weeks)"
        " SELECT workspace, team, '[]', '[]', '[]', 'UTC', false"
        " FROM (SELECT DISTINCT workspace, team FROM channels WHERE team IS NOT NULL) AS named"
    )


def _index() -> None:
    op.create_index(op.f("ix_incidents_workspace_team_opened_at"), "incidents", ["workspace", "team", "opened_at"])
    for name, columns in (
        ("ix_incidents_open", ["workspace", "opened_at", "team"]),
        ("ix_incidents_open_of", ["workspace", "opener", "opened_at"]),
    ):
        op.create_index(name, "incidents", columns, postgresql_where=_OPEN, sqlite_where=_OPEN)
    op.create_index(op.f("ix_entries_workspace_at"), "entries", ["workspace", "at"])
    op.create_index(op.f("ix_entries_workspace_author"), "entries", ["workspace", "author"])


def downgrade() -> None:
    _refuse_to_lose_teams()
    for name, table in (
        ("ix_entries_workspace_author", "entries"),
        ("ix_entries_workspace_at", "entries"),
        ("ix_incidents_open_of", "incidents"),
        ("ix_incidents_open", "incidents"),
        ("ix_incidents_workspace_team_opened_at", "incidents"),
    ):
        op.drop_index(name, table_name=table)
    with op.batch_alter_table("incidents") as batch_op:
        for column in reversed(_new_columns()):
            batch_op.drop_column(column.name)
    op.drop_table("teams")


def _refuse_to_lose_teams() -> None:
    """Incidents are rebuilt from their entries; what people set for a team stands nowhere else."""
    of_their_own = (
        "SELECT count(*) FROM teams WHERE zone <> 'UTC' OR retention_days IS NOT NULL OR escalation IS NOT NULL"
        " OR quiet_from IS NOT NULL OR tells_quiet_weeks OR CAST(members AS text) <> '[]'"
        " OR CAST(leads AS text) <> '[]' OR CAST(groups AS text) <> '[]'"
    )
    count = op.get_bind().exec_driver_sql(of_their_own).scalar_one()
    if count:
        raise RuntimeError(
            f"Revision 0002 has no place for what {count} of the teams have set (members, zone, retention, quiet hours), "
            "and going back would lose it. Save it with 'vllm-triage team export > teams.yaml', empty the table "
            "'teams', and run this again."
        )
