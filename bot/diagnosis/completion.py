"""What the evidence tells of a deployment beyond what was read into its fields."""

from __future__ import annotations

from typing import Any

from bot.deployment import Deployment
from bot.evidence import Evidence

_NO_DEVICE = frozenset({"", "-1", "none", "void", "all"})


def with_evidence(deployment: Deployment, evidence: Evidence) -> Deployment:
    """Return the deployment with the facts that only wordings captured, and the number of GPUs it is let see."""
    missing: dict[str, Any] = {
        name: fact.value
        for name, fact in evidence.facts.items()
        if name in Deployment.model_fields and getattr(deployment, name) is None
    }
    if deployment.gpu_count is None and "gpu_count" not in missing:
        missing["gpu_count"] = visible_devices(deployment)
    known = {name: value for name, value in missing.items() if value is not None}
    return deployment.with_(**known) if known else deployment


def visible_devices(deployment: Deployment) -> int | None:
    """Return how many GPUs CUDA_VISIBLE_DEVICES names; None where it is not set or names none.

    >>> visible_devices(Deployment(environment=(("CUDA_VISIBLE_DEVICES", "0,1"),)))
    2
    """
    named = dict(deployment.environment).get("CUDA_VISIBLE_DEVICES")
    if named is None or named.strip().lower() in _NO_DEVICE:
        return None
    return len([device for device in named.split(",") if device.strip()]) or None
