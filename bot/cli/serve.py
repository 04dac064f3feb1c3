"""`vllm-triage serve`: the app with the operator's own settings."""

from __future__ import annotations

import click


@click.command("serve")
@click.option("--transport", type=click.Choice(["socket", "http"]), default="socket", show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on, with --transport http.")
@click.option("--port", default=3000, show_default=True, help="Port to listen on, with --transport http; 0 picks one.")
def command(transport: str, host: str, port: int) -> None:
    """Answer in Slack: Socket Mode by default, or signed HTTP at /slack/events."""
    import logging

    from bot.settings import Settings

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("alembic.runtime.plugins").setLevel(logging.WARNING)  # tells of its own setup at every start
    settings = Settings()
    missing = settings.missing("http" if transport == "http" else "socket")
    if missing:
        raise click.ClickException("\n".join(["Something is missing.", *missing]))
    from bot.slack.refusals import CannotServeError, in_words
    from bot.slack.serve import serve as run

    try:
        with in_words(settings.slack_api_url):
            run(settings, "http" if transport == "http" else "socket", host=host, port=port, say=click.echo)
    except CannotServeError as reason:
        raise click.ClickException(str(reason)) from reason
