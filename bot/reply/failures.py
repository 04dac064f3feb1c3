"""What a check that fails at start comes to, in as few words as a line or a table has room for."""

from __future__ import annotations

from bot.sizing.terms import Budget

# By the problem that a check leads to.
_FAILURES = {
    "free-memory-below-utilization": "less is free than the share asks for",
    "weights-too-big-for-gpu": "the weights are larger than the card",
    "oom-profile-run": "out of memory while profiling",
    "oom-multimodal": "out of memory while profiling images",
    "kv-cache-no-memory": "nothing is left for the KV cache",
    "kv-cache-too-small-for-max-len": "one request of that length does not fit",
    "kv-cache-set-too-large": "a KV cache of that size does not fit",
    "oom-cuda-graph-capture": "out of memory while capturing graphs",
    "oom-sampler-warmup": "out of memory while warming up",
}


def say_failure(problem: str | None) -> str | None:
    """Say the failure that a problem is, or None for what no check at start leads to.

    >>> say_failure("kv-cache-no-memory")
    'nothing is left for the KV cache'
    """
    return _FAILURES.get(problem or "")


def say_instead(message: str, budget: Budget | None) -> str:
    """Return a reason as it is; where it is no more than the message of the check that fails, its few words."""
    failed = budget.failed_check if budget else None
    return (say_failure(failed.problem) if failed and failed.message == message else None) or message
