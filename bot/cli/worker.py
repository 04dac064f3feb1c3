"""`vllm-triage worker`: answers what the serving processes took in."""

from __future__ import annotations

import click

from bot.cli.operating import operation, refusals_in_words, settings_for, shows_metrics


@click.command("worker")
@click.option("--hands", type=click.IntRange(1, 64), default=4, show_default=True, help="Threads answered at a time.")
@shows_metrics
def command(hands: int, metrics_host: str, metrics_port: int | None) -> None:
    """Work on what is owed, with no connection to Slack of its own; needs PostgreSQL."""
    settings = settings_for(None)
    if settings.database_url.startswith("sqlite"):
        raise click.ClickException(
            "SQLite serves one process, and `vllm-triage serve` works by itself. For more, set DATABASE_URL to a "
            "PostgreSQL: postgresql://user:password@host/database."
        )
    from bot.slack.doors.serve import work

    with refusals_in_words(settings):
        work(settings, operation("127.0.0.1", 0, metrics_host, metrics_port, hands=hands))
