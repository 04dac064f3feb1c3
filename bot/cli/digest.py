"""`vllm-triage digest`: a team's week in the terminal, as Markdown, as a page, or posted in a channel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bot.cli.arguments import WORKSPACE, Reading
from bot.cli.posting import PLATFORM_NAME

if TYPE_CHECKING:
    from bot.incident import Incident
    from bot.journal.open import Journal
    from bot.reply.document import Document
    from bot.settings import Settings
    from bot.weekly.figures import Gathered
    from bot.weekly.weeks import Week


class Wish(NamedTuple):
    """Whose digests of which weeks are wanted."""

    workspace: str | None
    team: str | None
    week: str | None
    since: str | None


def _read_week(text: str) -> str:
    """Refuse what names no week before the journal is opened, which may hold nothing that would meet it."""
    from bot.weekly.weeks import read_week

    return read_week(text).name


WEEK = Reading("week", _read_week)


@click.command("digest")
@click.option("--team", metavar="NAME", help="One team's; 'platform' for all of them together. Everybody's by default.")
@click.option("--workspace", type=WORKSPACE, metavar="ID", help="One workspace's; of all by default.")
@click.option("--week", type=WEEK, metavar="2026-W48", help="The week to tell of; this week by default.")
@click.option(
    "--since",
    metavar="2026-W40",
    type=WEEK,
    help="Every week from that one on: what was not sent, back-filled.",
)
@click.option("--post", "channel", metavar="CHANNEL", help="Send it now to this channel, by id or name; once each.")
@click.option("--dry-run", is_flag=True, help="With --post: say what would be posted, and post nothing.")
@click.option("--quiet-weeks", is_flag=True, help="Tell of weeks without incidents too.")
@click.option(
    "--details", is_flag=True, help="Show all of it: charts, every open case, causes, models, GPUs, versions."
)
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
@click.option("--html", "page", type=click.Path(path_type=Path, dir_okay=False), help="Write a web page.")
@click.option("--csv", "sheet", type=click.Path(path_type=Path, dir_okay=False), help="Write the incidents as CSV.")
def command(
    channel: str | None, *, dry_run: bool, quiet_weeks: bool, details: bool, as_markdown: bool, **options: Any
) -> None:
    """Show or post each team's week: what broke and why, against the weeks before, what it cost and what to fix.

    \b
    Examples:
      vllm-triage digest --team inference --html week.html      preview
      vllm-triage digest --post C0123456789 --dry-run           what would be sent
      vllm-triage digest --post C0123456789 --since 2026-W40    back-fill
    """  # noqa: D301 - click reads \b as "leave these lines alone"
    from bot.cli.keeping import opened
    from bot.cli.posting import find_place, post
    from bot.settings import Settings

    settings = Settings()
    wish = Wish(*(options.pop(name) for name in Wish._fields))
    _check(wish, channel, dry_run=dry_run, is_written=as_markdown or any(options.values()))
    with opened() as journal:
        _check_names(journal, wish)
        if not channel:
            digests = _digests(settings, journal, wish, quiet_weeks=quiet_weeks)
            _write(list(digests), as_markdown=as_markdown, details=details, **options)
            return
        place = find_place(settings, journal, wish.workspace, channel, dry_run=dry_run)
        wish = wish._replace(workspace=place.workspace)
        for digest in _digests(settings, journal, wish, place.channel, quiet_weeks=quiet_weeks):
            click.echo(post(place, *digest))


def _check(wish: Wish, channel: str | None, *, dry_run: bool, is_written: bool) -> None:
    if channel and is_written:
        raise click.UsageError("--post sends it to Slack; leave out --markdown, --html and --csv, or leave out --post.")
    if dry_run and not channel:
        raise click.UsageError("--dry-run goes with --post CHANNEL; without --post nothing is posted anyway.")
    if wish.since and wish.week and wish.week < wish.since:
        raise click.UsageError(f"--week {wish.week} lies before --since {wish.since}.")


def _check_names(journal: Journal, wish: Wish) -> None:
    from bot.cli.keeping import known_team, known_workspace
    from bot.journal.incidents import workspaces_with_incidents

    only = known_workspace(journal, wish.workspace)
    known = [only] if only else workspaces_with_incidents(journal)
    if known and wish.team != PLATFORM_NAME:
        known_team(journal, known, wish.team)


def _digests(
    settings: Settings, journal: Journal, wish: Wish, channel: str | None = None, *, quiet_weeks: bool
) -> Iterator[tuple[str, Gathered, Document]]:
    """Yield (team, figures, digest) for all that is wanted, oldest week first."""
    from bot.weekly.compose import digest

    link, found = _linker(settings), 0
    for workspace, team in _owners(journal, wish, is_posted=bool(channel)):
        for gathered in _weeks(journal, workspace, team, wish, channel):
            if quiet_weeks or not gathered.is_quiet or (gathered.before and not channel):
                found += 1
                yield team, gathered, digest(gathered, link)
    if not found:
        click.echo(f"No incidents in {wish.week or 'this week'}{' yet' if not wish.week else ''}.")


def _owners(journal: Journal, wish: Wish, *, is_posted: bool) -> list[tuple[str, str]]:
    from bot.journal.incidents import workspaces_with_incidents
    from bot.journal.teams import PLATFORM
    from bot.weekly.gather import everybody

    if wish.team is None:
        owners = [owner for owner in everybody(journal) if wish.workspace in {None, owner[0]}]
        # A channel gets the platform's beside the teams' own only where somebody asks for it.
        return [owner for owner in owners if not is_posted or owner[1] != PLATFORM]
    name = PLATFORM if wish.team == PLATFORM_NAME else wish.team
    return [
        (workspace, name) for workspace in workspaces_with_incidents(journal) if wish.workspace in {None, workspace}
    ]


def _weeks(journal: Journal, workspace: str, team: str, wish: Wish, channel: str | None) -> Iterator[Gathered]:
    from bot.cli.names import names
    from bot.weekly.gather import gather, zone_of
    from bot.weekly.weeks import read_week, week_of

    zone = zone_of(journal, workspace, team)
    now = week_of(datetime.now(UTC).astimezone(zone))
    last = read_week(wish.week, zone) if wish.week else now
    first = read_week(wish.since, zone) if wish.since else last
    for week in _span(first, last):
        gathered = gather(journal, workspace, team, week, channel, names())
        yield gathered.model_copy(update={"is_over": week.begin < now.begin})


def _span(first: Week, last: Week) -> Iterator[Week]:
    while first.begin <= last.begin:
        yield first
        first = first.after


def _linker(settings: Settings) -> Callable[[Incident], str | None]:
    from bot.slack.api.client import client
    from bot.slack.saying.addresses import permalink, redirect

    token = settings.slack_bot_token
    if token is None:
        return redirect
    slack = client(settings, token.get_secret_value())
    return lambda incident: permalink(slack, incident)


def _write(
    digests: list[tuple[str, Gathered, Document]],
    *,
    as_markdown: bool,
    details: bool,
    page: Path | None,
    sheet: Path | None,
) -> None:
    from bot.reply import markdown, web

    documents = [document for _, _, document in digests]
    if page:
        page.write_text(web.page("vLLM incidents", *documents), encoding="utf-8")
    if sheet:
        sheet.write_text(_rows(digests), encoding="utf-8")
    if page or sheet:
        click.echo("Written: " + ", ".join(str(path) for path in (page, sheet) if path))
        return
    for document in documents:
        click.echo(markdown.render(document) if as_markdown else _printed(document, details=details))


def _printed(document: Document, *, details: bool) -> str:
    from bot.cli.look import printed
    from bot.weekly.brief import brief

    more = "charts, every open case, causes, models, GPUs, versions"
    return printed(document if details else brief(document), details=details, more=more)


def _rows(digests: list[tuple[str, Gathered, Document]]) -> str:
    from bot.reply.sheet import csv, row

    told = {
        incident.thread: row(incident, may_tell=gathered.may_tell(incident))
        for _, gathered, _ in digests
        for incident in gathered.incidents
    }
    return "".join(csv(told.values()))
