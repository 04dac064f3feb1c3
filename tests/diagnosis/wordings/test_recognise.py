"""Sure, alike, or silent."""

from __future__ import annotations

import pytest

from bot.catalog.problem import Problem, Wording
from bot.diagnosis.wordings.recognise import Recognised, recognise
from bot.diagnosis.wordings.search import Scanner
from bot.evidence import Evidence, Failure, Line
from tests.diagnosis.conftest import PROBLEMS
from tests.diagnosis.makers import NEEDED, lines_of

SCANNER = Scanner(PROBLEMS)


def heard(text: str, *failures: Failure, kinds: frozenset[str] = frozenset()) -> Recognised:
    evidence = Evidence(lines=lines_of(text), failures=failures, kinds=kinds)
    return recognise(SCANNER.scan(evidence.lines), evidence, PROBLEMS)


def said(found: Recognised) -> tuple[str, str | None, bool]:
    return found.match, found.matches[0].problem.id if found.matches else None, found.is_for_us


def test_a_message_in_a_log_is_sure():
    assert ("exact", "cache-too-small", True) == said(heard(NEEDED))


def test_a_message_that_a_person_asks_about_is_sure():
    assert ("exact", "no-cache", True) == said(heard("why does it say No available memory for the cache blocks?"))


@pytest.mark.parametrize("mark", ["3. ", "- `", "> • ", '"'])
def test_a_message_behind_the_mark_of_a_list_stands_on_a_line_of_its_own(mark: str):
    assert ("exact", "no-cache", True) == said(heard(f"{mark}No available memory for the cache blocks"))


@pytest.mark.parametrize(
    "text",
    [
        "my brain: No available memory for the cache blocks. weekend!",
        f"{NEEDED}\nsolved, it was the context",
        "loss.backward()\nNo available memory for the cache blocks",
        "thanks, works now",
        "",
        "┌──┐\n│  │\n└──┘",
    ],
    ids=["joke", "solved", "training", "thanks", "empty", "boxes"],
)
def test_chatter_and_other_programs_get_silence(text: str):
    assert ("none", None, False) == said(heard(text))


@pytest.mark.parametrize(
    "text",
    [
        "This PR rewords “No available memory for the cache blocks. Try increasing”",
        "[Feature]: say more than No available memory for the cache blocks",
        "it would be nice if “Engine core initialization failed. See root cause above” told the cause",
    ],
)
def test_a_message_that_notes_or_wishes_are_about_gets_silence(text: str):
    assert ("none", None, False) == said(heard(text))
    assert heard(f"{text}\n{NEEDED}").is_for_us


@pytest.mark.parametrize("mark", ["", "- ", "Q: "])
def test_a_message_that_a_lesson_explains_gets_silence(mark: str):
    lesson = f"The most common errors of vLLM\n{mark}No available memory for the cache blocks\nFix: a shorter context"

    assert ("none", None, False) == said(heard(lesson))
    assert heard(f"{lesson}\n\nI get it too, why?").is_for_us
    assert heard(f"{lesson}\nTraceback (most recent call last):\n{NEEDED}").is_for_us


def test_what_vllm_alone_says_is_heard_through_another_program():
    frame = 'File "/opt/lib/python3.11/site-packages/acme_chat/client.py", line 80, in send'

    assert ("exact", "no-cache", True) == said(heard(f"{frame}\nNo available memory for the cache blocks"))


def test_a_consequence_alone_is_sure():
    assert ("exact", "engine-failed", True) == said(
        heard("RuntimeError: Engine core initialization failed. See root cause above.")
    )


def test_a_description_counts_when_help_is_wanted():
    assert ("exact", "full-idle", True) == said(heard("vllm: no traffic and the card is full, a leak?"))
    assert ("alike", "full-idle", True) == said(heard("no traffic and my gpu is full, a leak?"))
    assert ("none", None, False) == said(heard("no traffic and the bar is full"))


def test_a_description_nobody_asks_about_is_no_request():
    assert ("alike", "full-idle", False) == said(heard("vllm: no traffic and the card is full"))


@pytest.mark.parametrize(
    "again", ["keeps crashing", "keeps getting killed", "is in a crash loop", "dies again and again"]
)
def test_trouble_that_comes_again_wants_an_answer_though_nothing_is_asked(again: str):
    assert ("exact", "full-idle", True) == said(heard(f"no traffic, the card is full and vllm {again}"))


@pytest.mark.parametrize("once", ["crashed", "keeps getting better", "and we keep restarting it every night"])
def test_trouble_that_is_told_of_once_or_chosen_is_only_alike(once: str):
    assert "exact" != heard(f"no traffic, the card is full and vllm {once}").match


def test_a_message_that_a_sentence_names_is_not_sure():
    assert ("alike", "no-cache", True) == said(heard("vllm docs: a page on No available memory for the cache blocks"))


def test_noise_is_explained_to_who_asks_only():
    noise = "UserWarning: 1 leaked shared_memory objects to clean up at shutdown"

    assert ("none", None, False) == said(heard(noise))
    assert ("exact", "left-over", True) == said(heard(f"{noise}\nis this bad?"))


def test_a_damaged_message_is_alike():
    assert ("alike", "no-cache", True) == said(heard("Va1ueError: No avai1able rnemory for the cache b1ocks"))


