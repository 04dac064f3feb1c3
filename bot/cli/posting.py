"""`vllm-triage digest --post`: where it is to go, and what came of each digest on its way there."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import click

from bot.cli.keeping import NO_CHANNEL, workspace_of

if TYPE_CHECKING:
    from bot.journal.digests import Slot
    from bot.journal.open import Journal
    from bot.reply.document import Document
    from bot.settings import Settings
    from bot.slack.desk import Desk
    from bot.slack.saying.delivery import NotNowError
    from bot.weekly.figures import Gathered

PLATFORM_NAME = "platform"


class Place(NamedTuple):
    """A channel that digests are to go to; without a desk nothing is posted, only told."""

    workspace: str
    channel: str
    desk: Desk | None


def find_place(settings: Settings, journal: Journal, workspace: str | None, named: str, *, dry_run: bool) -> Place:
    """Return where digests go: one channel has one id, and so one slot a week, however it is called.

    Raises:
        click.ClickException: A token is missing or refused, or nobody knows the channel.
    """
    from bot.journal.channels import find_channel

    where = workspace_of(journal, workspace)
    desk = None if dry_run else _desk(settings, journal, where)
    channel = find_channel(journal, where, named) if desk is None else _look(desk, where, named)
    if channel is None:
        raise click.BadParameter(NO_CHANNEL.format(named), param_hint="'--post'")
    return Place(where, channel, desk)


def _desk(settings: Settings, journal: Journal, workspace: str) -> Desk:
    from bot.cli.operating import refusals_in_words
    from bot.slack.api.accounts import NotInstalledError
    from bot.slack.app import build_desk

    missing = settings.missing(None)
    if missing:
        raise click.ClickException("\n".join(missing))
    try:
        with refusals_in_words(settings):
            return build_desk(settings, journal).at(workspace)
    except NotInstalledError as error:
        raise click.ClickException(str(error)) from error


def _look(desk: Desk, workspace: str, named: str) -> str | None:
    from bot.slack.digests.place import look_for_channel
    from bot.slack.saying.delivery import NotNowError, RefusedError

    try:
        return look_for_channel(desk, workspace, named)
    except RefusedError as refusal:
        raise click.ClickException(
            f"Slack does not tell the channels' names ({refusal}); give the id (C…)."
        ) from refusal
    except NotNowError as busy:
        raise click.ClickException(_not_now(busy)) from busy


def post(place: Place, team: str, gathered: Gathered, document: Document) -> str:
    """Post a digest, or tell what would be posted; return what came of it.

    Raises:
        click.ClickException: It was not posted; the message says what to do.
    """
    from bot.journal.digests import Slot, is_sent
    from bot.slack.digests.post import post_digest
    from bot.slack.saying.delivery import NotNowError, RefusedError

    slot = Slot(workspace=gathered.workspace, team=team, channel=place.channel, week=_week(gathered))
    if place.desk is None:
        return _say_dry(slot, document)
    try:
        is_new = post_digest(place.desk, slot, document)
        is_there = is_new or is_sent(place.desk.journal, slot)
    except RefusedError as refusal:
        raise click.ClickException(_refused(slot.channel, refusal.code)) from refusal
    except NotNowError as busy:
        raise click.ClickException(_not_now(busy)) from busy
    if not is_there:
        return f"{_called(slot)}, {slot.week}: is being posted, or was cut off; run the command again in a minute."
    return f"{_called(slot)}, {slot.week}: {'posted' if is_new else 'was posted before'} in {slot.channel}."


def _week(gathered: Gathered) -> str:
    """Return the week of the slot; one that is not over has a slot a day, and leaves its own to the whole week."""
    if gathered.is_over:
        return gathered.week.name
    return f"{gathered.week.name}-{datetime.now(gathered.week.begin.tzinfo).isoweekday()}"


def _say_dry(slot: Slot, document: Document) -> str:
    from bot.reply.pages import pages

    messages = pages(document)
    files = ", ".join(file.name for file in document.files) or "no file"
    blocks = sum(map(len, messages))
    what = f"{len(messages)} messages of {blocks} blocks, and {files}"
    return f"{_called(slot)}, {slot.week}: would post {what}, in {slot.channel}."


def _called(slot: Slot) -> str:
    from bot.journal.teams import PLATFORM

    if slot.team == slot.workspace:
        return "the workspace"
    return PLATFORM_NAME if slot.team == PLATFORM else slot.team


def _refused(channel: str, code: str) -> str:
    known = {"channel_not_found", "not_in_channel"}
    remedy = "; invite the app to it" if code in known else ""
    return f"Slack refused to post in {channel}: {code}{remedy}"


def _not_now(busy: NotNowError) -> str:
    if busy.is_lost:
        return "Slack did not answer, so it may be there or not. Run the command again in a minute: it looks first."
    return f"Slack is busy or out of reach ({busy}); nothing was posted, run the command again."
