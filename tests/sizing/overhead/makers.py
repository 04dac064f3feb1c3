"""A run of a deployment, and the shape of a dense model, made up."""

from bot.deployment import Deployment
from bot.model_shape import ModelShape
from bot.sizing.defaults import with_defaults
from bot.sizing.resolved import Resolved, resolve


def run(shape, card, **facts) -> Resolved:
    facts = {"vllm_version": "0.19.0", "max_num_seqs": 1024, "max_num_batched_tokens": 8192} | facts
    deployment, assumptions = with_defaults(Deployment(shape=shape, card=card, **facts))
    return resolve(deployment, frozenset(assumption.name for assumption in assumptions))


def dense(**sizes) -> ModelShape:
    usual = {"hidden": 4096, "vocab": 128_256, "intermediate": 14_336, "heads": 32, "kv_heads": 8, "head_dim": 128}
    return ModelShape(name="made up", runs=(), dtype="bfloat16", **(usual | sizes))
