"""What-if tables: one deployment over every combination of some fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from bot.deployment import Deployment
from bot.sizing.checks.first_failure import first_failure
from bot.sizing.checks.refusals import refuse
from bot.sizing.longest import longest_of
from bot.sizing.plain import sizing
from bot.sizing.terms import Measured
from bot.units import Bytes


class SweepRow(NamedTuple):
    """One combination and what came of it; the figures are None where it was refused."""

    settings: Mapping[str, Any]
    fits: bool
    kv_available: Bytes | None = None
    kv_tokens: int | None = None
    concurrency: float | None = None
    longest_context: int | None = None
    because: str | None = None  # why it was refused or does not start
    problem: str | None = None  # of the start-up check that would fail
    gpu_count: int | None = None  # as many as were named, or as a cloud machine holds


def sweep(
    deployment: Deployment, fields: Mapping[str, Sequence[Any]], measured: Measured | None = None
) -> Iterator[SweepRow]:
    """Yield a row for each combination of the fields' values, in the order given.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    for values in product(*fields.values()):
        settings = dict(zip(fields, values, strict=True))
        yield _row(deployment.with_(**settings), settings, measured or Measured())


def _row(deployment: Deployment, settings: Mapping[str, Any], measured: Measured) -> SweepRow:
    refusal = next(iter(refuse(deployment)), None)
    if refusal is not None:
        return SweepRow(settings, fits=False, because=refusal.message, gpu_count=deployment.gpu_count)
    found = sizing(deployment, measured)
    run, account, held = found.run, found.account, found.held
    failed = first_failure(run, account, found.pool, held, measured)
    starts_only = "It starts, but holds no request of max_model_len" if failed is None and not held.fits else None
    return SweepRow(
        settings,
        failed is None and held.fits,
        Bytes(account.kv),
        held.tokens,
        held.concurrency,
        longest_of(found, measured, max(run.max_model_len, run.shape.max_position or 0)),
        failed.message if failed else starts_only,
        failed.problem if failed else None,
        deployment.gpu_count,
    )
