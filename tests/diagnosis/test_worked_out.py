"""What is worked out of a log, as each door has it."""

from __future__ import annotations

from bot.consult import ask, predict_log, size

STAMP = "INFO 03-03 16:30:11 "
LOG = f"""Qwen/Qwen3-8B on H100
{STAMP}[api_server.py:1896] vLLM API server version 0.11.0
{STAMP}[gpu_model_runner.py:2653] Model loading took 7.64 GiB and 9.1 seconds
{STAMP}[gpu_worker.py:298] Available KV cache memory: 10.0 GiB
{STAMP}[kv_cache_utils.py:1087] GPU KV cache size: 291,264 tokens
"""
TOLD = LOG + "vllm serve Qwen/Qwen3-8B --tensor-parallel-size 2 --kv-cache-dtype fp8\n"
DECIDED = {"tensor_parallel": "2", "kv_cache_dtype": "fp8"}


def grounds(budget):
    return {each.name: each.because for each in budget.assumptions if each.name in DECIDED and "line" in each.because}


def test_two_values_rest_on_all_the_figures_that_decide_them():
    told = ask(LOG + "ValueError: No available memory for the cache blocks.\n")
    both = "7.64 GiB of weights a GPU (line 3) and 10.00 GiB hold 291,264 tokens (line 5)"

    assert dict.fromkeys(DECIDED, both) == grounds(told.budget)


def test_the_name_of_a_worker_tells_nothing_of_the_cache():
    named = LOG.replace("[gpu_worker", "(Worker_TP1 pid=7) [gpu_worker")
    found = grounds(ask(named + "ValueError: No available memory for the cache blocks.\n").budget)

    assert "10.00 GiB hold 291,264 tokens (line 5)" in found["kv_cache_dtype"]


def test_a_sizing_tells_what_it_worked_out_as_a_diagnosis_does():
    assert DECIDED.keys() == grounds(size(LOG).diagnosis.budget).keys()


def test_figures_that_decide_a_fact_are_held_against_nothing():
    found = predict_log(LOG.splitlines())

    assert ((), "tensor parallel size, KV cache dtype") == (found.residuals, found.detail)
    assert "decided by the figures" in found.because


def test_what_was_told_is_held_against_the_figures():
    assert {"weights", "tokens_of_memory"} <= {each.term for each in predict_log(TOLD.splitlines()).residuals}
