"""A model that writes, served to embed or to score."""

from __future__ import annotations

from collections.abc import Iterator

from bot.deployment import Deployment

_READS_FOR = {
    "--task": frozenset({"embed", "embedding", "classify", "score", "reward"}),
    "--runner": frozenset({"pooling"}),
    "--convert": frozenset({"embed", "classify", "reward"}),
}


def as_served(deployment: Deployment) -> Deployment:
    """Return the deployment with its model as its flags have it served: to embed or score it needs no output matrix.

    Source: vLLM 0.11 `model_executor/models/adapters.py`, _create_pooling_model_cls.
    """
    shape = deployment.shape
    if shape is None or not shape.wiring.has_lm_head or not any(_reads(deployment.other_arguments)):
        return deployment
    reading = shape.wiring.model_copy(update={"has_lm_head": False})
    return deployment.with_(shape=shape.model_copy(update={"wiring": reading}))


def _reads(arguments: tuple[str, ...]) -> Iterator[bool]:
    for place, word in enumerate(arguments):
        name, _, value = word.partition("=")
        value = value or next(iter(arguments[place + 1 : place + 2]), "")
        yield value in _READS_FOR.get(name, ())
