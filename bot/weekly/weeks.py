"""Weeks as people mean them: ISO weeks by the clocks of a zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo

from bot.frozen import Frozen

_WEEK = re.compile(r"(\d{4})-?W(\d{1,2})", re.IGNORECASE)


class Week(Frozen):
    """An ISO week in one time zone; it begins on Monday at midnight there."""

    begin: datetime
    end: datetime

    @property
    def name(self) -> str:
        """The week as people write it: 2026-W48."""
        year, week, _ = self.begin.isocalendar()
        return f"{year}-W{week:02d}"

    @property
    def before(self) -> Week:
        """The week before."""
        return week_of(self.begin - timedelta(days=3))

    @property
    def after(self) -> Week:
        """The week after."""
        return week_of(self.end + timedelta(days=3))

    def last(self, count: int) -> tuple[Week, ...]:
        """Return this week and those before it, `count` in all, oldest first."""
        weeks: list[Week] = [self]
        while len(weeks) < count:
            weeks.append(weeks[-1].before)
        return tuple(reversed(weeks))


def week_of(moment: datetime) -> Week:
    """Return the week that a moment lies in, in the moment's own zone."""
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    begin = midnight - timedelta(days=midnight.weekday())
    # Days are added to the wall clock, so that a week with a change of the clocks is still Monday to Monday.
    return Week(begin=begin, end=begin + timedelta(days=7))


def read_week(text: str, zone: tzinfo = UTC) -> Week:
    """Return the week that "2026-W48" names.

    Raises:
        ValueError: The text names no week.
    """
    found = _WEEK.fullmatch(text.strip())
    year, week = (int(found[1]), int(found[2])) if found else (0, 0)
    try:
        monday = datetime.fromisocalendar(year, week, 1)
    except ValueError as error:
        raise ValueError(f"{text!r} is no week; write it like 2026-W48") from error
    return week_of(monday.replace(tzinfo=zone))
