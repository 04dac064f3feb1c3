"""Why a deployment cannot run, or cannot be sized: said before any budget is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.deployment import Deployment
from bot.sizing.checks import batches, compiling, layout, methods, numbers, releases, support
from bot.sizing.eras import is_untagged
from bot.sizing.terms import Refusal

_CHECKS: tuple[Callable[[Deployment], Iterator[Refusal]], ...] = (
    numbers.refuse,
    compiling.refuse,
    layout.refuse,
    support.refuse,
)
_BEFORE_LOADING = (batches.refuse, releases.refuse, methods.refuse)


def refuse(deployment: Deployment, *, is_loaded: bool = False) -> tuple[Refusal, ...]:
    """Return one refusal for each fact that vLLM would not accept; none means that it can be sized.

    Nothing is assumed: a fact that nobody stated is no reason to refuse.

    Args:
        deployment: As far as it is known.
        is_loaded: A log shows that the weights were loaded: whatever build it is, it takes card, model, method and batch.
    """
    if deployment.vllm_version is not None and is_untagged(deployment.vllm_version):
        deployment = deployment.with_(vllm_version=None)
    checks = _CHECKS if is_loaded else _CHECKS + _BEFORE_LOADING
    return tuple(refusal for check in checks for refusal in check(deployment))
