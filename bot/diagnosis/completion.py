"""What the evidence tells of a deployment beyond what was read into its fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from packaging.version import Version

from bot.deployment import Deployment
from bot.evidence import Evidence
from bot.reading.logs.engine_config import ARGUMENT_LIST, CUT_LIST, breaks_off

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
    if deployment.vllm_version is None and "vllm_version" not in missing:
        missing["vllm_version"] = release_in(evidence)
    known = {name: value for name, value in missing.items() if value is not None}
    return deployment.with_(**known) if known else deployment


def lists_its_flags(deployment: Deployment, evidence: Evidence) -> bool:
    """Return whether every flag is known, by the command or by vLLM's own list: what is not among them has its default."""
    return deployment.launcher is not None or ARGUMENT_LIST in evidence.kinds


def hides_flags(deployment: Deployment, evidence: Evidence) -> bool:
    """Return whether flags are missing for certain: vLLM's list of them breaks off, and no command shows them."""
    return CUT_LIST in evidence.kinds and not lists_its_flags(deployment, evidence)


def say_cut_list(deployment: Deployment, evidence: Evidence) -> Iterator[str]:
    """Yield what a list that breaks off leaves open."""
    cut = next((line.number for line in evidence.lines if breaks_off(line.text)), None)
    if cut is not None and hides_flags(deployment, evidence):
        yield f"The list of arguments in line {cut} breaks off; what it does not show counts here as by default."


def release_in(evidence: Evidence) -> Version | None:
    """Return the release that a log's own lines leave, where nobody tells one; None where they leave several.

    A release and what was published after it to mend its packaging are one: 0.8.5 and 0.8.5.post1.
    """
    since, until = evidence.value("version_since"), evidence.value("version_until")
    if evidence.value("vllm_version") is not None or since is None or until is None:
        return None
    return since if since.release[:3] == until.release[:3] else None


def say_release(evidence: Evidence) -> Iterator[str]:
    """Yield by what a release is known that nobody told."""
    release, last = release_in(evidence), evidence.facts.get("version_until")
    if release is not None and last is not None and last.line is not None:
        yield f"That it is vLLM {release} is told by line {last.line}: no other release prints it so."


def visible_devices(deployment: Deployment) -> int | None:
    """Return how many GPUs CUDA_VISIBLE_DEVICES names; None where it is not set or names none.

    >>> visible_devices(Deployment(environment=(("CUDA_VISIBLE_DEVICES", "0,1"),)))
    2
    """
    named = dict(deployment.environment).get("CUDA_VISIBLE_DEVICES")
    if named is None or named.strip().lower() in _NO_DEVICE:
        return None
    return len([device for device in named.split(",") if device.strip()]) or None
