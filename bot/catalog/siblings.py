"""Checkpoints of one model: the same name but for what its end tells of the weights."""

from __future__ import annotations

from functools import lru_cache

from bot.catalog.index import Head, index, likely
from bot.catalog.names import tokens_of
from bot.catalog.rows import read_row
from bot.catalog.suffixes import strip
from bot.model_shape import ModelShape


@lru_cache(maxsize=1024)
def quantized_siblings(name: str) -> tuple[ModelShape, ...]:
    """Return the quantized checkpoints of the model of that full name, most downloaded first.

    A sibling has the same name up to its ending, and the same layers and heads: a tuned model is none.
    """
    known = index().by_name.get(name.lower())
    if known is None:
        return ()
    wanted, shape = _words(known.base), read_row(known.row())
    heads = [head for head in likely(wanted) if head is not known and _words(head.base) == wanted]
    return tuple(found for head in heads if _is_quantized(found := read_row(head.row()), shape, head))


@lru_cache(maxsize=1024)
def gguf_repository(name: str) -> str | None:
    """Return the most downloaded repository with GGUF files of the model of that full name."""
    known = index().by_name.get(name.lower())
    if known is None:
        return None
    wanted = _words(known.base)
    return next((head.id for head in likely(wanted) if "gguf" in head.base and _words(head.base) == wanted), None)


def _words(base: str) -> frozenset[str]:
    return frozenset(tokens_of(strip(base).base))


def _is_quantized(found: ModelShape, shape: ModelShape, head: Head) -> bool:
    same = (found.layers, found.hidden, found.heads, found.kv_heads) == (
        shape.layers,
        shape.hidden,
        shape.heads,
        shape.kv_heads,
    )
    return same and found.quantization is not None and "gguf" not in head.base and found.quantization.method != "gguf"
