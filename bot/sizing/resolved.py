"""A deployment whose every setting is known, as plain numbers for the formulas."""

from __future__ import annotations

from typing import NamedTuple

from bot.deployment import Deployment, Gpu
from bot.model_shape import ModelShape
from bot.sizing.eras import Era, Release, era_of, release_of
from bot.sizing.kv_dtypes import Kernel, stored, width


class UnknownFactsError(ValueError):
    """Sizing cannot go on: these facts are missing."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        super().__init__(f"cannot size without {', '.join(names)}; state them or paste the start-up log")


class Resolved(NamedTuple):
    """What every term is computed from; sizes in elements, tokens or GPUs."""

    deployment: Deployment
    shape: ModelShape
    card: Gpu | None
    release: Release
    era: Era
    assumed: frozenset[str]  # settings that nobody stated
    environment: dict[str, str]
    tensor_parallel: int
    pipeline_parallel: int
    data_parallel: int
    expert_parallel: bool
    context_parallel: int
    utilization: float
    max_model_len: int
    max_num_seqs: int
    max_num_batched_tokens: int
    model_width: int  # bytes of an element of the model's dtype
    kv_dtype: str

    @property
    def version_is_stated(self) -> bool:
        """Whether the version was stated, and so which constants hold."""
        return "vllm_version" not in self.assumed

    @property
    def version_is_todays(self) -> bool:
        """Whether the version was assumed without a hint: who plans takes the latest; an engine or a log is of any time."""
        told = self.deployment
        is_dated = told.version_since is not None or told.version_until is not None
        return not self.version_is_stated and "engine" in self.assumed and not is_dated

    def may_be_from(self, release: Release) -> bool:
        """Return whether the version may be that release or a later one, as far as it was stated or a log dates it."""
        until = self.deployment.version_until
        if self.version_is_stated:
            return self.release >= release
        return self.release >= release or until is None or release_of(until) >= release

    def may_be_before(self, release: Release) -> bool:
        """Return whether the version may be earlier than that release."""
        since = self.deployment.version_since
        if self.version_is_stated:
            return self.release < release
        return self.release < release or since is None or release_of(since) < release

    @property
    def is_v0(self) -> bool:
        """Whether the old engine runs."""
        return self.era.engine == "V0"

    @property
    def spec_tokens(self) -> int:
        """Speculative tokens a step."""
        speculation = self.deployment.speculation
        return (speculation.tokens or 0) if speculation else 0


def resolve(deployment: Deployment, assumed: frozenset[str] = frozenset()) -> Resolved:
    """Return the plain numbers of a deployment that went through `with_defaults`.

    Raises:
        UnknownFactsError: The model's shape is unknown.
    """
    shape, version = deployment.shape, deployment.vllm_version
    if shape is None or version is None:
        raise UnknownFactsError(("model",))
    release, layout = release_of(version), _layout(deployment)
    kernel = Kernel(deployment.card, shape.heads // layout["tensor_parallel"], deployment.attention_backend)
    return Resolved(
        deployment=deployment,
        shape=shape,
        card=deployment.card,
        release=release,
        era=era_of(release, deployment.engine),
        assumed=assumed,
        environment=dict(deployment.environment),
        **layout,
        expert_parallel=bool(deployment.expert_parallel),
        utilization=deployment.gpu_memory_utilization or 0.9,
        **_limits(deployment),
        model_width=width(deployment.dtype),
        kv_dtype=stored(deployment.kv_cache_dtype, shape, release, kernel),
    )


def _layout(deployment: Deployment) -> dict[str, int]:
    """Return over how many GPUs each thing is cut."""
    return {
        "tensor_parallel": max(1, deployment.tensor_parallel or 1),
        "pipeline_parallel": max(1, deployment.pipeline_parallel or 1),
        "data_parallel": max(1, deployment.data_parallel or 1),
        "context_parallel": max(1, deployment.decode_context_parallel or 1),
    }


def _limits(deployment: Deployment) -> dict[str, int]:
    """Return how much one batch and one request may hold; each sequence of a batch has a token at least."""
    tokens = max(1, deployment.max_num_batched_tokens or 2048)
    return {
        "max_model_len": max(1, deployment.max_model_len or 2048),
        "max_num_seqs": max(1, min(deployment.max_num_seqs or 256, tokens)),
        "max_num_batched_tokens": tokens,
    }
