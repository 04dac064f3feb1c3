from __future__ import annotations

import pytest

from bot.diagnosis.wordings.terse import spell_out
from bot.reading.read import read


def facts(text: str) -> dict[str, object]:
    return {name: fact.value for name, fact in read(spell_out(text, read(text))).facts.items()}


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("qwen3-14b on L40S with 16k?", "max_model_len", 16_384),
        ("llama-3.3-70b 8xH100 100K", "max_model_len", 100_000),
        ("qwen3-14b 3090 16k", "max_model_len", 16_384),
        ("qwen3-14b 3090 16k", "gpu", "RTX 3090"),
        ("qwen3-14b on L40S, 64 seqs", "max_num_seqs", 64),
        ("qwen3-14b on L40S util 80%", "gpu_memory_utilization", 0.8),
        ("qwen3-14b L40S awq", "model", "qwen3-14b awq"),
        ("Qwen/Qwen3-14B L40S fp8", "model", "Qwen3-14B fp8"),
        ("qwen3-14b L40S 4-bit", "model", "qwen3-14b 4bit"),
    ],
)
def test_a_word_that_names_no_flag_is_understood(text: str, name: str, value: object):
    assert value == facts(text)[name]


def test_a_version_needs_no_name():
    assert "0.8.5" == str(facts("qwen3 14b on a T4 0.8.5")["vllm_version"])


@pytest.mark.parametrize(
    "text",
    [
        "qwen3-14b on L40S for 10k users",
        "qwen3-14b on L40S at 2k tokens/s",
        "qwen3-14b L40S with an fp8 kv cache, context 8192",
        "qwen3-14b-awq L40S",
        "gpt-oss-20b on L40S mxfp4",
        "vllm serve Qwen/Qwen3-14B --served-model-name fp8",
    ],
)
def test_what_means_something_else_stays_as_it_is(text: str):
    assert text == spell_out(text, read(text))


@pytest.mark.parametrize(
    "text",
    [
        "qwen3-8b on L4 --max-log-len 8k",
        "qwen3-8b on L4, max num batched tokens of 8k",
        "qwen3-8b on L4 max_num_seqs=1k",
    ],
)
def test_a_number_that_is_the_value_of_another_setting_is_no_length(text: str):
    assert "max_model_len" not in spell_out(text, read(text))