def test_an_unknown_error_of_vllm_concerns_us():
    failure = Failure(kind="RuntimeError", message="something new", line=1)

    assert ("none", None, True) == said(heard("(EngineCore pid=1) RuntimeError: something new", failure))


def test_a_word_that_somebody_mentions_is_no_report():
    problem = Problem(
        id="p", title="t", summary=("s",), role="consequence", wordings=(Wording(id="w", pattern="EngineDeadError"),)
    )
    evidence = Evidence(lines=lines_of("in retry.py you catch EngineDeadError from vllm, maybe stop there?"))

    found = recognise(Scanner([problem]).scan(evidence.lines), evidence, [problem])

    assert ("alike", "p", False) == said(found)


def test_behind_a_consequence_a_damaged_cause_is_looked_for():
    text = "RuntimeError: Engine core initialization failed. See root cause above.\nVa1ueError: N0 avai1able rnernory for the cache b1ocks"

    found = heard(text)

    assert ["no-cache", "engine-failed"] == [match.problem.id for match in found.matches]
    assert "alike" == found.match


def test_a_consequence_is_not_sure_beside_a_root_that_nobody_knows():
    text = "RuntimeError: Engine core initialization failed. See root cause above.\nsomething new"
    root = Failure(kind="RuntimeError", message="something new", line=2)

    assert ("alike", "engine-failed", True) == said(heard(text, root))


def test_an_unknown_error_is_not_explained_by_a_hint():
    failure = Failure(kind="RuntimeError", message="something new", line=2)

    assert ("none", None, True) == said(
        heard("(EngineCore pid=1) no traffic, why?\nRuntimeError: something new", failure)
    )


def test_what_people_say_about_vllm_is_passed_on():
    assert "asked" == heard("vllm serve org/m does not work, how come?").concern
    assert "told" == heard("tried vllm serve org/m on the new box").concern
    assert "none" == heard("how are you?").concern


def test_a_message_with_its_figures_is_shown_and_not_mentioned():
    said_of = f"... {NEEDED.split('ValueError: ')[1]}"

    assert "cache-too-small" == said(heard(said_of))[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vllm serve org/m does not work", True),
        ("my vllm does not work, how come?", True),
        ("my editor does not work, how come?", False),
        ("vllm is nice", False),
    ],
)
def test_trouble_with_vllm_that_nobody_recognises_is_open(text: str, expected: bool):
    assert expected is heard(text).is_open


def test_what_any_script_may_say_is_not_vllm_s():
    bare = PROBLEMS[1].wordings[0].model_copy(update={"id": "bare", "pattern": "out of memory here", "weight": 3})
    problem = PROBLEMS[1].model_copy(update={"wordings": (bare,)})
    frame = 'File "/work/infer.py", line 9, in <module>'

    def answer(text: str) -> str:
        lines = lines_of(text)
        return recognise(Scanner([problem]).scan(lines), Evidence(lines=lines), [problem]).match

    assert ("none", "alike") == (answer(f"{frame}\nError: out of memory here"), answer("Error: out of memory here"))


def test_a_traceback_of_vllm_s_that_ends_before_its_exception_is_trouble():
    found = heard('  File "/opt/venv/site-packages/vllm/v1/engine/core_client.py", line 448, in __init__')

    assert ("none", None, True) == said(found)
    assert found.is_open


def test_what_any_program_may_say_belongs_to_the_one_that_the_machinery_names():
    bare = PROBLEMS[1].wordings[0].model_copy(update={"id": "bare", "pattern": "out of memory here", "weight": 30})
    problem = PROBLEMS[1].model_copy(update={"wordings": (bare,)})
    frame = 'File "/opt/lib/python3.11/site-packages/acme_chat/client.py", line 80, in send'
    texts = ("RuntimeError: out of memory here", f"{frame}\nRuntimeError: out of memory here")
    pastes = [Evidence(lines=lines_of(text)) for text in texts]

    assert [True, False] == [
        recognise(Scanner([problem]).scan(each.lines), each, [problem]).is_for_us for each in pastes
    ]


STARTED = "INFO:     Application startup complete."


def test_a_warning_that_a_start_outlived_is_news_to_who_asks_of_it():
    warned = NEEDED.replace("ERROR", "WARNING")
    lines = [line._replace(level=line.text.partition(" ")[0]) for line in lines_of(f"{warned}\n{STARTED}")]
    asked = [*lines, *lines_of("is this a problem?")]

    def answer(*which: Line) -> str:
        return recognise(SCANNER.scan(which), Evidence(lines=which), PROBLEMS).match

    assert ("none", "exact", "exact") == (answer(*lines), answer(*asked), answer(lines[0]))


def test_who_asks_why_a_setting_was_chosen_has_no_trouble():
    question = "vLLM: no traffic, and the card is full. Why did you choose such a share for the GPU?"

    assert "exact" == heard(question.partition("Why did")[0] + "Why?").match
    assert ("none", None, False) == said(heard(question))
    assert heard(f"{question}\n{NEEDED}").is_for_us


def test_a_change_told_in_free_sentences_gets_silence():
    change = f"Reject it early\n\nBefore this change the engine died with\n{NEEDED}"

    assert ("none", None, False) == said(heard(change))
    assert heard(f"{change}\nHow do I get around it?").is_for_us
