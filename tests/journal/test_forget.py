from __future__ import annotations

from datetime import timedelta

from bot.case import EntryKind, fold
from bot.journal.channels import all_channels, set_channel
from bot.journal.entries import entries, remember
from bot.journal.forget import forget_channel, forget_expired, forget_person, forget_workspace
from bot.journal.incidents import file, incident_of, week
from bot.journal.open import Journal
from bot.journal.teams import Team, all_teams, set_team, team
from tests.journal.makers import MONDAY, a_thread, an_entry, an_incident

THREAD = a_thread()


def say(journal: Journal, author: str, text: str, **fields: object) -> None:
    message = str(fields.pop("message", THREAD.root))
    entry = an_entry(author=author, text=text, message=message, **fields)
    remember(journal, a_thread(message if entry.kind is EntryKind.PASTE else THREAD.root), entry, [f"k:{message}"])


def test_a_forgotten_person_has_said_nothing(journal: Journal) -> None:
    say(journal, "U1", "my error")
    file(journal, an_incident(opener="U1"))

    forget_person(journal, "T1", "U1")

    assert "" == fold(entries(journal, THREAD)).text
    assert incident_of(journal, THREAD) is None
    assert "U1" not in str(entries(journal, THREAD))


def test_what_others_said_stays(journal: Journal) -> None:
    say(journal, "U1", "my error")
    say(journal, "U2", "the same here", kind=EntryKind.REPLY, message="1764000001.000100")

    forget_person(journal, "T1", "U1")

    assert "the same here" == fold(entries(journal, THREAD)).text


def test_a_forgotten_message_that_is_delivered_again_stays_forgotten(journal: Journal) -> None:
    say(journal, "U1", "my error")
    forget_person(journal, "T1", "U1")

    say(journal, "U1", "my error")

    assert "" == fold(entries(journal, THREAD)).text


def test_a_forgotten_persons_files_are_forgotten(journal: Journal) -> None:
    say(journal, "U1", "see log")
    log = an_entry(EntryKind.FILE, text="the log", value="F1")
    remember(journal, THREAD, log, ["f:1"], owes_an_answer=False)

    forget_person(journal, "T1", "U1")

    assert "the log" not in str(entries(journal, THREAD))


def test_a_forgotten_name_stands_nowhere(journal: Journal) -> None:
    file(journal, an_incident(opener="U2", resolver="U1", state="resolved"))
    set_team(journal, Team(workspace="T1", name="ml", members=("U1", "U2"), leads=("U1",)))
    set_channel(journal, "T1", "C1", enabled_by="U1")

    forget_person(journal, "T1", "U1")

    found, ml = incident_of(journal, THREAD), team(journal, "T1", "ml")
    assert found is not None
    assert ml is not None
    assert (None, ("U2",), ()) == (found.resolver, ml.members, ml.leads)
    assert all_channels(journal)[0].enabled_by is None


def test_a_forgotten_channel_leaves_nothing(journal: Journal) -> None:
    say(journal, "U1", "my error")
    set_channel(journal, "T1", "C1", mode="auto")
    file(journal, an_incident())

    forgotten = forget_channel(journal, "T1", "C1")

    assert (1, 1, 1) == (forgotten.entries, forgotten.incidents, forgotten.threads)
    assert ((), (), None) == (entries(journal, THREAD), all_channels(journal), incident_of(journal, THREAD))


def test_a_forgotten_workspace_leaves_nothing_and_its_neighbour_everything(journal: Journal) -> None:
    say(journal, "U1", "my error")
    for workspace in ("T1", "T2"):
        set_channel(journal, workspace, "C1", mode="auto")
        set_team(journal, Team(workspace=workspace, name="ml"))

    forget_workspace(journal, "T1")

    assert () == entries(journal, THREAD)
    assert (
        ["T2"] == [room.workspace for room in all_channels(journal)] == [each.workspace for each in all_teams(journal)]
    )


def test_other_channels_keep_what_they_have(journal: Journal) -> None:
    say(journal, "U1", "my error")

    forget_channel(journal, "T1", "C2")

    assert 1 == len(entries(journal, THREAD))


def test_a_team_keeps_what_was_said_as_long_as_it_wants(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="ml", retention_days=30))
    set_channel(journal, "T1", "C1", team="ml")
    say(journal, "U1", "my error")
    file(journal, an_incident(opener="U1", pasted={"model": "m"}))

    forget_expired(journal, MONDAY + timedelta(days=29))
    assert 1 == len(entries(journal, THREAD))

    forgotten = forget_expired(journal, MONDAY + timedelta(days=31))
    assert (1, 1) == (forgotten.entries, forgotten.threads)
    assert () == entries(journal, THREAD)


def test_old_weeks_still_count_right(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="T1", retention_days=30))
    say(journal, "U1", "my error")
    file(journal, an_incident(opener="U1", pasted={"model": "m"}, model="m"))

    forget_expired(journal, MONDAY + timedelta(days=60))

    (row,) = week(journal, "T1", MONDAY, MONDAY + timedelta(days=7))
    assert ("m", None, "resolved") == (row.model, row.opener, row.state)


def test_a_thread_that_goes_on_is_kept_whole(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="T1", retention_days=30))
    say(journal, "U1", "my error")
    say(journal, "U2", "me too", kind=EntryKind.REPLY, message="1764000001.000100", minutes=20 * 24 * 60)

    forget_expired(journal, MONDAY + timedelta(days=31))

    assert 2 == len(entries(journal, THREAD))


def test_nothing_is_forgotten_where_nobody_said_so(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="ml"))
    say(journal, "U1", "my error")

    forget_expired(journal, MONDAY + timedelta(days=9999))

    assert 1 == len(entries(journal, THREAD))
