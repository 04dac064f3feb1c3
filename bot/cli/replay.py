"""`vllm-triage replay`: incidents built anew from what was said, and what newer knowledge says otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

import click

from bot.cli.arguments import DAY, WORKSPACE

if TYPE_CHECKING:
    from bot.case import Thread
    from bot.incident import Incident
    from bot.journal.open import Journal


@click.command("replay")
@click.option("--workspace", type=WORKSPACE, metavar="ID", help="One workspace's; of all by default.")
@click.option("--since", type=DAY, metavar="2026-11-01", help="Threads begun on that day or later.")
@click.option("--dry-run", is_flag=True, help="Only list what would change.")
def command(workspace: str | None, since: datetime | None, *, dry_run: bool) -> None:
    """Build every incident anew from its entries, and list the verdicts that today's knowledge changes.

    Replies in Slack stay as they are until somebody says something in their thread.
    """
    from bot.cli.keeping import known_workspace, opened

    with opened() as journal:
        seen = changed = 0
        where = known_workspace(journal, workspace)
        for before, after in _replayed(journal, where, since, writes=not dry_run):
            seen += after is not None
            if _verdict(before) != _verdict(after):
                changed += 1
                click.echo(_say(before, after))
    would = "would change" if dry_run else "changed"
    click.echo(f"{seen} incidents{'' if dry_run else ' built anew'}; {changed} verdicts {would}.")


def _replayed(
    journal: Journal, workspace: str | None, since: datetime | None, *, writes: bool
) -> Iterator[tuple[Incident | None, Incident | None]]:
    """Yield each incident as it was and as it is by today's knowledge, newest thread first."""
    from bot.journal.entries import all_threads
    from bot.journal.incidents import file, incident_of, unfile

    parts: set[Thread] = set()  # earlier parts of a later paste: no incidents of their own
    for thread in all_threads(journal, workspace, since):
        before = incident_of(journal, thread)
        rebuilt = _built(journal, thread, before, parts)
        after = None if thread in parts else rebuilt
        if writes and after:
            file(journal, after)
        elif writes and before:
            unfile(journal, thread)
        if before or after:
            yield before, after


def _built(journal: Journal, thread: Thread, before: Incident | None, parts: set[Thread]) -> Incident | None:
    """Return a thread's incident; what was forgotten cannot be built anew and stays as it is."""
    from bot.case import fold
    from bot.hub.look_up import look_up
    from bot.incident import incident
    from bot.journal.entries import entries
    from bot.slack.hearing.heard import hear

    case = fold(entries(journal, thread))
    if not case.text.strip():
        return before
    heard = hear(journal, thread, case, look_up)
    parts.update(heard.parts)
    row = incident(thread, case, heard.diagnosis)
    if row is None or not heard.diagnosis.is_for_us:
        return None
    return row.model_copy(update={"team": row.team or (before.team if before else None)})


def _verdict(row: Incident | None) -> tuple[str | None, ...]:
    return (row.problem, row.cause, row.state) if row else ()


def _say(before: Incident | None, after: Incident | None) -> str:
    row = after or before
    assert row
    place = f"{row.thread.channel} {row.thread.root}"
    return f"{place}: {_name(before)} → {_name(after)}"


def _name(row: Incident | None) -> str:
    if row is None:
        return "no incident"
    return "/".join(part for part in (row.problem or "not known", row.cause) if part)
