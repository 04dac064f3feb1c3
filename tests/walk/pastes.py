"""What people paste, written after the messages of vLLM, nvidia-smi and others."""

from __future__ import annotations

KV_TOO_SMALL = """\
$ vllm serve meta-llama/Llama-3.1-8B-Instruct
INFO 11-20 10:12:01 [__init__.py:216] vLLM API server version 0.11.0
INFO 11-20 10:12:30 [gpu_model_runner.py:2653] Model loading took 14.9889 GiB and 11.2 seconds
INFO 11-20 10:12:51 [gpu_worker.py:298] Available KV cache memory: 4.13 GiB
ERROR 11-20 10:12:52 [core.py:708] ValueError: To serve at least one request with the models's max seq len (131072), \
(16.00 GiB KV cache is needed, which is larger than the available KV cache memory (4.13 GiB). Based on the available \
memory, the estimated maximum model length is 33824. Try increasing `gpu_memory_utilization` or decreasing \
`max_model_len` when initializing the engine.
It is one NVIDIA L4.
"""
NO_BLOCKS = (
    "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing "
    "the engine."
)
NO_ROOM = f"{NO_BLOCKS}\nvllm serve meta-llama/Llama-3.1-8B-Instruct --gpu-memory-utilization 0.4"
WRAPPER = "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}"
LEAKING = "is vLLM leaking? 72 of 80 GB used on our H100 with no traffic"
STALE_MESSAGE = (
    "ValueError: Free memory on device (12.31/79.19 GiB) on startup is less than desired GPU memory utilization "
    "(0.9, 71.27 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes."
)
THANKS = "thanks, works now"
DJANGO = (
    'Traceback (most recent call last):\n  File "manage.py", line 22, in <module>\n'
    "django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty."
)
TRAINING = (
    'Traceback (most recent call last):\n  File "train.py", line 88, in <module>\n    loss.backward()\n'
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB "
    "of which 1.12 GiB is free."
)

_RULE = "+-----------------------------------------------------------------------------------------+"


def smi(card: str = "NVIDIA L4", used: int = 1, total: int = 23034, *processes: tuple[int, str, int]) -> str:
    """Return the table that nvidia-smi draws of one card; `processes` are (PID, name, MiB)."""
    rows = [f"|    0   N/A  N/A  {pid:>15}      C   {name:<30}{mib:>12}MiB |" for pid, name, mib in processes]
    return "\n".join(
        [
            _RULE,
            "| NVIDIA-SMI 570.86.15              Driver Version: 570.86.15      CUDA Version: 12.8     |",
            "|-----------------------------------------+------------------------+----------------------+",
            f"|   0  {card:<27}     On  |   00000000:00:03.0 Off |                    0 |",
            f"| N/A   41C    P8             12W /   72W | {used:>8}MiB / {total:>6}MiB |      0%      Default |",
            "+-----------------------------------------+------------------------+----------------------+",
            "| Processes:                                                                              |",
            "|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |",
            *(rows or ["|  No running processes found                                                             |"]),
            _RULE,
        ]
    )


STALE = f"{STALE_MESSAGE}\n{smi('NVIDIA H100 80GB HBM3', 68112, 81559, (184467, 'VLLM::EngineCore', 68102))}"
