from __future__ import annotations

import pytest

from bot.diagnosis.verdict import Contradiction
from bot.reply.compose import compose
from bot.reply.document import Ask, BudgetTable, Command, Details, Document, Prose, Quote, Title
from tests.reply.cases import NO_BLOCKS, a_diagnosis


def prose_of(document: Document) -> list[str]:
    return ["".join(span.text for span in part.spans) for part in document.parts if isinstance(part, Prose)]


def kinds(document: Document) -> list[type]:
    return list(dict.fromkeys(type(part) for part in document.parts))


def test_a_reply_goes_from_what_it_is_to_what_it_needs_to_know():
    order = [Title, Quote, Prose, BudgetTable, Command, Ask, Details]

    assert order == [kind for kind in kinds(compose(a_diagnosis())) if kind in order]


def test_of_several_causes_the_first_is_explained_and_the_others_named():
    (why, *_) = prose_of(compose(a_diagnosis()))

    assert why.startswith("The context length was left at the model's own maximum. Nobody asked")
    assert "Also: the weights take most of the allowance" in why


def test_the_summary_says_problem_and_cause():
    assert compose(a_diagnosis()).summary == (
        "The KV cache cannot hold one request of 131,072 tokens: The context length was left at the model's own maximum"
    )


def test_the_earlier_lines_are_asked_for_without_saying_twice_how():
    document = compose(a_diagnosis("RuntimeError: Engine core initialization failed. See root cause above."))
    (ask,) = [part.question for part in document.parts if isinstance(part, Ask)]

    assert ("", "") == (ask.why, ask.how_to_find_out)


def test_a_server_that_serves_gets_no_budget_that_denies_it():
    slow = compose(a_diagnosis("only 9 tokens/s with llama 3.3 70b on 4x L4, vllm 0.10.2, single user, is that slow?"))

    assert BudgetTable not in kinds(slow)


def test_what_is_not_vllm_gets_a_polite_word():
    document = compose(a_diagnosis("django.db.utils.OperationalError: could not connect to server"))

    assert "This is not a vLLM problem I know." == document.summary
    assert "unknown" == document.tone


def test_a_question_of_sizing_is_shown_the_way():
    (said,) = prose_of(compose(a_diagnosis("can I run qwen3-235b-a22b fp8 on 4x H100?")))

    assert "/vllm-size" in said


def test_an_unknown_error_is_quoted_and_told_what_helps():
    document = compose(
        a_diagnosis(
            "INFO 04-02 13:00:01 [api_server.py:1250] vLLM API server version 0.12.0\n"
            "ERROR 04-02 13:00:20 [core.py:842] ValueError: frobnication stride 17 is off\n"
        )
    )

    assert [Title, Quote, Command] == kinds(document)


def test_something_alike_says_so():
    alike = "ValueError: To serve at least one request with the model max sequence length of 40960, 10.0 GiB of KV-cache would be needed, more than what is available for KV cache (6.2 GiB)."

    assert compose(a_diagnosis(alike)).summary.startswith("Looks like: ")


def test_a_bare_message_is_explained_and_asked_about():
    document = compose(a_diagnosis(NO_BLOCKS))

    assert 2 == sum(isinstance(part, Ask) for part in document.parts)
    assert Command not in kinds(document)


def test_a_command_that_did_not_fail_is_not_asked_for_again():
    said = " ".join(prose_of(compose(a_diagnosis("vllm serve Qwen/Qwen3-32B --tensor-parallel-size 2"))))

    assert "the launch command" not in said
    assert "For the memory budget of Qwen3-32B ask /vllm-size" in said


def test_a_second_problem_of_its_own_is_named_with_its_line():
    both = f"{NO_BLOCKS}\n\nOSError: You are trying to access a gated repo."
    said = [text for text in prose_of(compose(a_diagnosis(both))) if text.startswith("Also seen")]

    assert [
        "Also seen: the Hub does not let this token read the model — line 3. Send that line on its own for its causes and fixes."
    ] == said


