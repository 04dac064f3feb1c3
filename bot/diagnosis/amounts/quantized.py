"""Which quantized checkpoint of the same model the catalogue knows, for this card and version."""

from __future__ import annotations

from bot.deployment import Deployment
from bot.model_shape import ModelShape
from bot.sizing.checks.refusals import refuse
from bot.sizing.limits import starts
from bot.sizing.version_prior import likely_version

_ORDER = {"fp8": 0, "compressed-tensors": 1, "awq": 2, "gptq": 3, "modelopt": 4}
"""What we would choose first: the least loss, then what most versions and cards can do."""


def find_quantized(deployment: Deployment) -> str | None:
    """Return the quantized sibling that fits with the least loss, else the smallest; None where none is known.

    A sibling has the same base model, and a format that the card and the version can do. It has fewer bits than the
    checkpoint that is served, unless that one is in a format that they cannot do.
    """
    shape = deployment.shape
    if shape is None or deployment.quantization:
        return None
    from bot.catalog.siblings import quantized_siblings  # noqa: PLC0415  # loads the catalogue, which most do without

    capability = deployment.card.compute_capability if deployment.card else None
    has_fp4 = capability is not None and capability >= 10
    most = _bits(shape) if _is_able(deployment, shape) else 16.0
    smaller = (sibling for sibling in quantized_siblings(shape.name) if _bits(sibling) < most)
    able = [sibling for sibling in smaller if _is_able(deployment, sibling)]
    able.sort(key=lambda sibling: _loss(sibling, has_fp4))
    there = (with_model(deployment, sibling) for sibling in able)
    fitting = (each.shape for each in there if each.shape and not refuse(each) and starts(each))
    chosen = next(fitting, None) or min(able, key=_bits, default=None)
    return chosen.name if chosen else None


def with_model(deployment: Deployment, shape: ModelShape) -> Deployment:
    """Return the deployment with another checkpoint of its model."""
    return deployment.with_(model=shape.name, shape=shape)


def _is_able(deployment: Deployment, sibling: ModelShape) -> bool:
    version = deployment.vllm_version or likely_version(deployment)[0]
    there = with_model(deployment, sibling).with_(vllm_version=version, tensor_parallel=None)
    return not any(refusal.name == "quantization" for refusal in refuse(there))


def _bits(sibling: ModelShape) -> float:
    return (sibling.quantization.bits if sibling.quantization else None) or 16.0


def _loss(sibling: ModelShape, has_fp4: bool) -> tuple[float, int]:
    quantization = sibling.quantization
    method = quantization.method if quantization else ""
    is_fp4 = "fp4" in f"{method} {quantization.algorithm if quantization else ''}".lower()
    last = len(_ORDER) + 1  # cards before Blackwell only unpack FP4
    return -_bits(sibling), last if is_fp4 and not has_fp4 else _ORDER.get(method, len(_ORDER))
