"""Rows of one thread: what tells a thread apart in every table that has any."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_

from bot.case import Thread

PLACE = tuple(Thread.model_fields)


def same_thread(one: Any, other: Any) -> Any:
    """Return the condition that rows of two tables are of one thread."""
    return and_(*(one.c[name] == other.c[name] for name in PLACE))
