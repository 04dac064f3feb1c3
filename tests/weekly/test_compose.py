from __future__ import annotations

import csv
from io import StringIO

from bot.reply import markdown, terminal, web
from bot.reply.pages import pages
from bot.weekly.compose import digest
from bot.weekly.figures import Gathered
from bot.workspace.limits import complaints
from tests.weekly.makers import a_link, a_week, an_incident

TREND = (("2026-W46", 2), ("2026-W47", 3), ("2026-W48", 40))


def a_busy_week() -> Gathered:
    cases = [
        an_incident(
            n / 10, "C1" if n % 3 else "G1", title=f"Problem {n % 9} that is rather long to say", problem=f"p{n % 9}",
            cause=f"cause-{n % 7}", model=f"org/a-model-with-a-long-name-{n % 12}", gpu=f"NVIDIA GPU {n % 11}",
            fingerprint=f"p{n % 9}/{n % 7}", vllm_version=f"0.{n % 15}.0", patch={"max_model_len": 4096 * n},
        )
        for n in range(1, 41)
    ]  # fmt: skip
    return a_week(*cases, trend=TREND, left_open=7)


def test_every_look_tells_the_same_numbers() -> None:
    document = digest(a_busy_week(), a_link)

    for said in (terminal.render(document), markdown.render(document), web.page("digest", document)):
        assert "40 incidents" in said
        assert "By problem" in said


def test_slack_takes_the_busiest_week_as_messages_that_it_can_hold() -> None:
    for blocks in pages(digest(a_busy_week(), a_link)):
        assert [] == complaints(blocks, "message")


def test_the_sheet_has_a_row_a_case_and_tells_nothing_of_a_private_one() -> None:
    (sheet,) = digest(a_week(an_incident(model="m"), an_incident(channel="G1", model="secret")), a_link).files

    public, private = csv.DictReader(StringIO(sheet.text))
    assert ("m", "") == (public["model"], private["model"])
    assert ("C1", "") == (public["channel"], private["channel"])


def test_a_quiet_week_is_one_line() -> None:
    document = digest(a_week(), a_link)

    assert "0 incidents" in document.summary
    assert 2 == len(document.parts)
