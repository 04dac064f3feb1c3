"""What torch's allocator counts for a tensor."""

from __future__ import annotations

from collections.abc import Iterable

from bot.sizing.eras import Release
from bot.sizing.weights.tensors import rounded_up

_STEP = 2 << 20
_LARGE = 10 << 20
_UNSPLIT = 1 << 20
_SMALLEST = 512
NEVER_SPLIT = 20 << 20  # max_split_size_mb while weights load, from 0.21
_SETTINGS = frozenset({"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF"})


def counted(sizes: Iterable[int], release: Release, *, is_expandable: bool = False) -> int:
    """Return the bytes that "Model loading took" counts for tensors of these sizes.

    The caching allocator asks for large blocks in steps of 2 MiB and leaves a rest of up to 1 MiB uncut; smaller tensors
    are rounded to 512 bytes. Expandable segments are cut anywhere. From 0.21 this is the sum of the tensors themselves,
    as vLLM's model classes say it, and `rests_of` says what the allocator holds beside them.

    Source: torch `CUDACachingAllocator.cpp`, should_split; through 0.20 confirmed by 39 start-up logs.
    """
    if release >= (0, 21):
        return sum(sizes)
    return sum(_block(size, is_expandable=is_expandable) for size in sizes if size)


def _block(size: int, *, is_expandable: bool) -> int:
    if size >= _LARGE and not is_expandable:
        rounded = rounded_up(size, _STEP)
        return rounded if rounded - size <= _UNSPLIT else size
    return rounded_up(size, _SMALLEST)


def rests_of(sizes: Iterable[int], release: Release, *, is_expandable: bool = False) -> int:
    """Return the bytes that loading holds beside tensors: from 0.21 blocks of 20 MiB and more are never cut.

    Source: vLLM 0.21 `v1/worker/gpu_worker.py`, load_model sets max_split_size_mb to 20. With the tensors the rests are
    what ten logs of 16-bit models print since, within 0.011 GiB: Qwen2.5-7B with 0.22 14.29 GiB, its tensors are 14.19.
    """
    if release < (0, 21) or is_expandable:
        return 0
    large = ((size, -size % _STEP) for size in sizes if size >= _LARGE)
    return sum(rest for size, rest in large if size >= NEVER_SPLIT or rest <= _UNSPLIT)


def has_expandable_segments(environment: Iterable[tuple[str, str]]) -> bool:
    """Return whether torch was told to grow its blocks, which leaves no rests."""
    return any(name in _SETTINGS and "expandable_segments:true" in value.lower() for name, value in environment)
