"""Diagnoses for the tests of replies, worked out from pastes as the doors do it."""

from __future__ import annotations

from functools import cache

from bot.consult import ask
from bot.diagnosis.verdict import Diagnosis

NO_BLOCKS = "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`."
TOO_LONG = """\
vllm serve meta-llama/Llama-3.1-8B-Instruct
INFO 03-02 09:14:07 [utils.py:253] vLLM API server version 0.11.0
INFO 03-02 09:14:40 [gpu_model_runner.py:2653] Model loading took 14.9889 GiB and 11.402183 seconds
INFO 03-02 09:15:09 [gpu_worker.py:298] Available KV cache memory: 4.13 GiB
ERROR 03-02 09:15:09 [core.py:708] ValueError: To serve at least one request with the models's max seq len (131072), \
(16.00 GiB KV cache is needed, which is larger than the available KV cache memory (4.13 GiB). Based on the available \
memory, the estimated maximum model length is 33824.
GPU 0: NVIDIA L4 (UUID: GPU-8f3f4c1e-0000-0000-0000-000000000000)
"""


@cache
def a_diagnosis(text: str = TOO_LONG, **facts: str) -> Diagnosis:
    return ask(text, facts)
