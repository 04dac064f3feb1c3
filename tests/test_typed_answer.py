import pytest

from bot.fact_values import fact_value
from bot.typed_answer import typed_answers


@pytest.mark.parametrize(
    ("asked", "reply", "value"),
    [
        ("longest_request", "16k is enough", 16_000),
        ("longest_request", "16K", 16_384),
        ("longest_request", "our prompts are at most 16,384 tokens", 16_384),
        ("dedicated_gpu", "yes, only vllm on it", True),
        ("dedicated_gpu", "Nope", False),
        ("dedicated_gpu", "nein, da läuft noch ein Notebook", False),
        ("tensor_parallel", "4", 4),
        ("gpu_count", "it's 8 GPUs", 8),
        ("gpu_memory_utilization", "0.85", 0.85),
    ],
)
def test_a_short_reply_answers_what_was_asked(asked, reply, value):
    assert value == fact_value(asked, typed_answers([asked], reply)[asked])


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("longest_request", "we restarted it 3 times"),  # a count, no length
        ("longest_request", "between 8k and 16k"),
        ("longest_request", "it is a long story, and 16k of it would be what I can tell you now"),
        ("longest_request", "no idea"),
        ("gpu_count", "we have tried this 2 times already"),
        ("dedicated_gpu", "what do you mean?"),
        ("model", "16k"),
        ("log", "16k"),
        ("longest_request", ""),
        ("longest_request", "v0.9.2-rc1"),
        ("gpu_memory_utilization", "16k"),
    ],
)
def test_what_may_mean_something_else_answers_nothing(asked, reply):
    assert {} == typed_answers([asked], reply)


def test_of_two_questions_the_one_is_answered_that_a_reply_fits():
    assert {"dedicated_gpu": "yes"} == typed_answers(["longest_request", "dedicated_gpu"], "yes")
    assert {} == typed_answers(["gpu_count", "tensor_parallel"], "2")
