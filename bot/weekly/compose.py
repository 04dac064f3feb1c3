"""A digest in words: one document for the terminal, Markdown, the web and Slack."""

from __future__ import annotations

from datetime import timedelta

from bot.reply.document import Details, Document, File, Part, Title
from bot.reply.sheet import csv, row
from bot.weekly.advice import advice
from bot.weekly.figures import Gathered, Link, say_count
from bot.weekly.listing import new_and_recurring, unexplained, unresolved
from bot.weekly.lost import lost
from bot.weekly.tables import CAUSE, CHANNEL, GPU, MODEL, PROBLEM, TEAM, VERSION, tables, top_causes
from bot.weekly.totals import totals, trend


def digest(gathered: Gathered, link: Link) -> Document:
    """Compose the digest of one week; `link` gives the address of a case that may be told of."""
    now, then, name = len(gathered.incidents), len(gathered.before), gathered.week.name
    so_far = "" if gathered.is_over else " so far"
    summary = f"{gathered.team}, week {name}{so_far}: {say_count(now)}, {then:,} the week before"
    days = f"{gathered.week.begin:%d %b} to {gathered.week.end - timedelta(days=1):%d %b %Y}"
    parts: list[Part] = [
        Title(
            text=f"vLLM incidents of {gathered.team}", aside=f"week {name}{so_far}, {days}, {gathered.week.begin:%Z}"
        ),
        totals(gathered),
    ]
    if now or then:
        parts += [*trend(gathered), *tables(gathered, (PROBLEM,)), *top_causes(gathered), *advice(gathered)]
    parts += unresolved(gathered, link)
    if now or then:
        parts.append(_more(gathered, link))
    return Document(summary=summary, parts=tuple(parts), files=_files(gathered))


def _files(gathered: Gathered) -> tuple[File, ...]:
    """Return the week's incidents as a sheet; a private channel's rows tell nothing that its people said."""
    rows = (row(incident, may_tell=gathered.may_tell(incident)) for incident in gathered.incidents)
    name = f"vllm-incidents-{gathered.week.name}.csv"
    return (File(name=name, text="".join(csv(rows))),) if gathered.incidents else ()


def _more(gathered: Gathered, link: Link) -> Details:
    """Return what a reader wants who goes on: Slack posts it in the thread."""
    axes = (CAUSE, MODEL, GPU, VERSION, CHANNEL, *((TEAM,) if gathered.is_platform else ()))
    parts: list[Part] = [
        *new_and_recurring(gathered, link),
        *unexplained(gathered, link),
        *lost(gathered),
        *tables(gathered, axes),
    ]
    return Details(title="The week in detail", parts=tuple(parts))
