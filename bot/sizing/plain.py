"""The plain numbers of a deployment: what limits and sweeps ask for many times, before a budget is dressed."""

from __future__ import annotations

from typing import NamedTuple

from bot.deployment import Deployment
from bot.sizing import accounting
from bot.sizing.accounting import Account
from bot.sizing.card_memory import total_memory
from bot.sizing.defaults import Assumed, fill
from bot.sizing.kv_cache import groups, requests
from bot.sizing.kv_cache.pool import Pool
from bot.sizing.kv_cache.requests import Holding
from bot.sizing.kv_memory import without_cache
from bot.sizing.overhead.captures import capture_sizes
from bot.sizing.resolved import Resolved, UnknownFactsError, resolve
from bot.sizing.terms import Measured
from bot.sizing.weights.per_gpu import Loaded
from bot.units import Bytes


class Sizing(NamedTuple):
    """A budget before it is dressed."""

    asked: Deployment  # as it was asked for, without defaults
    run: Resolved
    account: Account
    pool: Pool
    held: Holding
    loaded: tuple[Loaded, ...]  # of each pipeline stage
    assumed: Assumed


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
    run, assumed = _resolved(deployment)
    loaded = accounting.loaded_on(run, measured)
    account, pool = _tightest(run, measured, loaded)
    if deployment.auto_max_model_len:
        run = _fitted(run, account, pool)
    return Sizing(deployment, run, account, pool, requests.held(account.kv, pool, run), loaded, assumed)


def without_printed_cache(deployment: Deployment, measured: Measured) -> Measured:
    """Return the figures of a log with what our terms were off by in place of the KV cache that it printed.

    So a change moves the cache from where it was.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    printed, bare = sizing(deployment, measured).account, without_cache(measured)
    return with_rest(bare, printed.kv, deployment) if printed.kv_measured else bare


def with_rest(bare: Measured, printed: int, deployment: Deployment) -> Measured:
    """Return figures without a KV cache, with what our terms are off by where one of `printed` bytes was there.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    return bare.model_copy(update={"kv_beyond": Bytes(printed - sizing(deployment, bare).account.kv)})


def spare_at(length: int, found: Sizing, measured: Measured, beside: list[int]) -> int:
    """Return the bytes that a request of `length` tokens leaves of the KV cache where that is max_model_len.

    Negative where it does not fit. `beside` is what `found` spends besides weights and activations.
    """
    asked = found.asked.with_(max_model_len=length, auto_max_model_len=None)
    run, _ = _resolved(asked)
    if run.shape.max_position is None:  # the table of positions is as long as the context
        other = sizing(asked, measured)
        return requests.spare(other.account.kv, other.pool, other.run)
    if measured.consumed is not None or not _capture_alike(run, found.run):
        beside = accounting.held_beside(run, measured, found.loaded)
    pool = groups.pool(run) if found.pool.holds_states_alone else found.pool
    amounts = accounting.kv_of_stages(run, measured, pool, found.loaded, beside)
    stage = _fewest_blocks(amounts, pool)
    return requests.spare(amounts[stage], pool.at(stage), run)


def _capture_alike(run: Resolved, other: Resolved) -> bool:
    """Return whether the same graphs are captured, and as many sequences run."""
    return run.max_num_seqs == other.max_num_seqs and capture_sizes(run) == capture_sizes(other)


def _resolved(deployment: Deployment) -> tuple[Resolved, Assumed]:
    filled, assumed = fill(deployment)
    return resolve(filled, frozenset(assumed)), assumed


def _tightest(run: Resolved, measured: Measured, loaded: tuple[Loaded, ...]) -> tuple[Account, Pool]:
    """Return the account and pool of the pipeline stage that holds the fewest blocks: it binds all of them.

    A log prints one cache for all of them, of the stage whose terms leave the least.
    """
    pool = groups.pool(run)
    stage = 0
    if len(loaded) > 1:
        beside, unprinted = accounting.held_beside(run, measured, loaded), without_cache(measured)
        stage = _fewest_blocks(accounting.kv_of_stages(run, unprinted, pool, loaded, beside), pool)
    here = pool.at(stage)
    return accounting.account(run, measured, here, loaded[stage]), here


def _fewest_blocks(amounts: list[int], pool: Pool) -> int:
    """Return the stage whose bytes of the KV cache are the fewest blocks."""
    blocks = [kv // max(1, block) for kv, block in zip(amounts, pool.stage_bytes, strict=True)]
    return blocks.index(min(blocks))


def _fitted(run: Resolved, account: Account, pool: Pool) -> Resolved:
    """`--max-model-len auto`: the longest context that one request fits, lowered from the model's own."""
    length = requests.longest(account.kv, pool, run, run.max_model_len, requests.checked) or run.max_model_len
    return resolve(run.deployment.with_(max_model_len=length), run.assumed)
