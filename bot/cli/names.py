"""What vLLM's flags and the causes of problems are called, for whoever tells of rows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.weekly.figures import Names


@cache
def names() -> Names:
    """Return the flag that sets each fact in the newest version, and every cause's title without figures."""
    from bot.consult import knowledge
    from bot.diagnosis.fixes.telling import bare
    from bot.weekly.figures import Names

    known = knowledge()
    found = {row.fact: known.flags.for_fact(row.fact) for row in known.flags.rows if row.fact}
    titles = {
        f"{problem.id}/{cause.id}": bare(cause.title) for problem in known.problems.values() for cause in problem.causes
    }
    return Names(flags={fact: flag.name for fact, flag in found.items() if flag}, causes=titles)
