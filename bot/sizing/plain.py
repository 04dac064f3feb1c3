"""The plain numbers of a deployment: what limits and sweeps ask for many times, before a budget is dressed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.deployment import Deployment
from bot.sizing import accounting
from bot.sizing.accounting import Account, Loaded
from bot.sizing.card_memory import total_memory
from bot.sizing.defaults import with_defaults
from bot.sizing.kv_cache import groups, requests
from bot.sizing.kv_cache.pool import Pool
from bot.sizing.kv_cache.requests import Holding
from bot.sizing.resolved import Resolved, UnknownFactsError, resolve
from bot.sizing.terms import Assumption, Measured


class Sizing(NamedTuple):
    """A budget before it is dressed."""

    asked: Deployment  # as it was asked for, without defaults
    run: Resolved
    account: Account
    pool: Pool
    held: Holding
    assumptions: tuple[Assumption, ...]


def sizing(deployment: Deployment, measured: Measured) -> Sizing:
    """Return the plain numbers of a budget.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    if deployment.shape is None:
        missing = ("model",) if total_memory(deployment, measured) else ("model", "gpu")
        raise UnknownFactsError(missing)
    # Refused, and never counted out: 10⁹ stages.
    if not 1 <= (deployment.pipeline_parallel or 1) <= deployment.shape.layers:
        raise UnknownFactsError(("pipeline_parallel",))
    if deployment.max_model_len is not None and deployment.max_model_len < 0:  # -1: as long as fits
        deployment = deployment.with_(max_model_len=None, auto_max_model_len=True)
    if deployment.card is None and deployment.gpu_memory is None and measured.total is not None:
        deployment = deployment.with_(gpu_memory=measured.total)  # limits of a batch go by the memory of the card
    run, assumptions = _resolved(deployment)
    account, pool = _tightest(run, measured)
    if deployment.auto_max_model_len:
        run = _fitted(run, account, pool)
    return Sizing(deployment, run, account, pool, requests.held(account.kv, pool, run), assumptions)


def spare_at(length: int, found: Sizing, measured: Measured, loaded: Sequence[Loaded]) -> int:
    """Return the bytes that a request of `length` tokens leaves of the KV cache where that is max_model_len.

    Negative where it does not fit. `loaded` are the stages of `found`, which are not counted again.
    """
    run, _ = _resolved(found.asked.with_(max_model_len=length, auto_max_model_len=None))
    if run.shape.max_position is None:  # its table of positions is as long as the context
        loaded = accounting.loaded_stages(run, measured)
    pool = groups.pool(run)
    stages = zip(accounting.kv_of_stages(run, measured, pool, loaded), _stages(pool, run), strict=True)
    kv, here = min(stages, key=_blocks)
    return requests.spare(kv, here, run)


def _resolved(deployment: Deployment) -> tuple[Resolved, tuple[Assumption, ...]]:
    filled, assumptions = with_defaults(deployment)
    return resolve(filled, frozenset(assumption.name for assumption in assumptions)), assumptions


def _stages(pool: Pool, run: Resolved) -> list[Pool]:
    return [pool] if run.pipeline_parallel == 1 else [pool.at(stage) for stage in range(run.pipeline_parallel)]


def _blocks(stage: tuple[int, Pool]) -> int:
    return stage[0] // max(1, stage[1].bytes_per_block)


def _tightest(run: Resolved, measured: Measured) -> tuple[Account, Pool]:
    """Return the account and pool of the pipeline stage that holds the fewest blocks: it binds all of them."""
    stages = _stages(groups.pool(run), run)
    accounts = [accounting.account(run, measured, here, stage) for stage, here in enumerate(stages)]
    return min(zip(accounts, stages, strict=True), key=lambda pair: _blocks((pair[0].kv, pair[1])))


def _fitted(run: Resolved, account: Account, pool: Pool) -> Resolved:
    """`--max-model-len auto`: the longest context that one request fits, lowered from the model's own."""
    length = requests.longest(account.kv, pool, run, run.max_model_len, requests.checked) or run.max_model_len
    return resolve(run.deployment.with_(max_model_len=length), run.assumed)
