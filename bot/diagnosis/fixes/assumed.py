"""What sizing takes for granted and vLLM would not do by itself: a command must say it, or it cannot be."""

from __future__ import annotations

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
    served = deployment.with_(launcher=deployment.launcher or "serve")
    by_default = with_defaults(served)[0]
    for name in (assumption.name for assumption in assumptions):
        value = getattr(sized, name)
        if value != getattr(by_default, name):  # what follows from it is then vLLM's own again
            deployment, served = deployment.with_(**{name: value}), served.with_(**{name: value})
            by_default = with_defaults(served)[0]
    return deployment


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
