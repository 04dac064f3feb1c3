"""`vllm-triage manifest`: what to give Slack to make the app."""

from __future__ import annotations

import click

from bot.cli.arguments import ADDRESS


@click.command("manifest")
@click.option("--transport", type=click.Choice(["socket", "http"]), default="socket", show_default=True)
@click.option("--url", type=ADDRESS, metavar="https://…", help="Where Slack reaches this app, with --transport http.")
@click.option("--installs", is_flag=True, help="Let any workspace install the app, at URL/slack/install.")
@click.option("--reasons", is_flag=True, help="Print every scope with its reason instead.")
def command(transport: str, url: str | None, *, installs: bool, reasons: bool) -> None:
    """Print the app's manifest, with the least scopes: paste it at https://api.slack.com/apps?new_app=1."""
    import json

    from bot.slack.operating.manifest import EVENTS_PATH, manifest

    if reasons:
        _tell_reasons()
        return
    if not url and (transport == "http" or installs):
        raise click.UsageError("--url is missing: the address at which Slack and browsers reach this app, https://…")
    if url and transport == "socket" and not installs:
        raise click.UsageError("--url is for --transport http and --installs: Socket Mode needs no address.")
    base = url or ""
    is_http = transport == "http"
    made = manifest(
        "http" if is_http else "socket", base + EVENTS_PATH if is_http else None, base if installs else None
    )
    click.echo(json.dumps(made, indent=2))


def _tell_reasons() -> None:
    from bot.slack.operating.manifest import OPTIONAL_SCOPES, SCOPES

    width = max(map(len, [*SCOPES, *OPTIONAL_SCOPES]))
    for heading, scopes in (("Needed", SCOPES), ("Nice to have", OPTIONAL_SCOPES)):
        click.echo(heading)
        for scope, reason in sorted(scopes.items()):
            click.echo(f"  {scope:{width}}  {reason}")
