"""DeepSeek V4's cache: a window for every layer, folded tokens, an index, and the folding's own states."""

from __future__ import annotations

from typing import NamedTuple

from bot.model_shape import LayerKind
from bot.sizing.each_kind import counts
from bot.sizing.kv_cache.per_layer import Spec
from bot.sizing.kv_cache.pool import Group, Pool
from bot.sizing.resolved import Resolved
from bot.sizing.weights.tensors import rounded_up

ALIGNMENT = 576  # bytes that every page is rounded up to, for FlashMLA's layout
TOKEN_BYTES = 584  # 448 fp8 + 64 rotary elements of 2 + 8 of scales
INDEX_BYTES = 132
FULL_BLOCK, WINDOW_BLOCK = 256, 64
CLOSE, FAR = 4, 128  # tokens that one entry stands for


class Page(NamedTuple):
    """The bytes of one block in one layer, by what it holds."""

    window: int
    close: int
    keys: int  # the index
    far: int


def applies(run: Resolved) -> bool:
    """Return whether this model folds tokens as DeepSeek V4 does."""
    return run.shape.model_type == "deepseek_v4" and any(layer.compression for layer in run.shape.kinds)


def pages() -> Page:
    """Return the page sizes of the fp8 layout; a folded layer's block of 256 tokens holds 64 or 2 entries."""
    return Page(
        window=_aligned(WINDOW_BLOCK * TOKEN_BYTES),
        close=_aligned(FULL_BLOCK // CLOSE * TOKEN_BYTES),
        keys=_aligned(FULL_BLOCK // CLOSE * INDEX_BYTES),
        far=_aligned(FULL_BLOCK // FAR * TOKEN_BYTES),
    )


def pool(run: Resolved) -> Pool:
    """Return the pool: one group of folded tokens, the windows of all layers, and two of folding states.

    States keep 4 or 8 tokens a block and slide over 8 or 128 tokens, but are charged for every token in flight,
    which is why a large batch takes so much of this model's cache.

    Source: vLLM 0.27 `models/deepseek_v4/compressor.py` and `v1/kv_cache_interface.py`; three start-up logs agree
    to the token.
    """
    layers, close, far = run.shape.layers, _count(run, CLOSE), _count(run, FAR)
    window_groups = max(1, round(layers / max(1, close)))
    tuples = max(close, -(-layers // window_groups))
    page = pages()
    allocated = (close * (page.close + page.keys) + far * page.far) // run.pipeline_parallel
    checked = tuples * (page.close + page.keys + page.far) // run.pipeline_parallel
    groups = (
        Group(Spec(LayerKind.FULL.value, page.close // FULL_BLOCK), FULL_BLOCK, tuples),
        *[Group(_window(page.window // WINDOW_BLOCK, 128), WINDOW_BLOCK, tuples)] * window_groups,
        Group(_window(page.close // 4, 2 * CLOSE), 4, close),
        Group(_window(page.close // 8, FAR), 8, far),
    )
    stages = (allocated,) * run.pipeline_parallel
    return Pool(groups, allocated, min(4, FULL_BLOCK), groups, checked, stages, checked_bytes=checked)


def _window(token_bytes: int, window: int) -> Spec:
    return Spec(LayerKind.SLIDING.value, token_bytes, window=window)


def _count(run: Resolved, compression: int) -> int:
    return sum(count for layer, count in counts(run.shape.runs) if layer.compression == compression)


def _aligned(size: int) -> int:
    return rounded_up(size, ALIGNMENT)
