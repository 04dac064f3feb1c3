"""The terms of a budget added up as the version's era does it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil
from typing import NamedTuple

from bot.sizing import constants
from bot.sizing.card_memory import total_memory
from bot.sizing.counted_graphs import graphs_are_counted
from bot.sizing.kv_cache.per_layer import states_beside
from bot.sizing.kv_cache.pool import Pool
from bot.sizing.kv_memory import kv_left, kv_measured
from bot.sizing.overhead.activations import activation, activation_amounts
from bot.sizing.overhead.beside import cuda_graphs, non_torch
from bot.sizing.overhead.samplers import sampler_states
from bot.sizing.overhead.weights_range import doubted
from bot.sizing.ranges import GIB, Estimate, exact
from bot.sizing.resolved import Resolved, UnknownFactsError
from bot.sizing.terms import Measured, Term, TermName
from bot.sizing.weights.per_gpu import Loaded, batch_buffers, loaded_stages
from bot.units import Bytes

_WORTH_A_WORD = GIB // 200  # less reads as 0.00
_SOURCES = {
    "weights": "the checkpoint's tensors; vLLM model_executor/layers",
    "cuda_graphs": "vLLM v1/worker/gpu_model_runner.py, capture_model",
    "other_processes": "nvidia-smi, or the log",
}


class Line(NamedTuple):
    """A term before it is written down."""

    name: TermName
    found: Estimate
    measured: bool
    inside: bool = True


class Account(NamedTuple):
    """What is spent and what is left, on the tightest GPU, in bytes."""

    total: int
    total_measured: bool
    allowance: int
    terms: tuple[Term, ...]
    kv: int
    kv_low: int
    kv_high: int
    kv_measured: bool

    def spent(self, name: str) -> int:
        """Return the amount of one term, 0 where the account has none."""
        return next((int(term.amount) for term in self.terms if term.name == name), 0)


def loaded_on(run: Resolved, measured: Measured) -> tuple[Loaded, ...]:
    """Return what is loaded on a GPU of each pipeline stage; none of it counts where a log printed the weights."""
    last = run.pipeline_parallel - 1
    if measured.weights is not None:
        return tuple(Loaded(stage, 0, 0, stage == last) for stage in range(run.pipeline_parallel))
    return loaded_stages(run.deployment)


def account(run: Resolved, measured: Measured, pool: Pool, loaded: Loaded) -> Account:
    """Return the account of one GPU of a pipeline stage.

    Raises:
        UnknownFactsError: The GPU's memory is unknown.
    """
    total = _known_total(run, measured)
    total_measured = measured.total is not None or run.deployment.gpu_memory is not None
    allowance = _allowance(run, total, pool)
    terms = _terms(run, measured, loaded, total)
    granted = allowance + int(measured.kv_beyond or 0)
    kv = kv_measured(run, measured, pool) or kv_left(run, granted, terms, total_is_measured=total_measured)
    return Account(total, total_measured, allowance, terms, *kv)


def held_beside(run: Resolved, measured: Measured, stages: Sequence[Loaded]) -> list[int]:
    """Return what is spent on each stage besides weights and activations, in bytes.

    Raises:
        UnknownFactsError: The GPU's memory is unknown.
    """
    run, total, graphs = _told(run), _known_total(run, measured), _graphs(run, measured)
    held = int(measured.other_processes or 0) if run.era.charges_neighbours else 0
    held += graphs.found.amount if graphs.inside else 0
    alike = {each[1:]: each for each in stages}  # all but the number of the stage
    taken = {key: _non_torch(run, measured, each, total).found.amount for key, each in alike.items()}
    return [held + taken[each[1:]] for each in stages]


def kv_of_stages(
    run: Resolved, measured: Measured, pool: Pool, stages: Sequence[Loaded], beside: Sequence[int]
) -> list[int]:
    """Return the bytes of the KV cache on each stage as `account` counts them; `beside` is what `held_beside` gave.

    Raises:
        UnknownFactsError: The GPU's memory is unknown.
    """
    if stated := kv_measured(run, measured, pool):
        return [stated.amount] * len(stages)
    run, allowance = _told(run), _allowance(run, _known_total(run, measured), pool)
    granted = allowance + int(measured.kv_beyond or 0)
    buffers = batch_buffers(run.deployment)
    peaks = _peaks(run, measured, {each.is_last for each in stages})
    return [
        granted - _weights_of(measured, each, buffers) - peaks[each.is_last] - held
        for each, held in zip(stages, beside, strict=True)
    ]


def _known_total(run: Resolved, measured: Measured) -> int:
    total = total_memory(run.deployment, measured)
    if total is None:
        raise UnknownFactsError(("gpu",))
    return total


def _allowance(run: Resolved, total: int, pool: Pool) -> int:
    return total if pool.is_empty else requested(total, run)  # without a cache vLLM shares nothing out


def requested(total: int, run: Resolved) -> int:
    """Return total × utilization; rounded up from 0.14 on."""
    return ceil(total * run.utilization) if run.release >= (0, 14) else int(total * run.utilization)


def _terms(run: Resolved, measured: Measured, loaded: Loaded, total: int) -> tuple[Term, ...]:
    lines = [_weights(run, measured, loaded), *_overhead(run, measured, loaded, total)]
    if run.version_is_todays:
        lines[1:] = map(_widened, _overhead(_told(run), measured, loaded, total), lines[1:])
    if measured.other_processes:
        held = exact(measured.other_processes)
        inside = run.era.charges_neighbours
        because = "this version takes what others hold off the KV cache" if inside else "beside our allowance"
        lines.append(Line("other_processes", held._replace(because=because), measured=True, inside=inside))
    return tuple(map(_term, lines))


def _overhead(run: Resolved, measured: Measured, loaded: Loaded, total: int) -> tuple[Line, Line, Line]:
    return (
        _activations(run, measured, samples=loaded.is_last),
        _non_torch(run, measured, loaded, total),
        _graphs(run, measured),
    )


def _told(run: Resolved) -> Resolved:
    """Return the run as if its version, where it is today's, had been stated: that one's own figures are the middle."""
    return run._replace(assumed=run.assumed - {"vllm_version"}) if run.version_is_todays else run


def _widened(told: Line, guessed: Line) -> Line:
    """Return a term of the version that is assumed, with the range of all that it may be."""
    one, other = told.found, guessed.found
    wide = one._replace(low=min(one.low, other.low), high=max(one.high, other.high), doubt=other.doubt)
    return told._replace(found=wide)


def _term(line: Line) -> Term:
    found = line.found
    return Term(
        name=line.name,
        amount=Bytes(found.amount),
        low=Bytes(found.low),
        high=Bytes(found.high),
        measured=line.measured,
        inside=line.inside,
        formula=found.formula,
        because=found.because,
        source=found.source or _SOURCES.get(line.name, ""),
        doubt=found.doubt,
    )


def _seen(amount: int) -> Estimate:
    slack = round(constants.PRINTED_SLACK_GIB * GIB)
    return Estimate(amount, amount - slack, amount + slack, because="printed by vLLM", source="start-up log")


def _weights_of(measured: Measured, loaded: Loaded, buffers: int) -> int:
    """Return the weights as they were printed, else as counted, which is no more than all that loading took."""
    if measured.weights is not None:
        return int(measured.weights)
    counted = max(0, loaded.tensors + buffers)
    return counted if measured.consumed is None else min(counted, int(measured.consumed))


def _weights(run: Resolved, measured: Measured, loaded: Loaded) -> Line:
    if measured.weights is not None:
        return Line("weights", _seen(measured.weights), measured=True)
    amount = _weights_of(measured, loaded, batch_buffers(run.deployment))
    return Line("weights", doubted(run, loaded.stage, amount, loaded.rests), measured=False)


def _activations(run: Resolved, measured: Measured, *, samples: bool) -> Line:
    if measured.activation is None:
        found = _with(activation(run, samples=samples), states_beside(run), "of the states of a batch")
        return Line("activations", found, measured=False)
    amount = int(measured.activation)
    if run.era.counts_consumed and graphs_are_counted(run):
        # from 0.27 the printed peak already holds the estimate of the graphs
        amount = max(0, amount - int(measured.cudagraph_estimated or cuda_graphs(run, measured, counted=True).amount))
    return Line("activations", _seen(amount), measured=True)


def _peaks(run: Resolved, measured: Measured, samples: Collection[bool]) -> dict[bool, int]:
    """Return the amounts of `_activations` alone, with and without samples, for who asks many times."""
    if measured.activation is not None:
        return {each: _activations(run, measured, samples=each).found.amount for each in samples}
    states = states_beside(run)
    return {each: amount + states for each, amount in activation_amounts(run, samples).items()}


def _non_torch(run: Resolved, measured: Measured, loaded: Loaded, total: int) -> Line:
    if measured.non_torch is not None:
        return Line("non_torch", _seen(measured.non_torch), measured=True)
    if measured.consumed is not None:
        weights = _weights_of(measured, loaded, batch_buffers(run.deployment))
        return Line("non_torch", _seen(max(0, measured.consumed - weights)), measured=True)
    states = sampler_states(run) if loaded.is_last else 0
    found = _with(non_torch(run, total), states, "of the sampler's states")
    return Line("non_torch", _with(found, loaded.rests, "that torch leaves uncut beside the weights"), measured=False)


def _with(found: Estimate, more: int, what: str) -> Estimate:
    amount, low, high = (have + more for have in found[:3])
    named = f"{found.formula}, and {more / GIB:.2f} GiB {what}" if more > _WORTH_A_WORD else found.formula
    return found._replace(amount=amount, low=low, high=high, formula=named)


def _graphs(run: Resolved, measured: Measured) -> Line:
    inside = graphs_are_counted(run)
    seen = measured.cudagraph_estimated if inside else measured.cudagraph
    if seen is None and inside:
        seen = measured.cudagraph
    if seen is not None:
        return Line("cuda_graphs", _seen(seen), measured=True, inside=inside)
    return Line("cuda_graphs", cuda_graphs(run, measured, counted=inside), measured=False, inside=inside)
