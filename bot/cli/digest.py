"""`vllm-triage digest`: a team's week in the terminal, or posted in a channel."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from bot.incident import Incident
    from bot.journal.open import Journal
    from bot.weekly import TeamWeek


@click.command("digest")
@click.option("--week", "week_name", metavar="2026-W48", help="The week to tell of; this week by default.")
@click.option(
    "--post", "channel", metavar="CHANNEL", help="Post it in this channel, by its id, instead of printing it."
)
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
def command(week_name: str | None, channel: str | None, as_markdown: bool) -> None:
    """Show or post each team's incidents: problems, causes, models and GPUs against the week before."""
    from bot.journal.open import open_journal
    from bot.settings import Settings
    from bot.weekly import read_week, week_of, weeks_of_teams

    try:
        week = read_week(week_name) if week_name else week_of(datetime.now(UTC))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--week") from error
    settings = Settings()
    if channel and not settings.slack_bot_token:
        raise click.ClickException("\n".join(settings.missing("socket")[:1]))
    journal = open_journal(settings.database_url)
    client = _client(settings)
    digests = weeks_of_teams(journal, week, _linker(client), reader=channel)
    if not digests:
        click.echo(f"No incidents in week {week.name} nor in the week before.")
    for found in digests:
        if channel and client:
            _post(journal, client, found, channel)
        else:
            _print(found, as_markdown=as_markdown)


def _client(settings: object) -> Any | None:
    from bot.settings import Settings
    from bot.slack.client import client

    assert isinstance(settings, Settings)
    token = settings.slack_bot_token
    return client(settings, token.get_secret_value()) if token else None


def _linker(client: Any | None) -> Callable[[Incident], str | None]:
    from bot.slack.digests import permalink

    if client:
        return lambda incident: permalink(client, incident)
    return _redirect


def _redirect(incident: Incident) -> str:
    """Return an address that opens the channel in whatever workspace the reader is signed in to."""
    thread = incident.thread
    return f"https://slack.com/app_redirect?team={thread.workspace}&channel={thread.channel}&message_ts={thread.root}"


def _post(journal: Journal, client: Any, found: TeamWeek, channel: str) -> None:
    from bot.journal.digests import Slot
    from bot.slack.delivery import NotNowError, RefusedError
    from bot.slack.digests import post_digest

    slot = Slot(workspace=found.workspace, team=found.team, channel=channel, week=found.week.name)
    try:
        is_new = post_digest(journal, client, slot, found.document)
    except RefusedError as refusal:
        raise click.ClickException(f"Slack refused to post in {channel}: {refusal.code}") from refusal
    except NotNowError as busy:
        raise click.ClickException(f"Slack is busy or did not answer ({busy}); run the command again.") from busy
    click.echo(f"{found.team}: {'posted' if is_new else 'was posted before'} in {channel}.")


def _print(found: TeamWeek, *, as_markdown: bool) -> None:
    from bot.reply import markdown, terminal

    render = markdown.render if as_markdown else terminal.render
    click.echo(render(found.document))
