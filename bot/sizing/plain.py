"""The plain numbers of a deployment: what limits and sweeps ask for many times, before a budget is dressed."""

from __future__ import annotations

from typing import NamedTuple

from bot.deployment import Deployment
from bot.sizing import accounting
from bot.sizing.accounting import Account, Fixed
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
    fixed: tuple[Fixed, ...]  # of each pipeline stage
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
    stages = _accounts(run, measured)
    account, pool = min(stages, key=_blocks)
    if deployment.auto_max_model_len:
        run = _fitted(run, account, pool)
    fixed = tuple(each.fixed for each, _ in stages)
    return Sizing(deployment, run, account, pool, requests.held(account.kv, pool, run), fixed, assumptions)


def spare_at(length: int, found: Sizing, measured: Measured) -> int:
    """Return the bytes that a request of `length` tokens leaves of the KV cache where that is max_model_len.

    Negative where it does not fit. What `found` spends whatever the length is not counted again.
    """
    asked = found.asked.with_(max_model_len=length, auto_max_model_len=None)
    run, _ = _resolved(asked)
    if measured.consumed is not None or not _spend_alike(run, found.run):
        other = sizing(asked, measured)
        return requests.spare(other.account.kv, other.pool, other.run)
    pool = groups.pool(run) if found.pool.holds_states_alone else found.pool
    amounts = accounting.kv_of_stages(run, measured, pool, found.fixed)
    kv, here = min(zip(amounts, _stages(pool, run), strict=True), key=_whole_blocks)
    return requests.spare(kv, here, run)


def _spend_alike(run: Resolved, other: Resolved) -> bool:
    """Return whether two lengths capture the same graphs for the same sequences, and have the same table of positions."""
    captured = (each.deployment.max_cudagraph_capture_size for each in (run, other))
    return run.max_num_seqs == other.max_num_seqs and len({*captured}) == 1 and run.shape.max_position is not None


def _resolved(deployment: Deployment) -> tuple[Resolved, tuple[Assumption, ...]]:
    filled, assumptions = with_defaults(deployment)
    return resolve(filled, frozenset(assumption.name for assumption in assumptions)), assumptions


def _accounts(run: Resolved, measured: Measured) -> list[tuple[Account, Pool]]:
    """Return the account and pool of each pipeline stage; the one that holds the fewest blocks binds all of them."""
    stages = enumerate(_stages(groups.pool(run), run))
    return [(accounting.account(run, measured, here, stage), here) for stage, here in stages]


def _stages(pool: Pool, run: Resolved) -> list[Pool]:
    return [pool] if run.pipeline_parallel == 1 else [pool.at(stage) for stage in range(run.pipeline_parallel)]


def _blocks(stage: tuple[Account, Pool]) -> int:
    return _whole_blocks((stage[0].kv, stage[1]))


def _whole_blocks(stage: tuple[int, Pool]) -> int:
    return stage[0] // max(1, stage[1].bytes_per_block)


def _fitted(run: Resolved, account: Account, pool: Pool) -> Resolved:
    """`--max-model-len auto`: the longest context that one request fits, lowered from the model's own."""
    length = requests.longest(account.kv, pool, run, run.max_model_len, requests.checked) or run.max_model_len
    return resolve(run.deployment.with_(max_model_len=length), run.assumed)
