"""The words of vLLM's start-up checks, by version."""

from __future__ import annotations

from bot.sizing.kv_cache.pool import Pool
from bot.sizing.kv_cache.requests import Holding
from bot.sizing.ranges import GIB
from bot.sizing.resolved import Resolved
from bot.sizing.runners import uses_runner_v2

_DOCS = " See https://docs.vllm.ai/en/latest/configuration/conserving_memory/ for more details."


def free_memory(run: Resolved, free: int, total: int, wanted: int) -> str:
    """Return the words of the free-memory check (0.9.1 and later)."""
    device = "cuda:0 " if run.release >= (0, 14) else ""
    return (
        f"Free memory on device {device}({_gib(free, run)}/{_gib(total, run)} GiB) on startup is less than desired GPU "
        f"memory utilization ({float(run.utilization)}, {_gib(wanted, run)} GiB). Decrease GPU memory utilization or reduce "
        "GPU memory used by other processes."
    )


def weights(run: Resolved) -> str:
    """Return what is printed when the weights do not fit the card; only the first model runner of V1 says more than torch."""
    if run.is_v0 or run.release < (0, 13) or uses_runner_v2(run):
        return out_of_memory(run)
    return (
        "Failed to load model - not enough GPU memory. Try lowering --gpu-memory-utilization to free memory for "
        f"weights, increasing --tensor-parallel-size, or using --quantization.{_DOCS.replace('details', 'tips')}"
    )


def out_of_memory(run: Resolved) -> str:
    """Return how torch says that an allocation failed; the error has had another name since torch 2.5, which came with 0.6.4."""
    place = "torch.cuda" if run.release < (0, 6, 4) else "torch"
    return f"{place}.OutOfMemoryError: CUDA out of memory."


def sampler(run: Resolved) -> str:
    """Return what is printed when the sampler's warm-up finds no memory (V1, 0.8.0 and later)."""
    return (
        f"CUDA out of memory occurred when warming up sampler with {run.max_num_seqs} dummy requests. Please try "
        "lowering `max_num_seqs` or `gpu_memory_utilization` when initializing the engine."
    )


def no_memory(run: Resolved) -> str:
    """Return what is printed when nothing is left for the KV cache."""
    both = " (this flag also controls CPU memory reservation on the CPU backend, despite its name)"
    both = both if run.release >= (0, 22) else ""
    return (
        f"No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the "
        f"engine{both}.{_DOCS if run.release >= (0, 13) else ''}"
    )


def too_small(run: Resolved, held: Holding, pool: Pool, estimate: int) -> str:
    """Return what is printed when one request of max_model_len does not fit the KV cache."""
    length = run.max_model_len
    if run.is_v0:
        return (
            f"The model's max seq len ({length}) is larger than the maximum number of tokens that can be stored in KV "
            f"cache ({held.blocks * pool.block_size}). Try increasing `gpu_memory_utilization` or decreasing "
            "`max_model_len` when initializing the engine."
        )
    owner = "model's" if run.release >= (0, 22) else "models's"
    unit = "GiB" if run.release >= (0, 8, 3) else "GB"
    hint = ""
    if estimate and run.release >= (0, 8, 4):
        hint = f" Based on the available memory, the estimated maximum model length is {estimate}."
    cpu = " (which also controls CPU memory on the CPU backend)" if run.release >= (0, 22) else ""
    return (
        f"To serve at least one request with the {owner} max seq len ({length}), ({_gib(held.checked, run)} {unit} KV "
        f"cache is needed, which is larger than the available KV cache memory ({_gib(held.usable, run)} {unit}).{hint} "
        f"Try increasing `gpu_memory_utilization`{cpu} or decreasing `max_model_len` when initializing the engine."
        f"{_DOCS if run.release >= (0, 13) else ''}"
    )


def _gib(amount: int, run: Resolved) -> str:
    """Print as the version does: two places, and from 0.14 without trailing zeros."""
    return str(round(amount / GIB, 2)) if run.release >= (0, 14) else f"{amount / GIB:.2f}"
