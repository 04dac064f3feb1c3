"""Every row of the public field guides is reached from a paste, with the fix that the row names."""

from typing import NamedTuple

import pytest

from bot.catalog.load import Knowledge
from bot.diagnosis.verdict import Diagnosis
from bot.proof import decide


class Row(NamedTuple):
    """One row of the guides: how it shows, and what must be said."""

    paste: str
    problem: str
    cause: str | None
    fix: str


SMI = """\
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|=========================================+========================+======================|
|   0  {name:<34}On  |   00000000:3B:00.0 Off |                    0 |
| N/A   33C    P0             60W /  300W |  {used:>6}MiB / {total:>6}MiB |      0%      Default |
"""

NO_BLOCKS = (
    "ValueError: No available memory for the cache blocks. "
    "Try increasing `gpu_memory_utilization` when initializing the engine."
)


def a_card(name: str, used: int, total: int) -> str:
    return SMI.format(name=name, used=used, total=total)


ROWS = {
    "context larger than the KV cache can hold": Row(
        "vllm serve Qwen/Qwen2.5-7B-Instruct --max-model-len 32768   # one A10G, vllm 0.6.6\n"
        "ValueError: The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in"
        " KV cache (25104). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the"
        " engine.",
        "kv-cache-too-small-for-max-len",
        None,
        "shorter-context",
    ),
    "one request of the full context needs more than is available": Row(
        "vllm serve meta-llama/Llama-3.1-8B-Instruct   # NVIDIA L4, vllm 0.11.0\n"
        "ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is needed,"
        " which is larger than the available KV cache memory (4.13 GiB).",
        "kv-cache-too-small-for-max-len",
        "context-left-at-default",
        "fp8-cache-and-shorter-context",
    ),
    "no memory at all for KV blocks": Row(
        f"vllm serve Qwen/Qwen2.5-14B-Instruct --gpu-memory-utilization 0.95   # RTX 5090, vllm 0.11.0\n{NO_BLOCKS}",
        "kv-cache-no-memory",
        "weights-fill-the-card",
        "more-gpus",
    ),
    "utilization too high for a shared GPU": Row(
        "ValueError: Free memory on device cuda:0 (30.11/44.40 GiB) on startup is less than desired GPU memory"
        " utilization (0.92, 40.85 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\n"
        "\n"
        + a_card("NVIDIA L40S", 14210, 46068)
        + "|    0   N/A  N/A      3120      C   tritonserver                             14200MiB |\n",
        "free-memory-below-utilization",
        "other-process",
        "lower-utilization",
    ),
    "utilization too low": Row(
        f"vllm serve Qwen/Qwen2.5-7B-Instruct --gpu-memory-utilization 0.4   # vllm 0.11.0\n{NO_BLOCKS}\n"
        + a_card("NVIDIA A10G", 3, 23028),
        "kv-cache-no-memory",
        "utilization-too-low",
        "raise-utilization",
    ),
    "weights do not fit one GPU": Row(
        "vllm serve Qwen/Qwen2.5-72B-Instruct   # one H100 80GB, vllm 0.11.0\n"
        "Loading safetensors checkpoint shards:  40% Completed | 15/37 [00:11<00:17,  1.24it/s]\n"
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 462.00 MiB. GPU 0 has a total capacity of"
        " 79.19 GiB of which 320.00 MiB is free.",
        "weights-too-big-for-gpu",
        "too-big-for-this-card",
        "more-gpus",
    ),
    "full-precision weights eat the budget": Row(
        "vllm serve Qwen/Qwen2.5-7B-Instruct --max-model-len 32768 --gpu-memory-utilization 0.95   # RTX 4000 Ada, 20 GB\n"
        "(EngineCore_DP0 pid=7) INFO 10-01 10:00:00 [gpu_model_runner.py:2653] Model loading took 14.2500 GiB and 9 seconds\n"
        "(EngineCore_DP0 pid=7) ERROR 10-01 10:00:20 [core.py:708] ValueError: To serve at least one request with the"
        " models's max seq len (32768), (1.75 GiB KV cache is needed, which is larger than the available KV cache memory"
        " (1.10 GiB).",
        "kv-cache-too-small-for-max-len",
        "weights-leave-little",
        "quantized-weights",
    ),
    "tensor parallel too small": Row(
        "only one GPU fills up and then it dies, the other three stay empty. Why?\n"
        "vllm serve Qwen/Qwen2.5-32B-Instruct\n"
        "\n"
        "index, name, memory.used [MiB], memory.total [MiB]\n"
        "0, NVIDIA A10G, 22010 MiB, 23028 MiB\n"
        "1, NVIDIA A10G, 3 MiB, 23028 MiB\n"
        "2, NVIDIA A10G, 3 MiB, 23028 MiB\n"
        "3, NVIDIA A10G, 3 MiB, 23028 MiB\n",
        "tp-too-small",
        "left-at-one",
        "more-gpus",
    ),
    "another process outside the accounting": Row(
        "two vllm instances on the same card, the second one has no memory left. How do I split it?\n"
        + a_card("NVIDIA A40", 40300, 46068)
        + "|    0   N/A  N/A     11001      C   VLLM::EngineCore                         21100MiB |\n"
        "|    0   N/A  N/A     11950      C   VLLM::EngineCore                         19100MiB |\n",
        "other-process-on-gpu",
        "several-engines",
        "share-evenly",
    ),
    "a stale worker": Row(
        "I killed the vllm container and this is still there, can I end it?\n"
        "|    0   N/A  N/A     41877      C   VLLM::EngineCore                         62914MiB |\n",
        "stale-vllm-process",
        "engine-without-server",
        "make-sure-then-end-it",
    ),
    "too much concurrency at run time": Row(
        "WARNING 02-07 18:01:12 scheduler.py:1754] Sequence group cmpl-11 is preempted by PreemptionMode.RECOMPUTE mode"
        " because there is not enough KV cache space. total_num_cumulative_preemption=101\n"
        "vllm serve Qwen/Qwen2.5-7B-Instruct --max-num-seqs 256 --max-model-len 8192   # one L4, vllm 0.7.2",
        "too-much-concurrency-preemption",
        "more-sequences-than-fit",
        "fewer-sequences",
    ),
    "CUDA graphs take the last memory": Row(
        "vllm serve Qwen/Qwen2.5-14B-Instruct-AWQ --gpu-memory-utilization 0.97    # vllm 0.10.1, RTX 3090\n"
        '  File "/opt/venv/lib/python3.12/site-packages/vllm/v1/worker/gpu_model_runner.py", line 2210, in capture_model\n'
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 26.00 MiB.",
        "oom-cuda-graph-capture",
        "graphs-beside-the-share",
        "eager",
    ),
    "throughput far below expectation": Row(
        "throughput of our vllm is far too low today, why?\n"
        "INFO 10-28 06:59:40 [loggers.py:127] Engine 000: Avg prompt throughput: 20.0 tokens/s, Avg generation throughput:"
        " 110.2 tokens/s, Running: 8 reqs, Waiting: 90 reqs, GPU KV cache usage: 11.1%, Prefix cache hit rate: 3.0%",
        "slow-throughput",
        "too-few-sequences",
        "read-the-stats",
    ),
    "host RAM limited container": Row(
        "vllm serve Qwen/Qwen2.5-7B-Instruct --swap-space 64   # vllm 0.6.6\n"
        "ValueError: Too large swap space. 64.00 GiB out of the 62.70 GiB total CPU memory is allocated for the swap space.",
        "kv-offload-config",
        "swap-larger-than-memory",
        "less-swap",
    ),
    "a full GPU at idle": Row(
        "is vLLM leaking? the card is nearly full with no traffic\n"
        + a_card("NVIDIA H100 80GB HBM3", 73720, 81559)
        + "|    0   N/A  N/A      9001      C   VLLM::EngineCore                         73700MiB |\n",
        "gpu-full-at-idle-normal",
        "pool-claimed-at-start",
        "smaller-share",
    ),
    "out of memory after serving began": Row(
        "INFO:     Application startup complete.\n"
        "(EngineCore_DP0 pid=31) ERROR 10-05 20:31:44 [core.py:710] torch.OutOfMemoryError: CUDA out of memory. Tried to"
        " allocate 594.00 MiB.",
        "oom-runtime",
        None,
        "smaller-batches",
    ),
    "a start-up failure without its reason": Row(
        "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}",
        "engine-init-failed-generic",
        "reason-not-shown",
        "show-earlier-lines",
    ),
}


