"""A deployment and what a log measured to its memory budget."""

from __future__ import annotations

from typing import NamedTuple

from bot.deployment import Deployment
from bot.sizing import accounting
from bot.sizing.accounting import Account
from bot.sizing.checks.first_failure import first_failure
from bot.sizing.defaults import with_defaults
from bot.sizing.kv_cache import doubts, groups, requests
from bot.sizing.kv_cache.pool import Pool
from bot.sizing.kv_cache.requests import Holding
from bot.sizing.resolved import Resolved, UnknownFactsError, resolve
from bot.sizing.terms import Assumption, Budget, Measured
from bot.units import Bytes

__all__ = ["Sizing", "UnknownFactsError", "size", "sizing"]


class Sizing(NamedTuple):
    """A budget before it is dressed: plain numbers, for limits and sweeps."""

    run: Resolved
    account: Account
    pool: Pool
    held: Holding
    assumptions: tuple[Assumption, ...]


def size(deployment: Deployment, measured: Measured | None = None) -> Budget:
    """Return the memory budget of the tightest GPU, as this version of vLLM would count it at start.

    A measured term replaces its estimate; a measured KV cache fixes the pool.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    return _dress(sizing(deployment, measured or Measured()), measured or Measured())


def sizing(deployment: Deployment, measured: Measured) -> Sizing:
    """Return the plain numbers of a budget.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    if deployment.shape is None:
        missing = ("model",) if accounting.total_memory(deployment, measured) else ("model", "gpu")
        raise UnknownFactsError(missing)
    if (
        not 1 <= (deployment.pipeline_parallel or 1) <= deployment.shape.layers
    ):  # refused; nor are 10⁹ stages counted out
        raise UnknownFactsError(("pipeline_parallel",))
    if deployment.max_model_len is not None and deployment.max_model_len < 0:  # -1: as long as fits
        deployment = deployment.with_(max_model_len=None, auto_max_model_len=True)
    if deployment.card is None and deployment.gpu_memory is None and measured.total is not None:
        deployment = deployment.with_(gpu_memory=measured.total)  # limits of a batch go by the memory of the card
    filled, assumptions = with_defaults(deployment)
    run = resolve(filled, frozenset(assumption.name for assumption in assumptions))
    account, pool = _tightest(run, measured)
    if deployment.auto_max_model_len:
        run = _fitted(run, account, pool)
    return Sizing(run, account, pool, requests.held(account.kv, pool, run), assumptions)


def _tightest(run: Resolved, measured: Measured) -> tuple[Account, Pool]:
    """Return the account and pool of the pipeline stage that holds the fewest blocks: it binds all of them."""
    pool = groups.pool(run)
    if run.pipeline_parallel == 1:
        return accounting.account(run, measured, pool), pool
    stages = [pool.at(stage) for stage in range(run.pipeline_parallel)]
    accounts = [accounting.account(run, measured, here, stage) for stage, here in enumerate(stages)]
    return min(zip(accounts, stages, strict=True), key=lambda pair: pair[0].kv // max(1, pair[1].bytes_per_block))


def _fitted(run: Resolved, account: Account, pool: Pool) -> Resolved:
    """`--max-model-len auto`: the longest context that one request fits, lowered from the model's own."""
    length = requests.longest(account.kv, pool, run, run.max_model_len) or run.max_model_len
    return resolve(run.deployment.with_(max_model_len=length), run.assumed)


def _dress(found: Sizing, measured: Measured) -> Budget:
    run, account, pool, held = found.run, found.account, found.pool, found.held
    low, high = (requests.held(amount, pool, run) for amount in (account.kv_low, account.kv_high))
    failed = first_failure(found.run, account, pool, held, measured)
    most = max(run.max_model_len, run.shape.max_position or 0)
    starts = _starts(account.kv_measured or failed is None, held)
    return Budget(
        deployment=run.deployment,
        era=f"{run.era.name} ({run.era.span})",
        total=Bytes(account.total),
        total_measured=account.total_measured,
        allowance=Bytes(account.allowance),
        terms=account.terms,
        kv_available=Bytes(account.kv),
        kv_low=Bytes(account.kv_low),
        kv_high=Bytes(account.kv_high),
        kv_measured=account.kv_measured,
        kv_bytes_per_token=bytes_per_token(run, pool),
        bytes_per_block=Bytes(pool.bytes_per_block),
        block_size=pool.block_size,
        blocks=held.blocks,
        kv_tokens=held.tokens,
        kv_tokens_low=low.tokens,
        kv_tokens_high=doubts.most_tokens(account.kv_high, high.tokens, run),
        concurrency=held.concurrency,
        kv_needed=Bytes(held.needed),
        longest_context=requests.longest(account.kv, pool, run, most),
        fits=starts,
        is_within_margin=low.fits != high.fits,
        failed_check=failed,
        assumptions=found.assumptions,
        warnings=account.warnings,
        at_lengths=requests.at_lengths(held.blocks, pool, run),
    )


def _starts(has_kv: bool, held: Holding) -> bool:
    return has_kv and held.fits


def bytes_per_token(run: Resolved, pool: Pool) -> float:
    """Return what a token costs on one GPU: of one group exactly, of several on average over a full-length request."""
    if not pool.groups:
        return 0.0
    if len(pool.groups) == 1 and not pool.groups[0].spec.is_state:
        return pool.bytes_per_block / pool.block_size / run.context_parallel
    blocks = requests.blocks_per_request(run.max_model_len, pool, run)
    return blocks * pool.bytes_per_block / run.max_model_len
