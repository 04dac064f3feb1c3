"""What a release cannot run: a model's architecture that it does not list, a card that it has no code for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from packaging.version import Version

from bot.catalog.architectures import Listed, listed
from bot.deployment import Deployment, Gpu
from bot.model_shape import LayerKind, ModelShape
from bot.sizing.eras import Release, release_of
from bot.sizing.kv_cache.states import LINEAR_KINDS
from bot.sizing.terms import Refusal

# The release whose registry first has a class of Transformers' own code. Source: `model_executor/models/registry.py`.
_BY_TRANSFORMERS: Release = (0, 7, 2)
_IMAGES_BY_TRANSFORMERS: Release = (0, 10)
_EXPERTS_BY_TRANSFORMERS: Release = (0, 11, 1)
_NEVER_BY_TRANSFORMERS = LINEAR_KINDS | {LayerKind.CROSS}


class Build(NamedTuple):
    """The releases whose wheels and images have code for a generation of cards."""

    least: float  # compute capability, up to the next row's
    since: Version | None = None
    until: Version | None = None
    why: str = ""


# Source: release notes of vLLM 0.9.0 (CUDA 12.8) and 0.20.0 (CUDA 13.0, torch 2.11, which begins at compute capability 7.5).
_BUILDS = (
    Build(12.0, since=Version("0.9.0"), why="it needs CUDA 12.8"),
    Build(11.0, since=Version("0.20.0"), why="it needs CUDA 13"),
    Build(10.0, since=Version("0.9.0"), why="it needs CUDA 12.8"),
    Build(7.5),
    Build(7.0, until=Version("0.19.1"), why="CUDA 13 and torch 2.11 dropped it"),
)


def refuse(deployment: Deployment) -> Iterator[Refusal]:
    """Yield what the stated version has no code for."""
    version = deployment.vllm_version
    if version is None:
        return
    if deployment.card is not None and (build := _build(deployment.card)) and not _has_code(build, version):
        yield Refusal(name="gpu", message=_say_build(build, deployment.card, version), problem="no-kernel-image")
    if (lacking := _lacking(deployment.shape, version)) and not _falls_back(deployment.shape, release_of(version)):
        yield Refusal(name="model", message=lacking, problem="model-arch-unsupported")


def doubts(deployment: Deployment) -> Iterator[str]:
    """Yield what a version may be able to run, by Transformers' own code."""
    version = deployment.vllm_version
    lacking = _lacking(deployment.shape, version) if version is not None else ""
    if lacking and version is not None and _falls_back(deployment.shape, release_of(version)):
        yield f"{lacking}. It runs, if at all, by Transformers' own code, and may take more memory than this budget says."


def last_release(deployment: Deployment) -> Version | None:
    """Return the last release that has code for card and model, None where the latest has."""
    build = _build(deployment.card) if deployment.card else None
    known = listed(deployment.shape.architecture) if deployment.shape else None
    ends = [found.until for found in (build, known) if found is not None and found.until is not None]
    return min(ends, default=None)


def _build(card: Gpu) -> Build | None:
    capability = card.compute_capability
    if card.vendor != "nvidia" or capability is None:
        return None
    return next((build for build in _BUILDS if capability >= build.least), None)


def _has_code(build: Build, version: Version) -> bool:
    """Return whether a build has code for such cards; one that names its CUDA (0.8.5+cu128) is no wheel of that release."""
    release = release_of(version)
    if build.until is not None and release > release_of(build.until):
        return False
    is_other = (version.local or "").startswith("cu")
    return is_other or build.since is None or release >= release_of(build.since)


def _say_build(build: Build, card: Gpu, version: Version) -> str:
    span = f"since {build.since}" if build.since else f"up to {build.until}"
    return (
        f"vLLM's wheels and images have code for {card.name} {span}: {build.why}. With {version} it runs only in a build "
        "of your own"
    )


def _lacking(shape: ModelShape | None, version: Version) -> str:
    """Return what to say of an architecture that a version does not list; nothing of one that no release lists."""
    known = listed(shape.architecture) if shape else None
    if shape is None or known is None or _lists(known, release_of(version)):
        return ""
    when = f"it came with {known.since}"
    if known.until is not None and version > known.until:
        when = f"{known.until} was the last with it"
    return f"vLLM {version} does not list {shape.architecture}; {when}"


def _lists(known: Listed, release: Release) -> bool:
    is_late = known.since is None or release >= release_of(known.since)
    return is_late and (known.until is None or release <= release_of(known.until))


def _falls_back(shape: ModelShape | None, release: Release) -> bool:
    """Return whether a release would try Transformers' own code, which keeps keys and values of the text alone."""
    if (
        shape is None
        or release < _BY_TRANSFORMERS
        or any(layer.kind in _NEVER_BY_TRANSFORMERS for layer in shape.kinds)
    ):
        return False
    if shape.moe is not None or not shape.wiring.has_lm_head:
        return release >= _EXPERTS_BY_TRANSFORMERS
    return shape.vision is None or release >= _IMAGES_BY_TRANSFORMERS
