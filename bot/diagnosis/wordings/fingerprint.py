"""One short word for what a case is about, so that equal cases count as one and new ones stand out."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from bot.catalog.problem import Cause, Problem
from bot.evidence import Evidence, Failure

# What differs between two reports of one error, in the order it is taken out.
_VOLATILE: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(r"https?://\S+", re.ASCII), "<url>"),
    (
        re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE),
        "<id>",
    ),  # UUIDs of GPUs and requests
    (re.compile(r"\b0x[0-9a-f]+\b|\b[0-9a-f]{16,}\b", re.IGNORECASE), "<address>"),  # pointers, hashes
    (re.compile(r"(?:[A-Za-z]:)?[/\\][\w.@+~-]+(?:[/\\][\w.@+~-]*)+"), "<path>"),
    (re.compile(r"'[^'\n]{1,200}'|\"[^\"\n]{1,200}\"|`[^`\n]{1,200}`"), "<name>"),  # models, layers, arguments
    (re.compile(r"\b(?:cuda|rank|gpu|worker|tp|pp|dp)[:_ ]?\d+\b", re.IGNORECASE), "<rank>"),
    (re.compile(r"[-+]?\d[\d.,_]*(?:\s?(?:[KMGT]i?B|bytes|ms|s|%|x)\b)?", re.IGNORECASE), "<n>"),  # figures, units
    (re.compile(r"\s+"), " "),
)


def fingerprint_of(problem: Problem | None, cause: Cause | None, evidence: Evidence) -> str | None:
    """Return problem and cause of a known case, a hash of the error of an unknown one, or None without an error."""
    if problem is not None:
        return f"{problem.id}/{cause.id}" if cause else problem.id
    failure = telling_failure(evidence.failures)
    if failure is None:
        return None
    kind = (failure.kind or "error").rpartition(".")[2]
    digest = hashlib.sha256(normalise(failure.message).encode("utf-8", "replace")).hexdigest()[:10]
    return f"unknown/{kind}-{digest}"


def telling_failure(failures: Sequence[Failure]) -> Failure | None:
    """Return the first failure that is no wrapper, or the first at all."""
    return next((failure for failure in failures if not failure.is_wrapper), failures[0] if failures else None)


def normalise(message: str) -> str:
    """Return a message without what differs from case to case.

    >>> normalise("CUDA error on cuda:3 at 0x7f2a: tried 1.96 GiB in /opt/x/y.py")
    'cuda error on <rank> at <address>: tried <n> in <path>'
    """
    for pattern, name in _VOLATILE:
        message = pattern.sub(name, message)
    return message.strip().lower()[:400]
