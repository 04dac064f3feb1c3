"""What torch's allocator counts for a tensor."""

from __future__ import annotations

from collections.abc import Iterable

from bot.sizing.eras import Release

_STEP = 2 << 20
_LARGE = 10 << 20
_UNSPLIT = 1 << 20
_SMALLEST = 512
_NEVER_SPLIT = 20 << 20  # max_split_size_mb while weights load, from 0.21
_SETTINGS = frozenset({"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF"})


def counted(size: int, release: Release, *, is_expandable: bool = False) -> int:
    """Return the bytes that "Model loading took" counts for a tensor of `size` bytes.

    The caching allocator asks for large blocks in steps of 2 MiB, and cuts them unless 1 MiB or less would be left; from
    0.21 blocks of 20 MiB and more are never cut. Smaller tensors are rounded to 512 bytes. Expandable segments are cut
    anywhere.

    Source: torch `CUDACachingAllocator.cpp`, should_split; vLLM 0.21 `v1/worker/gpu_worker.py`, load_model sets
    max_split_size_mb to 20. 39 start-up logs before it, and 10 of 16-bit models since, within 0.011 GiB: Qwen2.5-7B with
    0.22 prints 14.29 GiB, its tensors are 14.19; Qwen3-32B on two cards with 0.27 30.59, its tensors are 30.52.
    """
    if size >= _LARGE and not is_expandable:
        rounded = -(-size // _STEP) * _STEP
        is_whole = release >= (0, 21) and size >= _NEVER_SPLIT
        if is_whole or rounded - size <= _UNSPLIT:
            return rounded
    return -(-size // _SMALLEST) * _SMALLEST


def has_expandable_segments(environment: Iterable[tuple[str, str]]) -> bool:
    """Return whether torch was told to grow its blocks, which leaves no rests."""
    return any(name in _SETTINGS and "expandable_segments:true" in value.lower() for name, value in environment)
