"""`vllm-triage digest`: a team's week in the terminal, as Markdown, as a page, or posted in a channel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from bot.incident import Incident
    from bot.journal.digests import Slot
    from bot.journal.open import Journal
    from bot.reply.document import Document
    from bot.settings import Settings
    from bot.slack.saying.delivery import NotNowError
    from bot.weekly.figures import Gathered
    from bot.weekly.weeks import Week

PLATFORM_NAME = "platform"


class Wish(NamedTuple):
    """Whose digests of which weeks are wanted."""

    workspace: str | None
    team: str | None
    week: str | None
    since: str | None


def _checked(_context: click.Context, _option: click.Parameter, week: str | None) -> str | None:
    """Refuse what names no week before the journal is opened, which may hold nothing that would meet it."""
    from bot.weekly.weeks import read_week

    try:
        if week is not None:
            read_week(week)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return week


@click.command("digest")
@click.option("--team", metavar="NAME", help="One team's; 'platform' for all of them together. Everybody's by default.")
@click.option("--workspace", metavar="ID", help="One workspace's; of all by default.")
@click.option("--week", metavar="2026-W48", callback=_checked, help="The week to tell of; this week by default.")
@click.option(
    "--since",
    metavar="2026-W40",
    callback=_checked,
    help="Every week from that one on: what was not sent, back-filled.",
)
@click.option("--post", "channel", metavar="CHANNEL", help="Send it now to this channel, by its id; once each.")
@click.option("--dry-run", is_flag=True, help="With --post: say what would be posted, and post nothing.")
@click.option("--quiet-weeks", is_flag=True, help="Tell of weeks without incidents too.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
@click.option("--html", "page", type=click.Path(path_type=Path, dir_okay=False), help="Write a web page.")
@click.option("--csv", "sheet", type=click.Path(path_type=Path, dir_okay=False), help="Write the incidents as CSV.")
def command(channel: str | None, *, dry_run: bool, quiet_weeks: bool, as_markdown: bool, **options: Any) -> None:
    """Show or post each team's week: what broke and why, against the weeks before, what it cost and what to fix.

    \b
    Examples:
      vllm-triage digest --team inference --html week.html      preview
      vllm-triage digest --post C0123456789 --dry-run           what would be sent
      vllm-triage digest --post C0123456789 --since 2026-W40    back-fill
    """  # noqa: D301 - click reads \b as "leave these lines alone"
    from bot.settings import Settings

    settings = Settings()
    if channel and not dry_run and not settings.slack_bot_token:
        raise click.ClickException("\n".join(settings.missing("socket")[:1]))
    wish = Wish(*(options.pop(name) for name in Wish._fields))
    digests = _digests(settings, wish, channel, quiet_weeks=quiet_weeks)
    if channel:
        _post(settings, digests, channel, dry_run=dry_run)
    else:
        _write(list(digests), as_markdown=as_markdown, **options)


def _digests(
    settings: Settings, wish: Wish, channel: str | None, *, quiet_weeks: bool
) -> Iterator[tuple[str, Gathered, Document]]:
    """Yield (team, figures, digest) for all that is wanted, oldest week first."""
    from bot.cli.keeping import opened
    from bot.weekly.compose import digest

    with opened() as journal:
        link, found = _linker(settings), 0
        for workspace, team in _owners(journal, wish, is_posted=bool(channel)):
            for gathered in _weeks(journal, workspace, team, wish, channel):
                if quiet_weeks or not gathered.is_quiet or (gathered.before and not channel):
                    found += 1
                    yield team, gathered, digest(gathered, link)
        if not found and wish.team and not _is_known(journal, wish.team):
            raise click.ClickException(f"There is no team {wish.team!r}; `vllm-triage team list` shows all.")
        if not found:
            click.echo(f"No incidents in {f'week {wish.week}' if wish.week else 'that time'}.")


def _is_known(journal: Journal, team: str) -> bool:
    from bot.journal.incidents import workspaces_with_incidents
    from bot.journal.team_sheet import sheet_of

    workspaces = workspaces_with_incidents(journal)
    whole = {PLATFORM_NAME, *workspaces}
    return not workspaces or team in whole or any(sheet_of(journal, workspace, team) for workspace in workspaces)


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


def _post(
    settings: Settings, digests: Iterator[tuple[str, Gathered, Document]], channel: str, *, dry_run: bool
) -> None:
    from bot.journal.digests import Slot

    for team, gathered, document in digests:
        slot = Slot(workspace=gathered.workspace, team=team, channel=channel, week=gathered.week.name)
        click.echo(_say_dry(slot, document) if dry_run else _send(settings, slot, document))


def _say_dry(slot: Slot, document: Document) -> str:
    from bot.reply.pages import pages

    messages = pages(document)
    files = ", ".join(file.name for file in document.files) or "no file"
    blocks = sum(map(len, messages))
    what = f"{len(messages)} messages of {blocks} blocks, and {files}"
    return f"{_called(slot)}, {slot.week}: would post {what}, in {slot.channel}."


def _called(slot: Slot) -> str:
    from bot.journal.teams import PLATFORM

    return PLATFORM_NAME if slot.team == PLATFORM else slot.team


def _send(settings: Settings, slot: Slot, document: Document) -> str:
    from bot.cli.keeping import opened
    from bot.journal.digests import is_sent
    from bot.slack.api.client import client
    from bot.slack.desk import Desk
    from bot.slack.digests.post import post_digest
    from bot.slack.saying.delivery import NotNowError, RefusedError

    assert settings.slack_bot_token
    slack = client(settings, settings.slack_bot_token.get_secret_value())
    try:
        with opened() as journal:
            is_new = post_digest(Desk(journal, slack, ""), slot, document)
            is_there = is_new or is_sent(journal, slot)
    except RefusedError as refusal:
        raise click.ClickException(_refused(slot.channel, refusal.code)) from refusal
    except NotNowError as busy:
        raise click.ClickException(_not_now(busy)) from busy
    if not is_there:
        return f"{_called(slot)}, {slot.week}: is being posted, or was cut off; run the command again in a minute."
    return f"{_called(slot)}, {slot.week}: {'posted' if is_new else 'was posted before'} in {slot.channel}."


def _refused(channel: str, code: str) -> str:
    known = {"channel_not_found", "not_in_channel"}
    remedy = "; invite the app to it, and give its id (C…), not its name" if code in known else ""
    return f"Slack refused to post in {channel}: {code}{remedy}"


def _not_now(busy: NotNowError) -> str:
    if busy.is_lost:
        return "Slack did not answer, so it may be there or not. Run the command again in a minute: it looks first."
    return f"Slack is busy ({busy}); run the command again."


def _write(
    digests: list[tuple[str, Gathered, Document]], *, as_markdown: bool, page: Path | None, sheet: Path | None
) -> None:
    from bot.reply import markdown, terminal, web

    documents = [document for _, _, document in digests]
    if page:
        page.write_text(web.page("vLLM incidents", *documents), encoding="utf-8")
    if sheet:
        sheet.write_text(_rows(digests), encoding="utf-8")
    if page or sheet:
        click.echo("Written: " + ", ".join(str(path) for path in (page, sheet) if path))
        return
    for document in documents:
        click.echo(markdown.render(document) if as_markdown else terminal.render(document, details=True))


def _rows(digests: list[tuple[str, Gathered, Document]]) -> str:
    from bot.reply.sheet import csv, row

    told = {
        incident.thread: row(incident, may_tell=gathered.may_tell(incident))
        for _, gathered, _ in digests
        for incident in gathered.incidents
    }
    return "".join(csv(told.values()))
