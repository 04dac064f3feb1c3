"""`vllm-triage doctor`: what would keep the app from working, and what to do about it."""

from __future__ import annotations

import sys

import click

_SIGNS = {"well": ("✓", "green"), "warning": ("!", "yellow"), "ill": ("✗", "red"), "unknown": ("?", "cyan")}


@click.command("doctor")
@click.option("--transport", type=click.Choice(["socket", "http"]), default="socket", show_default=True)
def command(transport: str) -> None:
    """Look at settings, tokens, scopes, the database, clocks, the disk and Slack; exits 1 when something is ill."""
    from bot.settings import Settings
    from bot.slack.operating.doctor import examine, is_well

    found = []
    for finding in examine(Settings(), "http" if transport == "http" else "socket"):
        sign, colour = _SIGNS[finding.state]
        click.echo(f"{click.style(sign, fg=colour)} {finding.name}: {finding.said}")
        found.append(finding)
    sys.exit(0 if is_well(found) else 1)
