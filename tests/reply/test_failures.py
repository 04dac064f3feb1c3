"""Failures in few words."""

from __future__ import annotations

import pytest

from bot.consult import size
from bot.reply.failures import say_failure, say_instead

# Each fails in another check at start; beside it what graphs were measured to take, in GiB.
FAILING = (
    ("free-memory-below-utilization", "qwen2.5-7b on L4 --gpu-memory-utilization 0.995", None),
    ("weights-too-big-for-gpu", "llama-3.3-70b on L4", None),
    ("oom-profile-run", "qwen2.5-14b on RTX 5090 --max-num-seqs 1024 --max-num-batched-tokens 262144", None),
    ("oom-multimodal", "qwen2.5-vl-7b on L4 --max-num-seqs 4 --max-num-batched-tokens 131072", None),
    ("kv-cache-no-memory", "qwen2.5-7b on L40S --gpu-memory-utilization 0.3", None),
    ("kv-cache-too-small-for-max-len", "llama-3.1-8b on L4 --max-model-len 131072", None),
    ("kv-cache-set-too-large", "qwen3-8b on L4 --kv-cache-memory-bytes 12G --max-model-len 8192", None),
    ("oom-sampler-warmup", "qwen2.5-7b on H100 --gpu-memory-utilization 0.96 --max-num-seqs 1024", 4.0),
    ("oom-cuda-graph-capture", "qwen2.5-7b on H100 --gpu-memory-utilization 0.96 --max-num-seqs 1024", 9.0),
)


@pytest.mark.parametrize(("problem", "text", "graphs"), FAILING)
def test_every_check_that_fails_has_few_words(problem: str, text: str, graphs: float | None):
    budget = size(f"{text} vllm 0.11.0", measured={"cudagraph_gib": graphs} if graphs else None).diagnosis.budget
    assert budget
    assert budget.failed_check

    assert problem == budget.failed_check.problem
    assert say_failure(problem) == say_instead(budget.failed_check.message, budget)
    assert len(say_failure(problem) or "") in range(1, 50)


def test_a_reason_that_is_no_message_stays():
    budget = size("llama-3.3-70b on L4").diagnosis.budget

    assert "the heads do not divide" == say_instead("the heads do not divide", budget)
    assert "the heads do not divide" == say_instead("the heads do not divide", None)


def test_other_problems_are_no_failures_at_start():
    assert (None, None) == (say_failure("gated-model"), say_failure(None))
