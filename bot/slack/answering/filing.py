"""Filing a case as an incident, with what only the app knows: who owns it, and when we first answered."""

from __future__ import annotations

from bot.case import Case, Thread
from bot.incident import Incident
from bot.journal.incidents import file
from bot.slack.desk import Desk
from bot.slack.saying.owners import owner_of
from bot.slack.saying.rooms import learn


def file_case(desk: Desk, thread: Thread, case: Case, row: Incident) -> None:
    """Write the row of a case; of its channel we learn first whether others may be told of it."""
    learn(desk, thread.workspace, thread.channel)
    file(desk.journal, row.model_copy(update={"team": owner_of(desk, thread, case)}))
