"""The short form of a reply."""

from __future__ import annotations

from hypothesis import given

from bot.reply.document import (
    BudgetTable,
    Bullets,
    Command,
    Details,
    Document,
    Part,
    Prose,
    Span,
    Title,
)
from bot.reply.markdown import render
from bot.reply.shortening import shorten
from tests.reply.hostile import DOCUMENTS
from tests.reply.samples import a_document

ENOUGH = Bullets(items=(Prose(spans=(Span(text="Not enough alone: fp8 (67,648 tokens)."),)),))
MORE = Details(title="All causes considered", parts=())


def a_launch(title: str, flags: str, **notes: str) -> Command:
    return Command(title=title, text=f"vllm serve org/m --port 80 {flags}".strip(), is_launch=True, **notes)


def a_step(title: str, text: str, **notes: str) -> Command:
    return Command(title=title, text=text, **notes)


def said(document: Document) -> str:
    """Return what stands outside the details."""
    return render(a_document(*(part for part in document.parts if not isinstance(part, Details))))


def short(*parts: Part) -> Document:
    return shorten(a_document(Title(text="It does not fit"), *parts, MORE))


def test_the_first_fix_keeps_its_command_and_the_others_say_what_they_change():
    first = a_launch("Serve less", "--max-model-len 8192")
    second = a_launch("Use two cards", "--tensor-parallel-size 2", gives="1.4 requests", costs="More cards.")

    _, kept, lines, *_ = short(first, second).parts

    assert first == kept
    assert isinstance(lines, Bullets)
    (line,) = lines.items
    assert "Use two cards: with --tensor-parallel-size 2 instead → 1.4 requests. Costs: More cards." == "".join(
        span.text for span in line.spans
    )


def test_what_became_a_line_stands_whole_in_the_first_details():
    fixes = [a_launch("Serve less", "--max-model-len 8192"), a_launch("Use two cards", "--tensor-parallel-size 2")]

    first, *others = [part for part in short(*fixes).parts if isinstance(part, Details)]

    assert (fixes[1],) == first.parts
    assert [MORE] == others


def test_what_is_not_enough_waits_in_the_details_where_something_is():
    fixes = [a_launch("Serve less", "--max-model-len 8192"), a_launch("Use two cards", "--tensor-parallel-size 2")]

    assert "Not enough alone" not in said(short(*fixes, ENOUGH))


def test_what_is_not_enough_is_said_where_the_fixes_are_steps():
    steps = [a_step("Look", "nvidia-smi -L"), a_step("Move", "nvidia-smi --query-gpu=index --format=csv")]

    assert "Not enough alone" in said(short(*steps, ENOUGH))


def test_a_first_start_behind_a_step_is_a_line_with_its_whole_command():
    look, less, more = (
        a_step("Look", "nvidia-smi -L"),
        a_launch("Serve less", "--max-model-len 8192"),
        a_launch("Use two cards", "--tensor-parallel-size 2"),
    )

    words = said(short(look, less, more))

    assert f"`{less.text}`" in words
    assert "**Under Details:** Use two cards (`--tensor-parallel-size 2`)." in words


def test_from_the_third_on_a_way_has_a_name_and_what_it_changes():
    ways = [a_launch("Serve less", "--max-model-len 8192"), a_launch("Use two cards", "--tensor-parallel-size 2")]
    ways += [a_launch(f"Use {n} stages", f"--pipeline-parallel-size {n}") for n in (3, 4)]

    words = said(short(*ways))

    named = "Use 3 stages (`--pipeline-parallel-size 3`); Use 4 stages (`--pipeline-parallel-size 4`)."
    assert f"**Under Details:** {named}" in words
    assert 1 == words.count(" instead")


def test_what_a_risk_goes_with_is_shown_with_the_risk_alone():
    ways = [a_launch("Serve less", "--max-model-len 8192"), a_launch("Use two cards", "--tensor-parallel-size 2")]
    risky = a_launch("Trust it", "--trust-remote-code", risk="It runs what somebody wrote.")

    words = said(short(*ways, risky))

    assert "**Under Details:** Trust it." in words


def test_the_steps_of_a_fix_stay_together():
    steps = [a_step("Find it", "nvidia-smi -L", gives="the cards"), a_step("", "ps -p PID", gives="whose it is")]

    words = said(short(a_launch("Serve less", "--max-model-len 8192"), *steps))

    assert "`nvidia-smi -L` → the cards. `ps -p PID` → whose it is." in words


def test_a_command_that_no_line_can_carry_stays_a_command():
    long = a_step("Patch it", "sed -i " + "x" * 200)

    assert long in short(a_launch("Serve less", "--max-model-len 8192"), long).parts


def test_a_risk_stays_in_the_reply():
    words = said(short(a_step("Look", "nvidia-smi"), a_step("End it", "kill PID", risk="It may serve somebody.")))

    assert "Risk: It may serve somebody." in words


def test_the_grounds_of_a_budget_are_left_to_the_details():
    budget = BudgetTable(rows=(), footnote="Per GPU.", grounds="Other: over NVLink it is more.")

    assert "NVLink" not in said(short(budget))
    assert "Per GPU." in said(short(budget))


def test_grounds_stay_where_there_are_no_details():
    budget = BudgetTable(rows=(), grounds="Other: over NVLink it is more.")

    assert "NVLink" in said(shorten(a_document(budget)))


def test_a_reply_with_one_fix_is_as_it_was():
    document = a_document(a_launch("Serve less", "--max-model-len 8192"), ENOUGH, MORE)

    assert document == shorten(document)


@given(DOCUMENTS)
def test_no_command_is_lost(document: Document):
    whole = [part for part in document.parts if isinstance(part, Command)]
    outside = [*shorten(document).parts]
    inside = [inner for part in outside if isinstance(part, Details) for inner in part.parts]

    assert all(command in outside or command in inside for command in whole)
