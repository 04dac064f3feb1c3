"""Which values a fact that nobody stated may have beside its default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from bot.catalog.gpu_rows import cards
from bot.deployment import Deployment, Gpu, Speculation
from bot.diagnosis.fitting import Fitting
from bot.sizing.checks.layout import takes
from bot.sizing.eras import Release, release_of

Rivals: TypeAlias = Mapping[str, tuple[Any, ...]]
"""Values by the field of the deployment."""

_MOST_GPUS = 16  # that a model is laid over where nobody tells how many there are
_MOST_DRAFTED = 5
_ALIKE = 0.12  # cards whose memory differs by less are one for all that is printed

# Source: `CacheDType` in vLLM `config/cache.py` of 0.11.0 to 0.33.0; other names of fp8 take as much.
_KV_DTYPES: tuple[tuple[Release, tuple[str, ...]], ...] = (
    ((0, 3), ("fp8",)),
    ((0, 20), ("int8_per_token_head", "fp8_per_token_head", "nvfp4", "turboquant_k8v4", "turboquant_4bit_nc",
               "turboquant_k3v4_nc", "turboquant_3bit_nc")),
    ((0, 28), ("int4_per_token_head",)),
)  # fmt: skip


class Told(NamedTuple):
    """A deployment as it was told, the same with vLLM's defaults, and whether every flag is known: the others are at theirs."""

    stated: Deployment
    filled: Deployment
    tells_flags: bool


def rivals(told: Told, fitting: Fitting, least: int, names: Sequence[str]) -> Rivals:
    """Return what may be otherwise than by default, as far as the printed figures can tell.

    Args:
        told: What is known.
        fitting: What a log printed.
        least: GPUs of a replica that the names of its processes prove.
        names: Cards that the name of the card may mean.
    """
    found: dict[str, tuple[Any, ...]] = {}
    stated, filled, tells_flags = told
    if stated.tensor_parallel is None and (not tells_flags or least > (filled.tensor_parallel or 1)):
        sizes = (gpus for gpus in layouts(filled) if gpus >= least and gpus != filled.tensor_parallel)
        found["tensor_parallel"] = tuple(sizes)
    if fitting.figures.kv_available is not None:
        found["card"] = tuple(_cards(filled.card, names))
    if fitting.tells_tokens and not tells_flags:
        found |= _of_tokens(filled, stated)
    if fitting.figures.weights is not None and not tells_flags and _is_plain(stated):
        found["quantization"] = ("fp8",)
    return found


def _is_plain(stated: Deployment) -> bool:
    """Return whether weights in 16 bits may have been quantized as they were loaded."""
    return stated.quantization is None and stated.shape is not None and stated.shape.quantization is None


def layouts(filled: Deployment) -> Iterator[int]:
    """Yield the tensor parallel sizes that the model and the GPUs allow."""
    shape, others = filled.shape, (filled.pipeline_parallel or 1) * (filled.data_parallel or 1)
    if shape is None:
        return
    most = filled.gpu_count // others if filled.gpu_count else _MOST_GPUS
    sizes = range(1, min(most, shape.heads) + 1)
    usual = sizes if filled.gpu_count else (1 << power for power in range(most.bit_length()))
    yield from (gpus for gpus in usual if gpus in sizes and takes(shape, gpus))


def _of_tokens(filled: Deployment, stated: Deployment) -> dict[str, tuple[Any, ...]]:
    """Return what decides how much a token takes."""
    found: dict[str, tuple[Any, ...]] = {}
    version, shape = filled.vllm_version, filled.shape
    if stated.kv_cache_dtype is None and version is not None:
        release = release_of(version)
        known = (name for since, names in _KV_DTYPES if release >= since for name in names)
        found["kv_cache_dtype"] = tuple(name for name in known if name != filled.kv_cache_dtype)
    if stated.speculation is None and shape is not None and shape.mtp_layers:
        found["speculation"] = tuple(Speculation(method="mtp", tokens=count + 1) for count in range(_MOST_DRAFTED))
    return found


def _cards(usual: Gpu | None, names: Sequence[str]) -> Iterator[Gpu]:
    """Yield a card of each other memory that the name may mean."""
    taken = [usual.memory] if usual and usual.memory else []
    for card in (row.card for row in cards() if row.card.name in names and " MIG " not in row.card.name):
        memory = card.memory
        if memory and not any(abs(memory - other) <= _ALIKE * other for other in taken):
            taken.append(memory)
            yield card
