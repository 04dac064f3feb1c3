"""What every long-running command does alike: settings, logs, where metrics are, how it is told to stop."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from bot.cli.arguments import HOST

if TYPE_CHECKING:
    from bot.settings import Settings, Transport
    from bot.slack.doors.serve import Operation


PORT = click.IntRange(0, 65_535)


def shows_metrics(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say where metrics and health are shown."""
    port = click.option("--metrics-port", type=PORT, help="Show metrics and health on this port; 0 picks one.")
    host = click.option(
        "--metrics-host", type=HOST, default="127.0.0.1", show_default=True, help="Address of that port."
    )
    return host(port(command))


def settings_for(transport: Transport | None) -> Settings:
    """Return the operator's settings, with logs set up by them.

    Raises:
        click.ClickException: Something is missing; the message says how to get it.
    """
    from bot.logs import write_logs
    from bot.settings import Settings

    settings = Settings()
    missing = settings.missing(transport)
    if missing:
        raise click.ClickException("\n".join(["Something is missing.", *missing]))
    write_logs(settings.vllm_triage_log_format, settings.vllm_triage_log_level)
    return settings


@contextmanager
def refusals_in_words(settings: Settings) -> Generator[None]:
    """Say in a sentence why the app cannot begin.

    Raises:
        click.ClickException: Slack does not take a token, or Slack or our own port is out of reach.
    """
    from bot.slack.api.refusals import CannotServeError, in_words

    try:
        with in_words(settings.slack_api_url):
            yield
    except CannotServeError as reason:
        raise click.ClickException(str(reason)) from reason


def operation(host: str, port: int, metrics_host: str, metrics_port: int | None, hands: int | None = None) -> Operation:
    """Return how this process is run, until SIGTERM or SIGINT."""
    from bot.cli.due import tell
    from bot.slack.answering.worker import HANDS
    from bot.slack.doors.serve import Operation, until_told_to_stop

    return Operation(
        host=host,
        port=port,
        metrics_host=metrics_host,
        metrics_port=metrics_port,
        hands=hands or HANDS,
        tell=tell,
        say=click.echo,
        stop=until_told_to_stop(),
    )
