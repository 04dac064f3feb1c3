from __future__ import annotations

import re

from hypothesis import given, settings

from bot.reply.document import Command, Document
from bot.reply.terminal import render
from tests.reply.hostile import DOCUMENTS


def test_a_plain_reply_reads_from_verdict_to_question(reply: Document):
    said = render(reply, 100)

    order = [
        "cannot hold one request",
        "Your line 41",
        "allowance",
        "$ vllm serve",
        "→ 1.2 requests",
        "costs: shorter",
        "? What",
    ]
    assert sorted(order, key=said.index) == order


def test_plain_output_has_no_escape_codes(reply: Document):
    assert "\x1b" not in render(reply, 100)


def test_colour_changes_nothing_but_colour(reply: Document):
    coloured = render(reply, 100, colour=True)

    assert "\x1b[1m" in coloured
    assert render(reply, 100) == re.sub(r"\x1b\[[\d;]*m", "", coloured)


def test_details_are_shown_on_demand(reply: Document):
    assert "ruled out" not in render(reply, 100)
    assert "ruled out" in render(reply, 100, details=True)


def test_a_command_is_never_broken_over_lines(reply: Document):
    assert "vllm serve m --max-model-len 32768" in render(reply, 40)


def test_budget_amounts_line_up(reply: Document):
    rows = [line for line in render(reply, 100).splitlines() if " GiB  " in line and not line.startswith("  │")]

    assert 1 == len({line.index(" GiB  ") for line in rows})
    assert 4 == len(rows)


CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@settings(max_examples=40, deadline=None)
@given(DOCUMENTS)
def test_no_text_commands_the_terminal(document: Document):
    assert None is CONTROLS.search(render(document, 100, details=True))


def test_what_a_file_is_to_have_is_nothing_to_run():
    said = [
        render(Document(summary="s", parts=(Command(title="t", text=text, is_launch=True),)))
        for text in ("args:\n  - --model=m", "model: m\nargs:\n  a: 1", 'CMD ["m"]', "vllm serve m", "a && \\\n  b")
    ]

    assert [False, False, False, True, True] == ["$ " in text for text in said]
