"""Which model drafts for speculative decoding."""

from __future__ import annotations

from collections.abc import Callable

from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.model_shape import ModelShape


def with_draft(
    deployment: Deployment, look_up: Callable[[str], ModelShape | str | None] | None = None
) -> tuple[Deployment, str | None]:
    """Return the deployment with the shape of its draft model, or with a sentence why there is none.

    Only a whole model is looked for: a head of a model goes by that model's own sizes.
    """
    speculation = deployment.speculation
    name = speculation.model if speculation else None
    if speculation is None or speculation.shape or not name or speculation.kind != "draft_model":
        return deployment, None
    found = find_model(name).shape or (look_up(name) if look_up else None)
    if isinstance(found, ModelShape):
        return deployment.with_(speculation=speculation.model_copy(update={"shape": found})), None
    return deployment, (
        f"I do not know the draft model {name!r}: its weights and KV cache are missing from the budget. Which model that I "
        "know has its size? Say it in its place."
    )
