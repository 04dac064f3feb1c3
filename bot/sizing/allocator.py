"""What torch's allocator counts for a tensor."""

from __future__ import annotations

from bot.sizing.eras import Release

_STEP = 2 << 20
_LARGE = 10 << 20
_UNSPLIT = 1 << 20
_SMALLEST = 512


def counted(size: int, release: Release) -> int:
    """Return the bytes that "Model loading took" counts for a tensor of `size` bytes.

    The caching allocator cuts large blocks at 2 MiB and leaves a rest of up to 1 MiB uncut; smaller tensors
    are rounded to 512 bytes. From 0.22 the sum of the tensors themselves is closer.

    Source: torch `CUDACachingAllocator.cpp`, should_split; through 0.21 confirmed by 39 start-up logs.
    """
    if release >= (0, 22) or size == 0:
        return size
    if size >= _LARGE:
        rounded = -(-size // _STEP) * _STEP
        return rounded if rounded - size <= _UNSPLIT else size
    return -(-size // _SMALLEST) * _SMALLEST
