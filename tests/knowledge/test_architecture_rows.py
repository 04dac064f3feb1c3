"""What must hold for every row of knowledge/releases."""

import json

from packaging.version import Version

from bot.catalog.places import KNOWLEDGE
from bot.sizing.eras import LATEST

ROWS = [json.loads(line) for line in (KNOWLEDGE / "releases" / "architectures.jsonl").read_text().splitlines()]


def test_no_architecture_stands_twice():
    names = [row["architecture"] for row in ROWS]

    assert [] == [name for name in names if names.count(name) > 1]


def test_the_first_release_is_no_later_than_the_last():
    ends = [(Version(row.get("since", "0.1.7")), Version(row.get("until", str(LATEST)))) for row in ROWS]

    assert [] == [(since, until) for since, until in ends if not since <= until <= LATEST]


def test_rows_stand_in_the_order_of_their_releases():
    order = [(Version(row.get("since", "0")), row["architecture"]) for row in ROWS]

    assert sorted(order) == order
