"""`vllm-triage forget`: a person, a channel, or what is older than its team keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bot.cli.arguments import PERSON, WORKSPACE
from bot.cli.keeping import which_workspace

if TYPE_CHECKING:
    from bot.journal.forget import Forgotten

YES = click.option("--yes", is_flag=True, help="Do not ask.")


@click.group("forget")
def command() -> None:
    """Forget what a person said, what a channel or workspace holds, or what has expired; there is no way back.

    What the bot has posted in Slack stays there: delete it there.
    """


@command.command("user")
@click.argument("person", type=PERSON, metavar="USER_ID")
@which_workspace
@YES
def user(person: str, workspace: str | None, *, yes: bool) -> None:
    """Forget a person.

    That is what they pasted, wrote and clicked, their name, and the incidents they opened.
    """
    from bot.cli.keeping import opened, workspace_of
    from bot.journal.forget import forget_person

    with opened() as journal:
        where = workspace_of(journal, workspace)
        _confirm(f"Forget the person {person} in workspace {where}?", yes=yes)
        click.echo(_say(forget_person(journal, where, person)))


@command.command("channel")
@click.argument("channel", metavar="CHANNEL")
@which_workspace
@YES
def channel_(channel: str, workspace: str | None, *, yes: bool) -> None:
    """Forget a channel.

    That is all that was said in it, its incidents, its settings.
    """
    from bot.cli.keeping import channel_of, opened, workspace_of
    from bot.journal.forget import forget_channel

    with opened() as journal:
        where = workspace_of(journal, workspace)
        channel = channel_of(journal, where, channel)
        _confirm(f"Forget the channel {channel} in workspace {where}?", yes=yes)
        click.echo(_say(forget_channel(journal, where, channel)))


@command.command("workspace")
@click.argument("workspace", type=WORKSPACE, metavar="ID")
@YES
def workspace_(workspace: str, *, yes: bool) -> None:
    """Forget a workspace.

    That is all of its channels, its teams and settings, and that the app is installed there.
    """
    from bot.cli.keeping import opened
    from bot.journal.forget import forget_workspace

    with opened() as journal:
        _confirm(f"Forget all of workspace {workspace}?", yes=yes)
        click.echo(_say(forget_workspace(journal, workspace)))


@command.command("expired")
def expired() -> None:
    """Forget what is older than its team keeps it.

    The running app does this by itself.
    """
    from datetime import UTC, datetime

    from bot.cli.keeping import opened
    from bot.journal.forget import forget_expired

    with opened() as journal:
        click.echo(_say(forget_expired(journal, datetime.now(UTC))))


def _confirm(question: str, *, yes: bool) -> None:
    if not yes:
        click.confirm(question, abort=True)


def _say(forgotten: Forgotten) -> str:
    return f"Forgotten: {forgotten.entries} entries, {forgotten.threads} threads, {forgotten.incidents} incidents."
