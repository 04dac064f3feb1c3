"""What a model is served for: to embed or to score where flags say so, in whole prompts where it reads both ways."""

from __future__ import annotations

from collections.abc import Iterator

from bot.deployment import Deployment

_READS_FOR = {
    "--task": frozenset({"embed", "embedding", "classify", "score", "reward"}),
    "--runner": frozenset({"pooling"}),
    "--convert": frozenset({"embed", "classify", "reward"}),
}


def as_served(deployment: Deployment) -> Deployment:
    """Return the deployment with its model as it is served: to embed or score it needs no output matrix.

    Prompts that are read both ways, or with an encoder, cannot be cut, though a flag asks for it: up to 0.11 it is
    turned off, later the results are wrong, of which vLLM warns.

    Source: vLLM 0.11 `model_executor/models/adapters.py`, _create_pooling_model_cls; `config/vllm.py`,
    disable_chunked_prefill_reasons; 0.12 `engine/arg_utils.py`, _set_default_chunked_prefill_and_prefix_caching_args.
    """
    shape = deployment.shape
    if shape is not None and deployment.chunked_prefill and (shape.reads_both_ways or shape.hears_an_encoder):
        deployment = deployment.with_(chunked_prefill=None)
    if shape is None or not shape.wiring.has_lm_head or not any(_reads(deployment.other_arguments)):
        return deployment
    reading = shape.wiring.model_copy(update={"has_lm_head": False})
    return deployment.with_(shape=shape.model_copy(update={"wiring": reading}))


def _reads(arguments: tuple[str, ...]) -> Iterator[bool]:
    for place, word in enumerate(arguments):
        name, _, value = word.partition("=")
        value = value or next(iter(arguments[place + 1 : place + 2]), "")
        yield value in _READS_FOR.get(name, ())
