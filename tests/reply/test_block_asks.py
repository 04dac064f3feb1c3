from __future__ import annotations

from typing import Any

from bot.reply.block_asks import ask
from bot.reply.document import Ask
from tests.reply.samples import a_question


def elements(**changes: Any) -> list[dict[str, Any]]:
    (_, actions) = ask(Ask(question=a_question(**changes)), "c1:7")
    return actions["elements"]


def test_choices_that_are_blank_or_the_same_are_left_out():
    assert ["8k", "16k", "I don't know"] == [
        item["text"]["text"] for item in elements(choices=("8k", " ", "16k", "8k"))
    ]


def test_not_knowing_belongs_to_the_case():
    assert "c1" == elements()[-1]["value"]


def test_a_question_has_an_id_of_its_own():
    (_, actions) = ask(Ask(question=a_question()), "c1:7")

    assert "vt1:ask:longest_request:c1:7" == actions["block_id"]


def test_a_guess_that_is_no_choice_is_not_chosen():
    (select, _) = elements(choices=tuple("abcdef"), guess="z")

    assert "initial_option" not in select


def test_a_guess_is_chosen_and_confirmed_by_one_press():
    (select, confirm, _) = elements(choices=tuple("abcdef"), guess="b")

    assert "b" == select["initial_option"]["value"] == confirm["value"]
    assert "vt1:answer:longest_request:guess" == confirm["action_id"]


def test_a_type_ahead_begins_at_the_guess_too():
    (select, confirm, _) = elements(name="gpu", choices=(), guess="L4")

    assert ("external_select", "L4", "L4") == (select["type"], select["initial_option"]["value"], confirm["value"])


def test_code_in_the_reason_is_shown_as_code():
    (told, _) = ask(Ask(question=a_question(why="See `nvidia-smi`.")), "c1:7")

    assert {"type": "text", "text": "nvidia-smi", "style": {"code": True}} in told["elements"][0]["elements"]
