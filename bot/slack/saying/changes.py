"""What an edit of the paste changed in what we say of it."""

from __future__ import annotations

from bot.diagnosis.verdict import Diagnosis
from bot.facts import FACTS
from bot.reply.compose import compose
from bot.slack.saying.words import EDITED

_MOST = 4  # facts named; more is another paste


def changes(before: Diagnosis | None, now: Diagnosis) -> str:
    """Return one sentence for the edit; without a diagnosis from before, that there was one."""
    if before is None:
        return EDITED
    was, is_ = compose(before).summary, compose(now).summary
    told = [f"Before the edit: {was.removesuffix('.')}."] if was != is_ else []
    facts = _facts(before, now)
    told += [f"Changed: {', '.join(facts)}."] if 0 < len(facts) <= _MOST else []
    return " ".join([EDITED, *told])


def _facts(before: Diagnosis, now: Diagnosis) -> list[str]:
    old, new = ({name: fact.value for name, fact in each.evidence.facts.items()} for each in (before, now))
    named = (old.keys() | new.keys()) - {"command"}  # whose settings are named one by one
    names = [name for name in FACTS if name in named and old.get(name) != new.get(name)]
    return [f"{FACTS[name].label} {_said(old.get(name))} → {_said(new.get(name))}" for name in names]


def _said(value: object) -> str:
    return "not said" if value is None else str(value)
