from __future__ import annotations

from typing import Any

from bot.catalog.problem import Fix
from bot.diagnosis.verdict import Prescription, Rejected
from bot.reply.document import Bullets, Command
from bot.reply.say_fixes import choose, say_fix, say_fixes, say_rejected
from bot.sizing.terms import Refusal
from tests.reply.cases import a_diagnosis


def a_fix(title: str = "Serve less", command: str | None = "vllm serve m", **changes: Any) -> Prescription:
    given = {"fix": Fix(id="a-fix", title=(title,)), "title": title, "patch": {}, "command": command}
    return Prescription(**{**given, **changes})


def a_procedure(title: str, steps: int) -> Prescription:
    return a_fix(title, None, steps=tuple((f"run {n}", "read it", None) for n in range(steps)))


def titles(prescriptions: list[Prescription]) -> list[str]:
    return [item.title for item in prescriptions]


def test_another_value_of_the_same_setting_is_a_variant():
    fixes = [
        a_fix("Take 0.9", "vllm serve m -u 0.9", patch={"gpu_memory_utilization": 0.9}),
        a_fix("Take 0.7", "vllm serve m -u 0.7", patch={"gpu_memory_utilization": 0.7}),
    ]

    assert (["Take 0.9"], ["Take 0.7"]) == tuple(map(titles, choose(fixes)))


def test_a_fix_with_one_more_setting_is_a_variant():
    fixes = [
        a_fix("Take 0.9", "vllm serve m -u 0.9", patch={"gpu_memory_utilization": 0.9}),
        a_fix("And less", "vllm serve m -l 8", patch={"gpu_memory_utilization": 0.9, "max_model_len": 8}),
    ]

    assert ["Take 0.9"] == titles(choose(fixes)[0])


def test_two_settings_with_other_values_are_a_fix_of_their_own():
    fixes = [
        a_fix("Shorter", "vllm serve m -l 8", patch={"max_model_len": 8}),
        a_fix("In fp8", "vllm serve m -l 16", patch={"max_model_len": 16, "kv_cache_dtype": "fp8"}),
    ]

    assert ["Shorter", "In fp8"] == titles(choose(fixes)[0])


def test_the_same_title_is_said_once():
    assert 1 == len(choose([a_fix(command="a"), a_fix(command="b")])[0])


def test_a_reply_holds_few_commands():
    fixes = [a_procedure("Look", 2), a_procedure("Move", 2), a_procedure("Wait", 1)]

    assert (["Look", "Wait"], ["Move"]) == tuple(map(titles, choose(fixes)))


def test_a_first_fix_is_shown_however_long_it_is():
    assert ["Look"] == titles(choose([a_procedure("Look", 9)])[0])


def test_of_fixes_in_one_sentence_three_are_shown():
    fixes = [a_fix(f"Way {n}", None) for n in range(5)]

    assert ["Way 0", "Way 1", "Way 2"] == titles(choose(fixes)[0])


def test_only_the_first_step_carries_the_title():
    assert ["Look", ""] == [part.title for part in say_fix(a_procedure("Look", 2)) if isinstance(part, Command)]


def test_fixes_that_only_lack_room_share_a_line():
    (bullets,) = say_rejected(a_diagnosis().rejected)

    assert isinstance(bullets, Bullets)
    assert 1 == len(bullets.items)
    assert "of 131,072 tokens);" in bullets.items[0].spans[1].text


def test_another_reason_stands_on_a_line_of_its_own():
    (bullets,) = say_rejected([Rejected(title="Split it", because="the heads do not divide")])

    assert isinstance(bullets, Bullets)
    assert "the heads do not divide." == bullets.items[0].spans[1].text


def test_what_only_repeats_the_persons_own_answer_is_not_said():
    assert [] == say_rejected([Rejected(title="Shorten it", because="you serve 32,768 tokens", lacks="context")])


def test_what_vllm_refuses_with_a_fix_as_without_it_says_nothing_of_the_fix():
    refused = "tensor_parallel is 0; it must be at least 1"
    tried = (Rejected(title="Serve less", because=refused), Rejected(title="Split it", because="no such card"))
    refusals = (Refusal(name="tensor_parallel", message=refused),)
    diagnosis = a_diagnosis()._replace(refusals=refusals, rejected=tried)

    (bullets,) = (part for part in say_fixes(diagnosis) if isinstance(part, Bullets))
    assert ["Split it: "] == [item.spans[0].text for item in bullets.items]


def test_once_the_length_is_known_one_fix_is_enough():
    (command,) = say_fixes(a_diagnosis(longest_request="16K"))

    assert isinstance(command, Command)
    assert "1.03 requests of 32,768 tokens, or about 2 of 16,384" == command.gives


def test_a_length_that_must_stay_rules_the_short_fix_out():
    titles_said = [part.title for part in say_fixes(a_diagnosis(longest_request="128K")) if isinstance(part, Command)]

    assert "Keep the context on 2 GPUs" == titles_said[0]


def test_a_gain_speaks_of_usual_requests_too():
    (first, *_) = [part for part in say_fix(a_diagnosis().prescriptions[0]) if isinstance(part, Command)]

    assert "1.03 requests of 32,768 tokens, or about 4 of 8,192" == first.gives


def test_a_gain_counts_the_requests_that_the_person_serves():
    (first, *_) = [part for part in say_fix(a_diagnosis().prescriptions[0], 24_576) if isinstance(part, Command)]

    assert "1.03 requests of 32,768 tokens, or about 1.3 of 24,576" == first.gives


def test_what_comes_first_or_stands_alone_is_no_other_way():
    found = a_diagnosis("vLLM 0.11.0")._replace(prescriptions=(a_fix("Or wait"), a_fix("Or try", "b")))
    titles_said = [part.title for part in say_fixes(found) if isinstance(part, Command)]
    (bullets,) = say_rejected([Rejected(title="Or split it", because="the heads do not divide")])

    assert ["Wait", "Or try"] == titles_said
    assert isinstance(bullets, Bullets)
    assert "Split it: the heads do not divide." == "".join(span.text for span in bullets.items[0].spans)
