"""`vllm-triage team`: who owns incidents, and how each team wants to be told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.arguments import RETENTION, TEAM
from bot.cli.keeping import which_workspace

if TYPE_CHECKING:
    from bot.journal.team_sheet import TeamSheet

_NO_TEAM = "there is no team {!r}; `vllm-triage team list` shows all"


@click.group("team")
def command() -> None:
    """Look after teams: who owns incidents, when and where each is told of its week."""


@command.command("list")
@which_workspace
def list_(workspace: str | None) -> None:
    """List the teams with their channels."""
    from bot.cli.keeping import opened, workspace_of
    from bot.journal.team_sheet import sheets

    with opened() as journal:
        known = sheets(journal, workspace_of(journal, workspace))
    for sheet in known:
        channels = ", ".join(sheet.channels) or "no channel"
        click.echo(f"{sheet.name}: {channels}; digest in {sheet.digest_channel or 'no channel'}, {sheet.zone}")
    if not known:
        click.echo("No teams yet: make one with 'vllm-triage team set NAME'.")


@command.command("show")
@click.argument("name", type=TEAM)
@which_workspace
def show(name: str, workspace: str | None) -> None:
    """Show a team's settings, in the form that `import` reads."""
    from bot.catalog.yaml_text import write_yaml_text
    from bot.cli.keeping import opened, workspace_of
    from bot.journal.team_sheet import plain, sheet_of

    with opened() as journal:
        found = sheet_of(journal, workspace_of(journal, workspace), name)
    if found is None:
        raise click.BadParameter(_NO_TEAM.format(name))
    click.echo(write_yaml_text({"teams": [plain(found)]}), nl=False)


@command.command("set")
@click.argument("name", type=TEAM)
@which_workspace
@click.option("--members", metavar="U1,U2", help="Ids of its people.")
@click.option("--leads", metavar="U1,U2", help="Ids of those who may change its settings.")
@click.option("--groups", metavar="S1,S2", help="Ids of user groups whose people's incidents it owns.")
@click.option("--zone", metavar="Europe/Berlin", help="The zone of its clocks.")
@click.option("--digest-channel", metavar="C1", help="Where its weekly digest goes, by id or name; '-' for none.")
@click.option("--digest-day", metavar="DAY", help="As monday, which it is by default.")
@click.option("--digest-time", metavar="09:00", help="By the team's own clocks.")
@click.option(
    "--retention-days", type=RETENTION, metavar="DAYS", help="Forget what was said after so many days; '-' keeps it."
)
@click.option("--escalation", metavar="S1", help="The user group that an escalation mentions; '-' for none.")
@click.option("--quiet-hours", metavar="20:00-07:00", help="When nobody is to be called; '-' for never.")
@click.option(
    "--quiet-weeks/--no-quiet-weeks", "tells_quiet_weeks", default=None, help="Tell of weeks without incidents."
)
def set_(name: str, workspace: str | None, **options: Any) -> None:
    """Make a team, or change what is given of its settings."""
    from bot.cli.keeping import channel_of, opened, workspace_of
    from bot.journal.team_sheet import TeamSheet, keep, sheet_of

    changes = _changes({key: value for key, value in options.items() if value is not None})
    with opened() as journal:
        where = workspace_of(journal, workspace)
        if changes.get("digest_channel"):
            changes["digest_channel"] = channel_of(journal, where, changes["digest_channel"])
        before = sheet_of(journal, where, name) or TeamSheet(name=name)
        keep(journal, where, _checked({**before.model_dump(), **changes}))
    click.echo(f"{name} is set.")


def _changes(options: dict[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = {name: None if value == "-" else value for name, value in options.items()}
    for name in ("members", "leads", "groups"):
        if name in changes:
            changes[name] = tuple(part.strip() for part in (changes[name] or "").split(",") if part.strip())
    return changes


def _checked(values: dict[str, Any]) -> TeamSheet:
    from pydantic import ValidationError

    from bot.journal.team_sheet import TeamSheet

    try:
        return TeamSheet.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "".join(f"{part}: " for part in first["loc"]).replace("_", "-")
        raise click.BadParameter(where + first["msg"].removeprefix("Value error, ")) from error


@command.command("map")
@click.argument("channel")
@click.argument("name", type=TEAM, required=False)
@which_workspace
def map_(channel: str, name: str | None, workspace: str | None) -> None:
    """Let the team NAME own a channel and its incidents.

    Without NAME the workspace does.
    """
    from bot.cli.keeping import channel_of, opened, workspace_of
    from bot.journal.teams import Team, map_channel, set_team, team

    with opened() as journal:
        where = workspace_of(journal, workspace)
        place = channel_of(journal, where, channel)
        is_new = bool(name) and team(journal, where, str(name)) is None
        if is_new:
            set_team(journal, Team(workspace=where, name=str(name)))
        map_channel(journal, where, place, name)
    click.echo(f"{channel} belongs to {name or 'the workspace'}{', which is a new team' if is_new else ''}.")


@command.command("drop")
@click.argument("name", type=TEAM)
@which_workspace
def drop(name: str, workspace: str | None) -> None:
    """Dissolve a team.

    Its channels and incidents fall back to the workspace.
    """
    from bot.cli.keeping import opened, workspace_of
    from bot.journal.teams import drop_team

    with opened() as journal:
        if not drop_team(journal, workspace_of(journal, workspace), name):
            raise click.BadParameter(_NO_TEAM.format(name))
    click.echo(f"{name} is dissolved.")


@command.command("export")
@which_workspace
def export(workspace: str | None) -> None:
    """Print all teams as YAML."""
    from bot.catalog.yaml_text import write_yaml_text
    from bot.cli.keeping import opened, workspace_of
    from bot.journal.team_sheet import plain, sheets

    with opened() as journal:
        known = sheets(journal, workspace_of(journal, workspace))
    click.echo(write_yaml_text({"teams": [plain(sheet) for sheet in known]}), nl=False)


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, allow_dash=True))
@which_workspace
@click.option("--dry-run", is_flag=True, help="Only say what would be set.")
def import_(file: Path, workspace: str | None, *, dry_run: bool) -> None:
    """Set the teams that a YAML file names.

    It is written as `export` prints it; other teams stay as they are.
    """
    from bot.catalog.yaml_text import read_yaml_text
    from bot.cli.keeping import opened, workspace_of
    from bot.journal.team_sheet import keep

    content = read_yaml_text(_sheet(file), file)
    listed = content.get("teams") if isinstance(content, dict) else None
    if not isinstance(listed, list):
        raise click.BadParameter(f"{file}: wanted 'teams:' with a list under it; 'team export' prints one.")
    wanted = [_checked(each if isinstance(each, dict) else {"name": each}) for each in listed]
    with opened() as journal:
        where = workspace_of(journal, workspace)
        for sheet in wanted:
            if not dry_run:
                keep(journal, where, sheet)
            click.echo(f"{sheet.name} {'would be' if dry_run else 'is'} set.")


def _sheet(file: Path) -> str:
    """Return the text of a sheet of teams."""
    from bot.cli.json_lines import standard_input
    from bot.cli.text_files import read_to_its_end, read_whole

    name = "standard input" if str(file) == "-" else str(file)
    try:
        content = read_to_its_end(standard_input().buffer) if str(file) == "-" else read_whole(file)
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.BadParameter(f"{name} is not UTF-8; save it as UTF-8.") from error
    except OSError as error:
        raise click.ClickException(f"cannot read {name}: {error.strerror}") from error