def diagnosis_of(row: Row, knowledge: Knowledge) -> Diagnosis:
    return decide(row.paste, {}, knowledge)


@pytest.mark.parametrize("name", ROWS)
def test_the_row_is_recognised(name: str, knowledge: Knowledge):
    found = diagnosis_of(ROWS[name], knowledge)

    assert ROWS[name].problem == (found.problem.id if found.problem else None)


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.cause])
def test_the_cause_is_decided_from_the_evidence(name: str, knowledge: Knowledge):
    found = diagnosis_of(ROWS[name], knowledge)

    assert ROWS[name].cause == (found.cause.cause.id if found.cause else None)


@pytest.mark.parametrize("name", ROWS)
def test_the_fix_of_the_guides_is_known_for_it(name: str, knowledge: Knowledge):
    row = ROWS[name]

    assert row.fix in {fix.id for fix in knowledge.problems[row.problem].fixes}


QUESTIONS = {
    "why is the GPU full with no requests, vllm is idle?": "gpu-full-at-idle-normal",
    "what should I set gpu_memory_utilization to?": "gpu-util-too-high",
    "is gpu_memory_utilization=1.0 safe?": "gpu-util-too-high",
    "does quantization fix OOM in vllm?": "kv-cache-too-small-for-max-len",
    "does quantization shrink the KV cache?": "kv-cache-too-small-for-max-len",
    "what does preempted by RECOMPUTE mean in the vllm log, do I lose requests?": "too-much-concurrency-preemption",
    "what does gpu_memory_utilization control?": "gpu-full-at-idle-normal",
    "why does a shorter max_model_len fix start-up?": "kv-cache-too-small-for-max-len",
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_questions_people_ask_are_answered(question: str, knowledge: Knowledge):
    found = decide(question, {}, knowledge)

    assert QUESTIONS[question] == (found.problem.id if found.problem else None)
    assert knowledge.problems[QUESTIONS[question]].faq
