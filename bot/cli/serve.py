"""`vllm-triage serve`: the app with the operator's own settings."""

from __future__ import annotations

import click

from bot.cli.arguments import HOST
from bot.cli.operating import PORT, operation, refusals_in_words, settings_for, shows_metrics


@click.command("serve")
@click.option("--transport", type=click.Choice(["socket", "http"]), default="socket", show_default=True)
@click.option(
    "--host", type=HOST, default="127.0.0.1", show_default=True, help="Address to listen on, with --transport http."
)
@click.option(
    "--port", type=PORT, default=3000, show_default=True, help="Port to listen on, with --transport http; 0 picks one."
)
@shows_metrics
def command(transport: str, host: str, port: int, metrics_host: str, metrics_port: int | None) -> None:
    """Answer in Slack: Socket Mode by default, or signed HTTP at /slack/events.

    On PostgreSQL any number of these, and of `vllm-triage worker`, share the work.
    """
    chosen = "http" if transport == "http" else "socket"
    settings = settings_for(chosen)
    from bot.slack.doors.serve import serve

    with refusals_in_words(settings):
        serve(settings, chosen, operation(host, port, metrics_host, metrics_port))
