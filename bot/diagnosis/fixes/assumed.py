"""What sizing takes for granted and vLLM would not do by itself: a command must say it, or it cannot be."""

from __future__ import annotations

from collections.abc import Iterable

from bot.catalog.flags import Flags
from bot.deployment import Deployment
from bot.sizing.defaults import with_defaults


def spelt_out(deployment: Deployment) -> Deployment:
    """Return the deployment with every setting stated that was assumed otherwise than vLLM sets it by default.

    Two GPUs without a layout are sized as used together; started without --tensor-parallel-size, one would be used.

    Raises:
        ValueError: A setting is none that a deployment can have.
    """
    sized, assumptions = with_defaults(deployment)
    by_default, _ = with_defaults(deployment.with_(launcher=deployment.launcher or "serve"))
    names = [assumption.name for assumption in assumptions]
    return deployment.with_(
        **{name: getattr(sized, name) for name in names if getattr(sized, name) != getattr(by_default, name)}
    )


def untold(deployment: Deployment, told: Iterable[str]) -> tuple[str, ...]:
    """Return the stated settings that a command which tells these does not make, and vLLM does not by itself.

    A sentence around a command sets as much as the command does, and so does a log of its start.
    """
    missing = [name for name in _CAN_BE_TOLD if name not in told and getattr(deployment, name) is not None]
    bare = deployment.with_(**dict.fromkeys(missing))
    found: list[str] = []
    for name in missing:
        value = getattr(deployment, name)
        if value != getattr(with_defaults(bare)[0], name):  # what follows from it is then vLLM's own again
            bare = bare.with_(**{name: value})
            found.append(name)
    return tuple(found)


_CAN_BE_TOLD = (
    "tensor_parallel", "pipeline_parallel", "data_parallel", "expert_parallel", "decode_context_parallel",
    "gpu_memory_utilization", "max_model_len", "dtype", "kv_cache_dtype", "enforce_eager", "chunked_prefill",
    "prefix_caching", "max_num_batched_tokens", "max_num_seqs", "kv_cache_memory", "num_gpu_blocks_override", "speculation",
)  # fmt: skip
"""Settings that people say in words; what a log alone tells, as the block size, follows from them."""


def without_absent(deployment: Deployment, flags: Flags) -> Deployment:
    """Return the deployment without the settings that its version knows no way to make."""
    absent = absent_settings(deployment, flags)
    return deployment.with_(**dict.fromkeys(absent)) if absent else deployment


def absent_settings(deployment: Deployment, flags: Flags) -> tuple[str, ...]:
    """Return the stated settings that other versions have a flag or a variable for, and this one has not."""
    version = deployment.vllm_version
    if version is None:
        return ()
    known = {row.fact: None for row in flags.rows if row.fact and getattr(deployment, row.fact, None) is not None}
    return tuple(name for name in known if not (flags.for_fact(name, version) or flags.variable_for(name, version)))
