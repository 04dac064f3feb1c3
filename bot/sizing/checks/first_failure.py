"""Which start-up check of the version fails first, and the message it prints."""

from __future__ import annotations

from bot.sizing.accounting import Account, requested
from bot.sizing.checks import failure_messages as say
from bot.sizing.kv_cache.pool import Pool
from bot.sizing.kv_cache.requests import Holding, checked, longest
from bot.sizing.kv_cache.requests import held as hold
from bot.sizing.overhead.activations import images_set_the_peak, sampler_peak
from bot.sizing.overhead.beside import base_use
from bot.sizing.ranges import GIB
from bot.sizing.resolved import Resolved
from bot.sizing.terms import FailedCheck, Measured


def first_failure(run: Resolved, account: Account, pool: Pool, held: Holding, measured: Measured) -> FailedCheck | None:
    """Return the first check that fails, in the version's own order; None when the engine starts.

    Order: free memory (0.9.1 and later), weights, profile run, KV memory, KV for one request, allocation of a KV cache
    that was set by hand, CUDA graphs, sampler warm-up.

    Source: vLLM 0.33 `v1/worker/gpu_worker.py` and `v1/core/kv_cache_utils.py`.
    """
    if not account.kv_measured:
        before = _free_memory(run, account, measured) or _loading(run, account, measured)
        if before is not None:
            return before
    if pool.is_empty:
        return _afterwards(run, account._replace(kv=0), measured)
    return (
        _kv(run, account, pool, held)
        or _allocation(run, account, pool, held, measured)
        or _afterwards(run, account, measured)
    )


def _free_memory(run: Resolved, account: Account, measured: Measured) -> FailedCheck | None:
    if not run.era.checks_free_memory:
        return None
    free = free_at_start(account, measured)
    if free is None and not (run.card is not None and run.card.is_unified):
        free = account.total - round(base_use(run, account.total).low * GIB)
    wanted = requested(account.total, run)
    if free is None or free >= wanted:
        return None
    message = say.free_memory(run, free, account.total, wanted)
    return FailedCheck(problem="free-memory-below-utilization", message=message, certain=measured.free is not None)


def free_at_start(account: Account, measured: Measured) -> int | None:
    """Return the free memory that the first check sees: measured, or what other processes leave."""
    if measured.free is not None:
        return int(measured.free)
    if measured.other_processes:
        return account.total - int(measured.other_processes)
    return None


def _loading(run: Resolved, account: Account, measured: Measured) -> FailedCheck | None:
    """Weights and the profile run need real memory, whatever the allowance."""
    free = free_at_start(account, measured) or account.total
    weights, peak = account.spent("weights"), account.spent("activations")
    if weights > free:
        certain = all(term.low > free for term in account.terms if term.name == "weights")
        return FailedCheck(problem="weights-too-big-for-gpu", message=say.weights(run), certain=certain)
    if weights + peak + account.spent("non_torch") > free:
        problem = "oom-multimodal" if images_set_the_peak(run) else "oom-profile-run"
        return FailedCheck(problem=problem, message=say.out_of_memory(run), certain=False)
    return None


def _kv(run: Resolved, account: Account, pool: Pool, held: Holding) -> FailedCheck | None:
    if account.kv <= 0 or held.blocks <= 0:
        certain = account.kv_high <= 0
        return FailedCheck(problem="kv-cache-no-memory", message=say.no_memory(run), certain=certain)
    if held.starts:
        return None
    estimate = longest(account.kv, pool, run, run.max_model_len, checked)
    message = say.too_small(run, held, pool, estimate)
    certain = not hold(account.kv_high, pool, run).starts
    return FailedCheck(problem="kv-cache-too-small-for-max-len", message=message, certain=certain)


def _afterwards(run: Resolved, account: Account, measured: Measured) -> FailedCheck | None:
    """Graphs and the sampler's warm-up live in what the card has left; the activation peak is free again by then."""
    graphs = next(term for term in account.terms if term.name == "cuda_graphs")
    room = _room(run, account, measured) - account.kv
    if account.kv_measured or graphs.inside:
        return None
    if graphs.low > room:
        return FailedCheck(problem="oom-cuda-graph-capture", message=say.out_of_memory(run), certain=False)
    if not run.is_v0 and graphs.low + sampler_peak(run) > room:
        return FailedCheck(problem="oom-sampler-warmup", message=say.sampler(run), certain=False)
    return None


def _allocation(run: Resolved, account: Account, pool: Pool, held: Holding, measured: Measured) -> FailedCheck | None:
    """A KV cache that was set by hand is allocated as it is, whether the card has that much or not."""
    told = run.deployment
    if account.kv_measured or (told.kv_cache_memory is None and told.num_gpu_blocks_override is None):
        return None
    if held.blocks * pool.bytes_per_block <= _room(run, account, measured):
        return None
    return FailedCheck(problem="kv-cache-set-too-large", message=say.out_of_memory(run), certain=False)


def _room(run: Resolved, account: Account, measured: Measured) -> int:
    """Return what weights and everything outside torch leave of the card."""
    used = account.spent("weights") + account.spent("non_torch")
    return account.total - used - _beside(run, account, measured)


def _beside(run: Resolved, account: Account, measured: Measured) -> int:
    """Return the least that is in use without being charged to the allowance."""
    if measured.free is not None:
        return account.total - int(measured.free)
    others = 0 if run.era.charges_neighbours else int(measured.other_processes or 0)
    base = 0 if run.era.counts_base_context else round(base_use(run, account.total).low * GIB)
    return others + base
