from __future__ import annotations

from bot.deployment import Deployment
from bot.diagnosis.amounts.amount import first_sentence, sized, stated
from bot.diagnosis.situation import Situation
from bot.evidence import Evidence, Line
from bot.facts import Fact, Origin


def half(situation: Situation) -> int | None:
    """Return half of the sequences.

    Rounded down.
    """
    known = situation.stated("max_num_seqs")
    return known // 2 if known else None


def a_situation(lacking: tuple[str, ...] = (), **facts: int) -> Situation:
    read = {name: Fact(name=name, value=value, origin=Origin.PASTED, line=7) for name, value in facts.items()}
    evidence = Evidence(facts=read, lines=(Line(number=7, text="--max-num-seqs 16"),))
    return Situation(evidence, Deployment(), lacking=lacking)


def test_an_amount_waits_for_the_facts_that_nobody_stated():
    amount = stated(half, "max_num_seqs", "max_model_len")

    assert ("max_model_len",) == amount.waits_for(a_situation(max_num_seqs=16))


def test_an_amount_shows_the_lines_it_rests_on():
    assert [7] == [line.number for line in stated(half, "max_num_seqs").lines(a_situation(max_num_seqs=16))]


def test_what_is_sized_waits_for_what_sizing_lacks():
    assert ("gpu",) == sized(half).waits_for(a_situation(lacking=("gpu",)))


def test_before_anything_was_sized_it_waits_for_model_and_card():
    assert ("model", "gpu") == sized(half).waits_for(a_situation())


def test_the_meaning_is_what_the_docstring_says_first():
    assert "half of the sequences" == first_sentence(half)
