"""What a digest is made of, gathered and not yet in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from statistics import median
from typing import TypeAlias

from bot.frozen import Frozen
from bot.incident import Counted, Incident, counted
from bot.reply.document import Bullets, Part, Prose, Span
from bot.weekly.weeks import Week

Link: TypeAlias = Callable[[Incident], str | None]


class Room(Frozen):
    """A channel as far as a digest speaks of it."""

    name: str
    may_tell: bool  # False: its incidents are counted, and neither quoted nor linked


class Names(Frozen):
    """How people call what a row holds by its id."""

    flags: Mapping[str, str] = {}  # by fact
    causes: Mapping[str, str] = {}  # titles, by "problem/cause"

    def flag(self, fact: str) -> str:
        """Return the flag that sets a fact."""
        return self.flags.get(fact) or f"--{fact.replace('_', '-')}"

    def cause(self, row: Counted | Incident) -> str | None:
        """Return a cause's title; one that knowledge has dropped since is called by the words of its id."""
        if row.cause is None:
            return None
        return self.causes.get(f"{row.problem}/{row.cause}") or row.cause.replace("-", " ").capitalize()


UNNAMED = Names()


class Gathered(Frozen):
    """One team's week, or the platform's."""

    workspace: str
    team: str  # as it is called in the title
    week: Week
    incidents: tuple[Incident, ...]
    before: tuple[Counted, ...]  # of the week before
    trend: tuple[tuple[str, int], ...] = ()  # weeks and their incidents, oldest first, this one last
    known: frozenset[str] = frozenset()  # fingerprints that were met before this week
    left_open: int = 0  # opened before this week and open still
    oldest_open: tuple[Incident, ...] = ()
    rooms: Mapping[str, Room] = {}
    names: Names = UNNAMED
    is_platform: bool = False
    is_over: bool = True  # False: the week is not over yet, and its numbers will grow

    @cached_property
    def counted(self) -> tuple[Counted, ...]:
        """The incidents of the week, as far as they are counted."""
        return tuple(map(counted, self.incidents))

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing to tell."""
        return not self.incidents

    def may_tell(self, incident: Incident) -> bool:
        """Whether an incident may be quoted and linked here.

        A channel of unknown visibility counts as private: a link that should not be there cannot be taken back.
        """
        return self.may_tell_of(incident.thread.channel)

    def may_tell_of(self, channel: str) -> bool:
        """Whether what is said in a channel may be quoted here."""
        room = self.rooms.get(channel)
        return room is not None and room.may_tell


def median_hours(incidents: Iterable[Incident], name: str) -> float | None:
    """Return the median of the hours from the paste to the moment of that name, or None where there was none."""
    moments = ((getattr(incident, name), incident.opened_at) for incident in incidents)
    took = [(end - begin).total_seconds() / 3600 for end, begin in moments if end]
    return median(took) if took else None


def say_hours(hours: float) -> str:
    """Say a duration as people do.

    >>> [say_hours(hours) for hours in (0.0001, 0.002, 0.5, 2, 72)]
    ['under a second', '7 s', '30 min', '2.0 h', '3.0 days']
    """
    if hours < 1 / 3600:
        return "under a second"
    if hours < 1 / 60:
        return f"{hours * 3600:.0f} s"
    if hours < 1:
        return f"{hours * 60:.0f} min"
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} days"


def say_count(number: int, noun: str = "incident") -> str:
    """Say how many.

    >>> say_count(1), say_count(2)
    ('1 incident', '2 incidents')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def section(title: str, items: Sequence[Prose]) -> list[Part]:
    """Return a bold line with a list under it, or nothing where the list is empty."""
    return [Prose(spans=(Span(text=title, style="bold"),)), Bullets(items=tuple(items))] if items else []


def label(incident: Incident) -> str:
    """Say what an incident is."""
    return incident.title or incident.problem or "An error that I do not know"
