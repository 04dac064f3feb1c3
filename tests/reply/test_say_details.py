from __future__ import annotations

from bot.reply.document import Bullets, Details
from bot.reply.markdown import render
from bot.reply.say_details import say_details
from tests.reply.cases import a_diagnosis
from tests.reply.samples import a_document


def sections(**facts: str) -> dict[str, str]:
    found = [part for part in say_details(a_diagnosis(**facts)) if isinstance(part, Details)]
    return {part.title: render(a_document(*part.parts)) for part in found}


def test_every_cause_is_listed_with_its_verdict():
    said = sections()["All causes considered"]

    assert "**The context length was left at the model's own maximum:** stands." in said
    assert "ruled out." in said


def test_fixes_that_the_reply_left_out_stand_here():
    assert "--kv-cache-dtype fp8" in sections(longest_request="16K")["More ways"]


def test_each_term_says_what_it_rests_on():
    assert "**weights:** printed by vLLM" in sections()["What the numbers rest on"]


def test_assumptions_of_one_reason_share_a_line():
    said = sections()["What the numbers rest on"]

    assert 1 == said.count("Assumed, vLLM's default:")


def test_nothing_is_detailed_where_no_problem_is_known():
    assert [] == say_details(a_diagnosis("thanks, works now"))


def test_a_reference_without_an_address_is_text():
    (references,) = [
        part for part in say_details(a_diagnosis()) if isinstance(part, Details) and part.title == "References"
    ]
    (bullets,) = references.parts

    assert isinstance(bullets, Bullets)
    assert "link" not in {span.style for item in bullets.items for span in item.spans}
    assert "code" in {span.style for item in bullets.items for span in item.spans}
