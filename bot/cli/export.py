"""`vllm-triage export`: incidents searched for, in the terminal or for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, get_args

import click

from bot.case import State
from bot.cli.arguments import DAY, WORKSPACE

if TYPE_CHECKING:
    from bot.incident import Incident

_SHOWN = ("opened_at", "state", "team", "title", "cause", "model", "gpu", "vllm_version")


@click.command("export")
@click.argument("words", nargs=-1)
@click.option("--format", "form", type=click.Choice(["csv", "jsonl", "table"]), default="csv", show_default=True)
@click.option("--workspace", type=WORKSPACE, metavar="ID", help="One workspace's; of all by default.")
@click.option("--team", metavar="NAME", help="One team's.")
@click.option("--state", type=click.Choice(get_args(State)), help="Only those in this state.")
@click.option("--since", type=DAY, metavar="2026-11-01", help="Opened on that day or later.")
@click.option("--until", type=DAY, metavar="2026-12-01", help="Opened before that day.")
@click.option("--most", type=click.IntRange(1, 10**9), help="Stop after so many; the newest come first.")
def command(
    words: tuple[str, ...],
    *,
    form: str,
    most: int | None,
    since: datetime | None,
    until: datetime | None,
    **search: Any,
) -> None:
    """Write out incidents; WORDS must all stand in problem, cause, error, model, GPU or version.

    Private channels are in it: it is for whoever operates the bot. Columns are named as in the journal.

    \b
    Examples:
      vllm-triage export --format jsonl --since 2026-11-01 > incidents.jsonl
      vllm-triage export --format table --state open llama L4
    """  # noqa: D301 - click reads \b as "leave these lines alone"
    from bot.cli.keeping import known_team, known_workspace, opened
    from bot.journal.incidents import workspaces_with_incidents
    from bot.journal.searching import Search, find

    if since and until and until <= since:
        raise click.UsageError(f"--until {until:%Y-%m-%d} is not after --since {since:%Y-%m-%d}: nothing lies between.")
    wanted = Search(words=words, since=since, until=until, **search)
    with opened() as journal:
        only = known_workspace(journal, wanted.workspace)
        known_team(journal, [only] if only else workspaces_with_incidents(journal), wanted.team)
        for line in _lines(form, find(journal, wanted, most)):
            click.echo(line, nl=False)


def _lines(form: str, incidents: Iterator[Incident]) -> Iterable[str]:
    from bot.reply.sheet import csv, json_lines, row

    if form == "table":
        return [_table(list(incidents))]
    rows = (row(incident) for incident in incidents)
    return csv(rows) if form == "csv" else json_lines(rows)


def _table(incidents: list[Incident]) -> str:
    from bot.reply.document import Document, Table
    from bot.reply.terminal import render

    rows = tuple(tuple(_cell(getattr(incident, name)) for name in _SHOWN) for incident in incidents)
    if not rows:
        return "No incidents.\n"
    return render(Document(summary="", parts=(Table(headers=_SHOWN, rows=rows),)))


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return "" if value is None else str(value)
