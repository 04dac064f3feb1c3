"""The journal at the command line: opened as the operator set it, and whose of its workspaces is meant."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from bot.cli.arguments import WORKSPACE

if TYPE_CHECKING:
    from bot.journal.open import Journal

which_workspace = click.option(
    "--workspace", type=WORKSPACE, metavar="ID", help="Where; needed only where there are several."
)


NO_CHANNEL = (
    "{!r} is no channel that the app knows: invite the app to it, or give the id (C0123…), which Slack shows at the "
    "end of the channel's details."
)


@contextmanager
def opened() -> Generator[Journal]:
    """Open the journal for as long as the block lasts."""
    from bot.journal.open import open_journal
    from bot.journal.sealing import Seal
    from bot.settings import Settings

    settings = Settings()
    key = settings.vllm_triage_encryption_key
    seal = Seal(key.get_secret_value()) if key else None
    journal = open_journal(settings.database_url, seal, seals_pastes=settings.vllm_triage_encrypt_pastes)
    try:
        yield journal
    finally:
        journal.close()


def workspace_of(journal: Journal, named: str | None) -> str:
    """Return the workspace that was named, or the only one there is.

    Raises:
        click.UsageError: None was named, and there is none or more than one.
    """
    from bot.journal.teams import workspaces_known

    if named:
        return named
    known = workspaces_known(journal)
    if len(known) == 1:
        return known[0]
    if not known:
        raise click.UsageError("The journal is empty: name the workspace with --workspace, by its id (T0123…).")
    raise click.UsageError(f"There are several workspaces: choose one with --workspace: {', '.join(known)}.")


def channel_of(journal: Journal, workspace: str, named: str) -> str:
    """Return the id of the channel that was named by its id, its link or its name.

    Raises:
        click.BadParameter: It is no id, and the journal knows no channel, or several, of that name.
    """
    from bot.journal.channels import find_channel

    found = find_channel(journal, workspace, named)
    if found is None:
        raise click.BadParameter(NO_CHANNEL.format(named))
    return found


def known_workspace(journal: Journal, named: str | None) -> str | None:
    """Return the workspace that was named; None where none was.

    Raises:
        click.BadParameter: The journal holds nothing of it.
    """
    from bot.journal.teams import workspaces_known

    known = workspaces_known(journal)
    if named is not None and named not in known:
        there = f"it holds {', '.join(known)}" if known else "it is empty"
        raise click.BadParameter(f"the journal holds nothing of {named}; {there}", param_hint="'--workspace'")
    return named


def known_team(journal: Journal, workspaces: Sequence[str], named: str | None) -> None:
    """Refuse a team that no workspace has.

    Raises:
        click.BadParameter: There is none of that name.
    """
    from bot.journal.channels import all_channels
    from bot.journal.teams import all_teams

    known: set[str | None] = {None, *workspaces}
    for workspace in workspaces:
        known |= {team.name for team in all_teams(journal, workspace)}
        known |= {room.team for room in all_channels(journal, workspace)}
    if named in known:
        return
    raise click.BadParameter(f"there is no team {named!r}; `vllm-triage team list` shows all")
