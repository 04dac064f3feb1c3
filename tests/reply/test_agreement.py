"""A reply agrees with itself: fixes with the present state, commands with their figures, the table with what is said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.consult import ask, size
from bot.diagnosis.verdict import Diagnosis, Prescription
from bot.reply.compose import compose
from bot.reply.document import BudgetTable, Prose

MODELS = ("Qwen/Qwen2.5-7B-Instruct", "meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen3-14B", "microsoft/phi-4")
CARDS = ("NVIDIA L4", "NVIDIA A10G", "NVIDIA L40S", "NVIDIA H100 80GB HBM3")
FRAMES = (
    '  File "/opt/venv/lib/python3.12/site-packages/vllm/v1/worker/gpu_model_runner.py", line 2911, in capture_model'
)
OUT = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 MiB."
FLAGS = ("--max-num-seqs 512", "--max-num-batched-tokens 8192", "--kv-cache-dtype fp8", "--gpu-memory-utilization 0.85")


def a_log(model: str, card: str, flags: str, printed: str, release: str) -> str:
    """Return the log of a start that ends while it captures, with one figure of its KV cache."""
    start = f"vllm serve {model} --max-model-len 8192 {flags}\nvLLM API server version {release}"
    return f"{start}\n{printed}\n{FRAMES}\n{OUT}\nGPU 0: {card} (UUID: GPU-8f3f4c1e-0000-0000-0000-000000000000)"


@st.composite
def logs(draw: st.DrawFn) -> str:
    """Draw a log whose KV cache is larger or smaller than we would compute."""
    model, card = draw(st.sampled_from(MODELS)), draw(st.sampled_from(CARDS))
    release = draw(st.sampled_from(("0.9.2", "0.11.0", "0.16.0", "0.22.0", "0.33.0")))
    flags = " ".join(draw(st.lists(st.sampled_from(FLAGS), unique=True, max_size=2)))
    tokens = draw(st.integers(1_000, 40_000)) * 16
    printed = draw(
        st.sampled_from(
            (
                f"GPU KV cache size: {tokens:,} tokens",
                f"Maximum concurrency for 8,192 tokens per request: {tokens / 8192:.2f}x",
                f"Available KV cache memory: {tokens / 8192:.2f} GiB",
            )
        )
    )
    return a_log(model, card, flags, printed, release)


def takes_less(item: Prescription, diagnosis: Diagnosis) -> bool:
    """Return whether a fix can only leave more: fewer sequences, a smaller batch, no graphs, a larger share."""
    share = item.patch.get("gpu_memory_utilization")
    before = diagnosis.budget.deployment.gpu_memory_utilization if diagnosis.budget else None
    return "max_model_len" not in item.patch and (share is None or (before is not None and share >= before))


@settings(max_examples=40, deadline=None)
@given(logs())
def test_what_takes_less_gives_no_fewer_tokens_than_the_log_has(text: str):
    diagnosis = ask(text)
    budget = diagnosis.budget
    assert budget

    helped = [item.budget for item in diagnosis.prescriptions if item.budget and takes_less(item, diagnosis)]
    assert [] == [fix.kv_tokens for fix in helped if fix.kv_tokens < budget.kv_tokens]


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(MODELS), st.sampled_from(CARDS[:3]), st.sampled_from((16_384, 32_768)), st.booleans())
def test_an_offered_command_is_sized_alike_by_itself(model: str, card: str, length: int, is_small: bool):
    share = 0.5 if is_small else 0.9
    text = (
        f"vllm serve {model} --max-model-len {length} --gpu-memory-utilization {share}\n"
        "vLLM API server version 0.16.0\n"
        "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`.\n"
        f"GPU 0: {card} (UUID: GPU-8f3f4c1e-0000-0000-0000-000000000000)"
    )
    offered = [item for item in ask(text).prescriptions if item.command and item.budget and item.deployment]
    facts = {"gpu": card, "vllm_version": "0.16.0"}
    alone = [
        size(item.command or "", facts | {"gpu_count": item.deployment.gpus_taken})
        for item in offered
        if item.deployment
    ]

    assert [item.budget and item.budget.kv_tokens for item in offered] == [
        sized.diagnosis.budget and sized.diagnosis.budget.kv_tokens for sized in alone
    ]


@settings(max_examples=25, deadline=None)
@given(logs())
def test_no_fix_repeats_what_is_set(text: str):
    diagnosis = ask(text)

    assert [] == [
        (item.fix.id, name)
        for item in diagnosis.prescriptions
        for name, value in item.patch.items()
        if value is not None and value == getattr(diagnosis.deployment, name)
    ]


SAID = re.compile(r"weights \((\d+\.\d+) GiB\)|weights take (\d+\.\d+) GiB|^(\d+\.\d+) GiB on one card")


@pytest.mark.parametrize("share", [0.3, 0.5, 0.75, 0.9])
@pytest.mark.parametrize("model", ["deepseek-ai/DeepSeek-V2-Lite-Chat", "Qwen/Qwen2.5-32B-Instruct", "microsoft/phi-4"])
def test_sentences_and_table_have_the_same_weights(model: str, share: float):
    document = compose(
        ask(
            f"vllm serve {model} --gpu-memory-utilization {share} --max-model-len 4096   # vllm 0.16.0 on one L40S\n"
            "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`."
        )
    )
    (table,) = [part for part in document.parts if isinstance(part, BudgetTable)] or [BudgetTable(rows=())]
    shown = {row.amount.removeprefix("−") for row in table.rows if row.label == "weights"}
    prose = [span.text for part in document.parts if isinstance(part, Prose) for span in part.spans]

    assert {next(filter(None, found)) for text in prose for found in SAID.findall(text)} <= shown
