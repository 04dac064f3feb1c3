"""Which modules of a quantized checkpoint stay in 16 bits, or are stored in another way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple

_LAYERED = re.compile(r"\A.*?\b(?:layers|blocks|h)\.\{(?P<numbers>[^}]*)\}\.?(?P<rest>.*)\Z")
# Names that tell of no layer of the text.
_BESIDE = re.compile(r"\A(?:re:)?(?:model\.)?(?:visual|vision|audio|speech|mtp)")
_ANY_LAYER = re.compile(r"\A.*?\b(?:layers|blocks|h)\.(?:\*|N)\.(?P<rest>.*)\Z")
# One name a part, whatever a family calls it.
_ALIKE = (
    (r"\b(?:block_sparse_moe|feed_forward|ffn)\b", "mlp"),
    (r"\bmixer\.(?=[qkvo]_proj)", "self_attn."),
    (r"\bmixer\.(?=(?:in_proj|out_proj|conv1d))", "linear_attn."),
    (r"\bmixer\b", "mlp"),
    (r"\b(?:attn|attention)\b", "self_attn"),
    (r"\bshared_expert(?:s|_(?!gate))?(?=\.|\*|\Z|_)", "shared_experts"),
    (r"(?<!shared_)\bexperts\.(?:\d+\.)?(?:w[13]|gate_proj|up_proj)(?=\Z|\.|\*)", "experts.gate_up_proj"),
    (r"(?<!shared_)\bexperts\.(?:\d+\.)?w2(?=\Z|\.|\*)", "experts.down_proj"),
)


class Pattern(NamedTuple):
    """A name of the checkpoint's list: the layers it is about (None: all) and the rest of the name."""

    layers: frozenset[int] | None
    rest: str
    is_regex: bool


def matches(patterns: Sequence[str], layer: int | None, modules: Sequence[str]) -> bool:
    """Return whether a list of names covers a (fused) module of a layer.

    >>> matches(("model.layers.{0-3}.self_attn*",), 2, ("self_attn.q_proj", "self_attn.k_proj"))
    True
    """
    return any(_covers(_parse(pattern), layer, module) for pattern in patterns for module in modules)


def layers_named(patterns: Sequence[str]) -> tuple[frozenset[int], ...]:
    """Return the sets of layers that a list singles out."""
    found = {_parse(pattern).layers for pattern in patterns}
    return tuple(numbers for numbers in found if numbers)


@lru_cache(maxsize=4096)
def _parse(pattern: str) -> Pattern:
    if _BESIDE.match(pattern):
        return Pattern(frozenset(), "", is_regex=False)
    if pattern.startswith("re:"):
        return Pattern(None, pattern[3:], is_regex=True)
    if found := _LAYERED.match(pattern):
        return Pattern(_numbers(found["numbers"]), _plain(found["rest"]), is_regex=False)
    if found := _ANY_LAYER.match(pattern):
        return Pattern(None, _plain(found["rest"]), is_regex=False)
    return Pattern(None, _plain(pattern), is_regex=False)


def _plain(name: str) -> str:
    for pattern, put in _ALIKE:
        name = re.sub(pattern, put, name)  # compiled once: few checkpoints say what is left out
    return name


def _numbers(text: str) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


@lru_cache(maxsize=65536)
def _covers(pattern: Pattern, layer: int | None, module: str) -> bool:
    if pattern.layers is not None and layer not in pattern.layers:
        return False
    if pattern.is_regex:
        return _matches_regex(pattern.rest, module)
    rest = pattern.rest
    if pattern.layers is not None and rest in {"", "*", ".*"}:
        return True
    if "*" in rest:
        return fnmatchcase(module, rest) or fnmatchcase(f".{module}", rest)
    return module == rest or module.startswith(f"{rest}.") or module.endswith(f".{rest}")


def _matches_regex(text: str, module: str) -> bool:
    try:
        found = re.match(text, f"model.layers.0.{module}" if "." in module else module)
    except re.error:
        return False
    return found is not None
