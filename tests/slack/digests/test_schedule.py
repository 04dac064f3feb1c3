from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.journal.digest_rules import Rule, set_rule
from bot.journal.open import Journal, open_journal
from bot.reply.document import Document, Title
from bot.settings import Settings
from bot.slack.api.client import client
from bot.slack.desk import Desk
from bot.slack.digests.schedule import LATEST, Schedule
from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace

DUE = datetime(2026, 11, 30, 9, tzinfo=UTC)  # a Monday
DOCUMENT = Document(summary="a week", parts=(Title(text="vLLM incidents"),))


class Office(NamedTuple):
    """A workspace with a rule, and what is due there."""

    workspace: Workspace
    journal: Journal
    rule: Rule

    def schedule(self, now: datetime, document: Document | None = DOCUMENT) -> Schedule:
        ours = client(Settings(slack_api_url=self.workspace.api_url), "xoxb-local")
        return Schedule(Desk(self.journal, ours, "U0", clock=lambda: now), lambda *_: document)

    def posted(self) -> list[str]:
        return [each["text"] for each in self.workspace.human().messages("#vllm-help") if each.get("bot_id")]


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    workspace = Workspace(manifest=manifest())
    with workspace.run_in_thread():
        world = workspace.rig.world
        channel = next(each.id for each in world.channels.values() if each.name == "vllm-help")
        rule = Rule(workspace=next(iter(world.teams)), team="ml", channel=channel, since=DUE - timedelta(days=30))
        journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
        set_rule(journal, rule)
        yield Office(workspace, journal, rule)
        journal.close()


def test_what_is_due_is_sent_once_whoever_looks(office: Office) -> None:
    for minutes in (0, 1, 2):
        office.schedule(DUE + timedelta(minutes=minutes)).send_due()

    assert ["a week"] == office.posted()


def test_what_is_too_late_is_left_out(office: Office) -> None:
    office.schedule(DUE + LATEST + timedelta(minutes=1)).send_due()

    assert [] == office.posted()


def test_a_quiet_week_is_silent(office: Office) -> None:
    office.schedule(DUE, document=None).send_due()

    assert [] == office.posted()


def test_a_digest_that_slack_was_too_busy_for_is_sent_later(office: Office) -> None:
    office.workspace.human().do("fault", kind="rate_limited", on="chat.postMessage")

    office.schedule(DUE).send_due()
    office.schedule(DUE + timedelta(minutes=1)).send_due()

    assert ["a week"] == office.posted()


def test_one_team_s_trouble_is_not_another_s(office: Office) -> None:
    set_rule(office.journal, office.rule.model_copy(update={"team": "a-team", "zone": "Nowhere/Land"}))

    office.schedule(DUE).send_due()

    assert ["a week"] == office.posted()
