"""Amounts about how a version accounts, and which layouts would do."""

import pytest

from bot.consult import complete
from bot.diagnosis.amounts.table import AMOUNTS
from bot.diagnosis.diagnose import look_into
from bot.diagnosis.situation import Situation
from bot.reading.read import read


def a_situation(text: str) -> Situation:
    evidence = read(text)
    return look_into(evidence, complete(evidence), ())


def amount(name: str, text: str) -> object:
    return AMOUNTS[name].of(a_situation(text))


@pytest.mark.parametrize(
    ("version", "counted"), [("0.11.0", False), ("0.19.1", False), ("0.20.0", True), ("0.33.0", True)]
)
def test_graphs_are_taken_off_the_cache_from_0_20_on(version: str, counted: bool):
    assert counted is amount("graphs_are_counted", f"vllm {version}, one L4")


def test_an_unknown_version_does_not_say_whether_graphs_are_counted():
    assert amount("graphs_are_counted", "vllm serve Qwen/Qwen2.5-7B-Instruct   # one L4") is None


def test_a_model_that_fits_on_one_card_needs_one():
    assert 1 == amount(
        "smallest_layout", "vllm serve Qwen/Qwen2.5-7B-Instruct --tensor-parallel-size 2   # 2 x RTX 4090"
    )


def test_the_nearest_layout_divides_heads_and_key_value_heads():
    assert 4 == amount("nearest_layout", "vllm serve Qwen/Qwen2.5-7B-Instruct --tensor-parallel-size 8")


def test_without_the_model_no_layout_is_the_nearest():
    assert amount("nearest_layout", "vllm serve --tensor-parallel-size 8") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vllm serve meta-llama/Llama-3.3-70B-Instruct -tp 3   # 4 x H100", 4),
        ("vllm serve meta-llama/Llama-3.3-70B-Instruct -tp 3 -pp 2   # 8 x H100", 4),
        ("vllm serve meta-llama/Llama-3.3-70B-Instruct -tp 3", 2),
    ],
)
def test_the_nearest_layout_takes_the_gpus_that_are_there(text: str, expected: int):
    assert expected == amount("nearest_layout", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vllm serve Qwen/Qwen2.5-14B-Instruct -tp 6   # 6 x A100", 2),
        ("vllm serve Qwen/Qwen2.5-14B-Instruct -tp 3   # 3 x A100", 1),
        ("vllm serve Qwen/Qwen2.5-14B-Instruct -tp 6   # 2 x A100", None),
        ("vllm serve Qwen/Qwen2.5-14B-Instruct -tp 6", None),
    ],
)
def test_an_even_layout_leaves_no_gpu_idle(text: str, expected: int | None):
    assert expected == amount("even_layout", text)


def test_all_ranks_stages_and_replicas_take_gpus():
    assert 16 == amount("gpus_taken", "vllm serve Qwen/Qwen3-8B -tp 4 -pp 2 --data-parallel-size 2")
    assert amount("gpus_taken", "vllm serve Qwen/Qwen3-8B") is None


def test_the_remaining_stages_use_the_gpus_that_a_layout_leaves():
    assert 2 == amount("remaining_stages", "vllm serve Qwen/Qwen3-8B -tp 4   # 8 x H100")
    assert amount("remaining_stages", "vllm serve Qwen/Qwen3-8B -tp 4") is None


def test_the_rope_factor_covers_the_length_asked_for():
    assert 2 == amount("rope_factor", "vllm serve microsoft/phi-4 --max-model-len 30000")
    assert amount("rope_factor", "vllm serve microsoft/phi-4 --max-model-len 16384") is None


def test_a_layout_for_the_gpus_that_are_there_needs_no_size_that_was_asked_for():
    assert 4 == amount("nearest_layout", "Qwen/Qwen3-8B, 4 x H100")
