"""Which quantized checkpoint of the same model the catalogue knows."""

from __future__ import annotations

from collections.abc import Callable

from bot.deployment import Deployment

SUFFIXES = ("-FP8", "-AWQ", "-GPTQ-Int4", "-FP8-dynamic", "-quantized.w4a16", "-AWQ-INT4")
"""How publishers name a quantized sibling, in the order we would choose: quality first, then size."""


def find_quantized(deployment: Deployment) -> str | None:
    """Return the name of a quantized sibling of the deployment's model, or None."""
    shape = deployment.shape
    if shape is None or shape.quantization or deployment.quantization:
        return None
    from bot.catalog.models import find_model  # noqa: PLC0415  # loads the catalogue, which most cases do without

    names: Callable[[str], str] = lambda suffix: f"{shape.name}{suffix}"  # noqa: E731
    for suffix in SUFFIXES:
        found = find_model(names(suffix))
        if found.shape and found.shape.quantization and found.shape.heads == shape.heads:
            return found.shape.name
    return None
