"""Why a deployment cannot run, or cannot be sized: said before any budget is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.deployment import Deployment
from bot.sizing.checks import layout, numbers, support
from bot.sizing.terms import Refusal

_CHECKS: tuple[Callable[[Deployment], Iterator[Refusal]], ...] = (
    numbers.refuse,
    layout.refuse,
    support.refuse,
)


def refuse(deployment: Deployment) -> tuple[Refusal, ...]:
    """Return one refusal for each fact that vLLM would not accept; none means that it can be sized.

    Nothing is assumed: a fact that nobody stated is no reason to refuse.
    """
    return tuple(refusal for check in _CHECKS for refusal in check(deployment))
