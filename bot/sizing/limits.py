"""The inverses of a budget: the longest context, the most sequences, the fewest GPUs, the lowest utilization."""

from __future__ import annotations

from bot.deployment import Deployment
from bot.sizing.checks.layout import divisors
from bot.sizing.checks.refusals import refuse
from bot.sizing.kv_cache.requests import Holding
from bot.sizing.largest import largest
from bot.sizing.longest import longest_of
from bot.sizing.plain import sizing, without_printed_cache
from bot.sizing.terms import Measured

STEPS = 100  # utilization is advised in hundredths
MOST_SEQUENCES = 65_536


def longest_context(deployment: Deployment, measured: Measured | None = None) -> int:
    """Return the longest max_model_len, up to the model's own, that starts; 0 if none does.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    shape = deployment.shape
    most = (shape.max_position if shape else None) or deployment.max_model_len or 131_072
    known = measured or Measured()
    return longest_of(sizing(deployment.with_(max_model_len=most, auto_max_model_len=None), known), known, most)


def most_sequences(deployment: Deployment, measured: Measured | None = None) -> int:
    """Return the largest max_num_seqs with which the engine still starts and holds that many full-length requests.

    More sequences take more memory for logits, and so leave less KV cache to share: never are more held than next to
    a single one. 0 if not even one fits.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """

    def held(sequences: int) -> Holding:
        return sizing(_with_sequences(deployment, sequences), measured or Measured()).held

    def left(sequences: int) -> float:
        found = held(sequences)
        return found.concurrency - sequences if found.fits else -sequences

    alone = held(1)
    return largest(1, min(MOST_SEQUENCES, int(alone.concurrency)), left) if alone.fits else 0


def fewest_gpus(deployment: Deployment, measured: Measured | None = None, most: int = 64) -> int | None:
    """Return the smallest tensor parallel size that divides the model and holds one request; None if none does.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    shape = deployment.shape
    for ranks in divisors(shape.heads, most) if shape else ():
        changed = deployment.with_(tensor_parallel=ranks, gpu_count=None)
        if not refuse(changed) and _holds(changed, _of_the_card(measured)):
            return ranks
    return None


def fewest_stages(deployment: Deployment, measured: Measured | None = None, most: int = 16) -> int | None:
    """Return the smallest pipeline parallel size, at the present tensor parallel size, that holds one request.

    None if none up to `most` does.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    for stages in range(1, most + 1):
        changed = deployment.with_(pipeline_parallel=stages, gpu_count=None)
        if not refuse(changed) and _holds(changed, _of_the_card(measured)):
            return stages
    return None


def lowest_utilization(deployment: Deployment, measured: Measured | None = None) -> float | None:
    """Return the lowest gpu_memory_utilization, in hundredths, that holds one request; None if none does.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    known = without_printed_cache(deployment, measured or Measured())
    low, high = 1, STEPS
    if not _holds(deployment.with_(gpu_memory_utilization=1.0), known):
        return None
    while low < high:
        middle = (low + high) // 2
        if _holds(deployment.with_(gpu_memory_utilization=middle / STEPS), known):
            high = middle
        else:
            low = middle + 1
    return high / STEPS


def starts(deployment: Deployment, measured: Measured | None = None) -> bool:
    """Return whether a deployment starts and holds one request; one that cannot be sized does not."""
    try:
        return _holds(deployment, measured)
    except (ValueError, ArithmeticError):
        return False


def _with_sequences(deployment: Deployment, sequences: int) -> Deployment:
    tokens = deployment.max_num_batched_tokens
    wide = {"max_num_batched_tokens": sequences} if tokens is not None and tokens < sequences else {}
    return deployment.with_(max_num_seqs=sequences, **wide)


def _of_the_card(measured: Measured | None) -> Measured:
    """Keep what does not change with the number of GPUs."""
    if measured is None:
        return Measured()
    return Measured(total=measured.total, free=measured.free, other_processes=measured.other_processes)


def _holds(deployment: Deployment, measured: Measured | None) -> bool:
    return sizing(deployment, measured or Measured()).held.fits
