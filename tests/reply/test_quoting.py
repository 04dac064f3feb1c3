from __future__ import annotations

from bot.reply.quoting import LENGTH, quotes
from tests.reply.cases import NO_BLOCKS, a_diagnosis

NEIGHBOUR = """\
vllm serve Qwen/Qwen2.5-7B-Instruct --gpu-memory-utilization 0.95
INFO 05-21 08:11:02 [api_server.py:1043] vLLM API server version 0.8.5
ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing it.
|   0  NVIDIA L40S                    On  |   00000000:3B:00.0 Off |                    0 |
| N/A   41C    P0              84W / 350W |   30732MiB / 46068MiB  |      0%      Default |
| Processes:                                                                              |
|    0   N/A  N/A     48213      C   python train_reranker.py                    30720MiB |
"""
CAPTURE = """\
Capturing CUDA graph shapes:  71%|███████   | 48/67 [00:14<00:05,  3.4it/s]
  File "/opt/venv/lib/python3.11/site-packages/vllm/v1/worker/gpu_model_runner.py", line 1967, in capture_model
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 23.64 GiB.
"""


def texts(paste: str) -> list[str]:
    return [quote.text for quote in quotes(a_diagnosis(paste))]


def test_the_recognised_line_is_quoted_without_its_log_prefix():
    assert texts(f"ERROR 03-02 09:15:09 [core.py:708] {NO_BLOCKS}")[0].startswith("ValueError: No available")


def test_a_long_line_is_cut_between_words():
    (quote, *_) = texts(f"{NO_BLOCKS} {'and more ' * 60}")

    assert quote.endswith(" …")
    assert len(quote) <= LENGTH + 2


def test_of_a_command_only_the_flag_that_tells_is_quoted():
    low = f"vllm serve Qwen/Qwen2.5-7B-Instruct --gpu-memory-utilization 0.4\nRTX 4090, nothing else on it\n{NO_BLOCKS}"

    assert "--gpu-memory-utilization 0.4" in texts(low)


def test_a_row_of_a_table_is_quoted_without_its_borders():
    assert "0  N/A  N/A  48213  C  python train_reranker.py  30720MiB" in texts(NEIGHBOUR)


def test_the_error_is_quoted_and_not_the_frame_that_gave_it_away():
    assert texts(CAPTURE)[0].startswith("torch.OutOfMemoryError")
