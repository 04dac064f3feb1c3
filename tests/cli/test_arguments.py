"""Every argument of every command, given what it cannot be: one sentence, exit code 2, nothing done."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import click
import pytest

from bot.case import Thread
from bot.cli.arguments import read_day
from bot.cli.main import program
from bot.incident import Incident
from bot.journal.incidents import file
from bot.journal.open import Journal
from tests.cli.conftest import Run

TEAM_SET = "team set ml --workspace T1"
# A command line, and a part of the sentence that it is refused with.
BAD = [
    ("ask --fact nope", "write NAME=VALUE"),
    ("size --sweep nope l4", "write it like max_model_len="),
    ("size --context soon l4", "write it like 32768"),
    ("size --active-share 7 l4", "found '7'; give a share"),
    ("size --active-share much l4", "found 'much'; give a share"),
    ("try --port 99999", "not in the range"),
    ("try --journal /", "is a directory"),
    ("serve --transport pigeon", "'pigeon' is not one of"),
    ("serve --host http://x", "is no address to listen on"),
    ("serve --port -1", "not in the range"),
    ("serve --metrics-host a/b", "is no address to listen on"),
    ("serve --metrics-port many", "is not a valid integer"),
    ("worker --hands 0", "not in the range"),
    ("worker --metrics-host a/b", "is no address to listen on"),
    ("worker --metrics-port 65536", "not in the range"),
    ("doctor --transport pigeon", "'pigeon' is not one of"),
    ("manifest --installs --url javascript:alert(1)", "is no address that Slack can call"),
    ("manifest --transport http --url http://x.example", "write it like https://triage.example"),
    ("manifest --transport http", "--url is missing"),
    ("manifest --url https://x.example", "Socket Mode needs no address"),
    ("check nowhere.yaml", "nowhere.yaml"),
    ("calibrate nowhere.log", "nowhere.log"),
    ("calibrate --fact nope /", "write NAME=VALUE"),
    ("digest --team nope", "there is no team 'nope'"),
    ("digest --workspace nope", "is no id of a workspace"),
    ("digest --workspace T9", "the journal holds nothing of T9; it holds T1"),
    ("digest --week 2026-W99", "write it like 2026-W48"),
    ("digest --since last", "write it like 2026-W48"),
    ("digest --since 2026-W40 --week 2026-W39", "lies before --since"),
    ("digest --post #nowhere --dry-run", "is no channel that the app knows"),
    ("digest --post C1 --csv x.csv", "leave out --post"),
    ("digest --dry-run", "goes with --post"),
    ("digest --html /", "is a directory"),
    ("digest --csv /", "is a directory"),
    ("team list --workspace nope", "is no id of a workspace"),
    ("team show nope", "there is no team 'nope'"),
    ("team show nope --workspace nope", "is no id of a workspace"),
    ("team set * --workspace T1", "is no name for a team"),
    ("team set ml --workspace nope", "is no id of a workspace"),
    (f"{TEAM_SET} --members maya", "members: 'maya' is no id of a person"),
    (f"{TEAM_SET} --leads C1", "leads: 'C1' is no id of a person"),
    (f"{TEAM_SET} --groups U1", "groups: 'U1' is no id of a user group"),
    (f"{TEAM_SET} --zone Mars", "write it like Europe/Berlin"),
    (f"{TEAM_SET} --digest-channel #nowhere", "is no channel that the app knows"),
    (f"{TEAM_SET} --digest-day someday", "'someday' is no day; use one of monday, tuesday,"),
    (f"{TEAM_SET} --digest-time 25:00", "write it like 09:30"),
    (f"{TEAM_SET} --retention-days -3", "write one from 1 to"),
    (f"{TEAM_SET} --retention-days {9**30}", "write one from 1 to"),
    (f"{TEAM_SET} --escalation @oncall", "escalation: '@oncall' is no id of a user group"),
    (f"{TEAM_SET} --quiet-hours never", "write them like 20:00-07:00"),
    ("team map #nowhere ml --workspace T1", "is no channel that the app knows"),
    ("team map C1 * --workspace T1", "is no name for a team"),
    ("team map C1 --workspace nope", "is no id of a workspace"),
    ("team drop nope", "there is no team 'nope'"),
    ("team drop nope --workspace nope", "is no id of a workspace"),
    ("team export --workspace nope", "is no id of a workspace"),
    ("team import nowhere.yaml", "nowhere.yaml"),
    ("team import - --workspace nope", "is no id of a workspace"),
    ("export --format xml", "'xml' is not one of"),
    ("export --workspace T9", "the journal holds nothing of T9"),
    ("export --team nope", "there is no team 'nope'"),
    ("export --state lost", "'lost' is not one of"),
    ("export --since soon", "write it like 2026-11-23"),
    ("export --until 2026-02-30", "write it like 2026-11-23"),
    ("export --since 2026-12-01 --until 2026-11-01", "is not after --since"),
    ("export --most -5", "not in the range"),
    ("replay --workspace T9", "the journal holds nothing of T9"),
    ("replay --since soon", "write it like 2026-11-23"),
    ("forget user maya --yes", "is no id of a person"),
    ("forget user U1 --yes --workspace nope", "is no id of a workspace"),
    ("forget channel #nowhere --yes", "is no channel that the app knows"),
    ("forget channel C1 --yes --workspace nope", "is no id of a workspace"),
    ("forget workspace nope --yes", "is no id of a workspace"),
]
# Any text will do: words looked for, a name of a card; or a file, of which the command says itself what is wrong.
TAKES_ANYTHING = {
    "export words",
    "size text",
    "size --gpu",
    "calibrate --gpu",
    "ask file",
    "size --config",
    "size --picture",
}


@pytest.fixture
def incident(journal: Journal) -> None:
    thread = Thread(workspace="T1", channel="C1", root="1")
    file(journal, Incident(thread=thread, opened_at=datetime(2026, 11, 23, tzinfo=UTC)))


@pytest.mark.usefixtures("incident")
@pytest.mark.parametrize(("line", "sentence"), BAD, ids=[line for line, _ in BAD])
def test_what_an_argument_cannot_be_is_refused(run: Run, line: str, sentence: str) -> None:
    outcome = run(*line.split(), text="nothing")

    assert (2, True) == (outcome.exit_code, sentence.lower() in outcome.output.lower()), outcome.output


def free(command: click.Command, path: str) -> Iterator[str]:
    """Yield what a person writes freely: every argument and every option with a value."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            inner = command.get_command(click.Context(command), name)
            assert inner
            yield from free(inner, f"{path} {name}".strip())
        return
    for parameter in command.params:
        option: Any = parameter
        if not getattr(option, "is_flag", False):
            yield f"{path} {parameter.opts[0]}"


def test_every_argument_of_every_command_is_in_the_table() -> None:
    lines = [line for line, _ in BAD]
    named = {name for name in free(program, "") if name.split()[-1].startswith("--")}
    placed = {name for name in free(program, "") if not name.split()[-1].startswith("--")}

    bare = {name for name in named if not any(_names(line, name) for line in lines)}
    silent = {name for name in placed if not any(line.startswith(name.rpartition(" ")[0]) for line in lines)}

    assert set() == (bare | silent) - TAKES_ANYTHING


def _names(line: str, option: str) -> bool:
    command, _, name = option.rpartition(" ")
    return line.startswith(command) and name in line.split()


def test_a_day_begins_at_midnight_in_utc_where_no_zone_is_named() -> None:
    assert datetime(2026, 11, 23, tzinfo=UTC) == read_day("2026-11-23")