def test_what_of_the_command_says_nothing_is_said():
    remarks = prose_of(compose(a_diagnosis(f"vllm serve Qwen/Qwen3-8B --nonsense 5\n{NO_BLOCKS}")))[-1]

    assert "--nonsense is no flag of vLLM's that I know; I left it out of account." == remarks


def test_which_card_a_name_was_taken_for_is_said():
    said = prose_of(compose(a_diagnosis(f"{NO_BLOCKS}\nqwen3-32b on an A100")))

    assert any(text.startswith("I took 'A100' for the A100 SXM4 80GB; it may also be") for text in said)


@pytest.mark.parametrize(("kind", "said"), [("failure", False), ("figure", True), ("facts", True)])
def test_a_failure_that_a_cause_explains_is_not_called_unexpected(kind: str, said: bool):
    contradiction = Contradiction(kind=kind, text="It cannot be.")
    explained = a_diagnosis()._replace(contradictions=(contradiction,))

    assert said == ("It cannot be." in prose_of(compose(explained)))


def test_a_failure_that_nothing_explains_is_called_unexpected():
    contradiction = Contradiction(kind="failure", text="It cannot be.")
    open_ = a_diagnosis(NO_BLOCKS)._replace(contradictions=(contradiction,), cause=None)

    assert "It cannot be." in prose_of(compose(open_))


def test_which_card_it_was_taken_for_is_nothing_to_a_question_of_templates():
    template = (
        "As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template."
    )

    assert not [text for text in prose_of(compose(a_diagnosis(f"vllm on an A100\n{template}"))) if "I took" in text]


EXCLUDED = """$ vllm serve Qwen/Qwen2.5-7B-Instruct --max-model-len 8192
ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.
GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-11111111-0000-0000-0000-000000000000)
vLLM 0.11.0"""


def test_where_the_budget_excludes_the_failure_it_is_said_and_asked_and_nothing_is_changed():
    found = a_diagnosis(EXCLUDED)
    document = compose(found)

    assert any(text.startswith("That contradicts my budget") for text in prose_of(document))
    assert not any("nothing of the" in text for text in prose_of(document))
    assert [] == [item for item in found.prescriptions if item.patch]
    assert "Can you paste the whole log of that start, and what else is on the card?" == found.questions[0].text


def test_a_config_of_a_model_is_called_what_it_is():
    config = '{\n  "hidden_size": 4096,\n  "num_hidden_layers": 36,\n  "num_attention_heads": 32\n}'
    (said,) = prose_of(compose(a_diagnosis(config)))

    assert "This is a model's config.json, and no failure." == compose(a_diagnosis(config)).summary
    assert "/vllm-size on L40S" in said


def test_a_monitors_output_alone_says_who_holds_what():
    smi = "index, name, memory.used [MiB], memory.total [MiB]\n0, NVIDIA L40S, 45012 MiB, 46068 MiB\n"

    assert compose(a_diagnosis(smi)).summary.startswith("This shows who holds the GPU memory")
    failed = compose(a_diagnosis(f"{smi}django.db.utils.OperationalError: could not connect to server"))
    assert "This is not a vLLM problem I know." == failed.summary


LISTED = "INFO 05-01 10:00:00 [utils.py:1] non-default args: {'model': 'Qwen/Qwen3-8B', 'max_model_len': 40960"


@pytest.mark.parametrize(
    ("end", "said"), [("}", "By default: max_num"), (", 'gpu_mem", "Not seen, counted as by default: max_num")]
)
def test_of_a_list_of_flags_that_breaks_off_no_default_is_claimed(end: str, said: str):
    reply = compose(a_diagnosis(f"{LISTED}{end}\n{NO_BLOCKS}", gpu="RTX 4080"))
    (table,) = [part for part in reply.parts if isinstance(part, BudgetTable)]
    remarks = " ".join(prose_of(reply))

    assert f" {said}" in f" {table.footnote} {table.grounds}"
    assert (end != "}") == ("The list of arguments in line 1 breaks off" in remarks)
