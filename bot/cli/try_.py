"""`vllm-triage try`: the real app in a workspace on this machine, with a page to talk to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.operating import PORT

if TYPE_CHECKING:
    from bot.workspace.server import Workspace

HELP_CHANNEL = "vllm-help"


@click.command("try")
@click.option("--port", type=PORT, default=0, help="Port of the page; a free one by default.")
@click.option(
    "--journal",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A SQLite file to keep; by default nothing is kept.",
)
def command(port: int, journal: Path | None) -> None:
    """Open a local workspace in the browser and talk to the bot, without Slack."""
    import logging
    import tempfile

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    with tempfile.TemporaryDirectory(prefix="vllm-triage-") as directory:
        _run(port, journal or Path(directory) / "journal.sqlite3")


def _run(port: int, journal: Path) -> None:
    from pydantic import SecretStr

    from bot.settings import Settings
    from bot.slack.doors.serve import LOOPBACK, run, until_told_to_stop
    from bot.slack.operating.manifest import manifest
    from bot.workspace.server import Workspace

    workspace = Workspace(manifest=manifest(), port=port)
    with workspace.run_in_thread():
        settings = Settings(
            slack_bot_token=SecretStr("xoxb-local"),
            slack_app_token=SecretStr("xapp-local"),
            slack_api_url=workspace.api_url,
            database_url=f"sqlite:///{journal.resolve()}",
        )
        _enable(workspace, settings.database_url)
        stop = until_told_to_stop()
        run(settings, "socket", host=LOOPBACK, port=0, say=lambda _: _invite(workspace.url), stop=stop)


def _enable(workspace: Workspace, database_url: str) -> None:
    """Let the bot answer by itself in the channel it was invited to, as somebody would do by "@bot enable"."""
    from bot.journal.channels import set_channel
    from bot.journal.open import open_journal

    journal = open_journal(database_url)
    for channel in workspace.rig.world.channels.values():
        if channel.name == HELP_CHANNEL:
            set_channel(journal, channel.team, channel.id, name=channel.name, mode="auto", is_private=False)
    journal.close()


def _invite(url: str) -> None:
    click.echo(f"A workspace with the bot in it is open at {url}")
    click.echo(f"Paste a vLLM error into #{HELP_CHANNEL}, or choose an example there. Ctrl-C ends it.")
