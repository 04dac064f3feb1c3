"""The names of vLLM's flags, for whoever speaks of facts."""

from __future__ import annotations

from collections.abc import Mapping


def flag_names() -> Mapping[str, str]:
    """Return the flag that sets each fact in the newest version."""
    from bot.consult import knowledge

    flags = knowledge().flags
    found = {row.fact: flags.for_fact(row.fact) for row in flags.rows if row.fact}
    return {fact: flag.name for fact, flag in found.items() if flag}
