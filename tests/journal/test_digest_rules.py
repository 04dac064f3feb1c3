from __future__ import annotations

from datetime import UTC, datetime

from bot.journal.digest_rules import Rule, drop_rules, rules, set_rule
from bot.journal.open import Journal

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


def a_rule(**fields: object) -> Rule:
    return Rule.model_validate({"workspace": "T1", "team": "ml", "channel": "C1", "since": LONG_AGO, **fields})


def test_nine_o_clock_stays_nine_o_clock_when_the_clocks_change() -> None:
    rule = a_rule(zone="Europe/Berlin")

    due = [rule.last_due(datetime(2026, 10, day, 12, tzinfo=UTC)) for day in (19, 26)]

    assert ["2026-10-19T07:00:00+00:00", "2026-10-26T08:00:00+00:00"] == [
        moment.astimezone(UTC).isoformat() for moment in due if moment
    ]


def test_what_was_due_before_the_rule_is_not_made_up_for() -> None:
    assert a_rule(since=datetime(2026, 11, 24, tzinfo=UTC)).last_due(datetime(2026, 11, 25, tzinfo=UTC)) is None


def test_the_same_rule_set_again_changes_it(journal: Journal) -> None:
    set_rule(journal, a_rule())

    set_rule(journal, a_rule(weekday=4))

    assert (a_rule(weekday=4),) == rules(journal)


def test_the_rules_of_one_channel_are_dropped(journal: Journal) -> None:
    set_rule(journal, a_rule())
    set_rule(journal, a_rule(channel="C2"))

    drop_rules(journal, "T1", channel="C1")

    assert ["C2"] == [rule.channel for rule in rules(journal)]
