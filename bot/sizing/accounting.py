"""The terms of a budget added up as the version's era does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import NamedTuple

from bot.sizing import constants
from bot.sizing.card_memory import total_memory
from bot.sizing.counted_graphs import graphs_are_counted
from bot.sizing.kv_cache.per_layer import states_beside
from bot.sizing.kv_cache.pool import Pool
from bot.sizing.kv_memory import kv_left, kv_measured
from bot.sizing.overhead.activations import activation
from bot.sizing.overhead.beside import cuda_graphs, non_torch
from bot.sizing.overhead.samplers import sampler_states
from bot.sizing.overhead.weights_range import doubted
from bot.sizing.ranges import GIB, Estimate, exact
from bot.sizing.resolved import Resolved, UnknownFactsError
from bot.sizing.terms import Measured, Term
from bot.sizing.weights.per_gpu import batch_buffers, rests_of_stage, tensors_of_stage
from bot.units import Bytes

_WORTH_A_WORD = GIB // 200  # less reads as 0.00
_SOURCES = {
    "weights": "the checkpoint's tensors; vLLM model_executor/layers",
    "cuda_graphs": "vLLM v1/worker/gpu_model_runner.py, capture_model",
    "other_processes": "nvidia-smi, or the log",
}


class Line(NamedTuple):
    """A term before it is written down."""

    name: str
    found: Estimate
    measured: bool
    inside: bool = True


class Loaded(NamedTuple):
    """What the weights of a pipeline stage take on its GPU, in bytes, with the rests of blocks beside them."""

    stage: int
    tensors: int  # negative where more is kept in the host's memory
    weights: int  # with the buffers for a batch
    rests: int
    is_last: bool  # the stage has the logits and the sampler


class Fixed(NamedTuple):
    """What is spent on a GPU of a pipeline stage whatever max_model_len is, in bytes."""

    tensors: int
    beside: int  # of torch, and of graphs and neighbours where they are inside the allowance
    is_last: bool


class Account(NamedTuple):
    """What is spent and what is left, on the tightest GPU, in bytes."""

    total: int
    total_measured: bool
    allowance: int
    terms: tuple[Term, ...]
    fixed: Fixed
    kv: int
    kv_low: int
    kv_high: int
    kv_measured: bool

    def spent(self, name: str) -> int:
        """Return the amount of one term, 0 where the account has none."""
        return next((int(term.amount) for term in self.terms if term.name == name), 0)


def account(run: Resolved, measured: Measured, pool: Pool, stage: int = 0) -> Account:
    """Return the account of one GPU of a pipeline stage.

    Raises:
        UnknownFactsError: The GPU's memory is unknown.
    """
    total = _known_total(run, measured)
    total_measured = measured.total is not None or run.deployment.gpu_memory is not None
    allowance = _allowance(run, total, pool)
    loaded = _loaded(run, measured, stage)
    lines = _lines(run, measured, loaded, total)
    terms = tuple(map(_term, lines))
    kv = kv_measured(run, measured, pool) or kv_left(run, allowance, terms, total_is_measured=total_measured)
    return Account(total, total_measured, allowance, terms, _fixed(lines, loaded), *kv)


def kv_of_stages(run: Resolved, measured: Measured, pool: Pool, fixed: Sequence[Fixed]) -> list[int]:
    """Return the bytes of the KV cache on each stage as `account` counts them, where what is fixed is known already.

    Raises:
        UnknownFactsError: The GPU's memory is unknown.
    """
    if stated := kv_measured(run, measured, pool):
        return [stated.amount] * len(fixed)
    run, buffers = _told(run), batch_buffers(run.deployment)
    allowance = _allowance(run, _known_total(run, measured), pool)
    peaks = {last: _activations(run, measured, samples=last).found.amount for last in {each.is_last for each in fixed}}
    return [
        allowance - _weighed(measured, each.tensors + buffers) - peaks[each.is_last] - each.beside for each in fixed
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


def _loaded(run: Resolved, measured: Measured, stage: int) -> Loaded:
    is_last = stage == run.pipeline_parallel - 1
    if measured.weights is not None:
        return Loaded(stage, 0, int(measured.weights), 0, is_last)
    tensors = tensors_of_stage(run.deployment, stage)
    weights = _weighed(measured, tensors + batch_buffers(run.deployment))
    return Loaded(stage, tensors, weights, int(rests_of_stage(run.deployment, stage)), is_last)


def _fixed(lines: list[Line], loaded: Loaded) -> Fixed:
    beside = sum(line.found.amount for line in lines if line.inside and line.name not in {"weights", "activations"})
    return Fixed(loaded.tensors, beside, loaded.is_last)


def _lines(run: Resolved, measured: Measured, loaded: Loaded, total: int) -> list[Line]:
    lines = [_weights(run, measured, loaded), *_overhead(run, measured, loaded, total)]
    if run.version_is_todays:
        lines[1:] = map(_widened, _overhead(_told(run), measured, loaded, total), lines[1:])
    if measured.other_processes:
        held = exact(measured.other_processes)
        inside = run.era.charges_neighbours
        because = "this version takes what others hold off the KV cache" if inside else "beside our allowance"
        lines.append(Line("other_processes", held._replace(because=because), measured=True, inside=inside))
    return lines


def _overhead(run: Resolved, measured: Measured, loaded: Loaded, total: int) -> tuple[Line, Line, Line]:
    return (
        _activations(run, measured, samples=loaded.is_last),
        _non_torch(run, measured, loaded, total),
        _graphs(run, measured),
    )


def _told(run: Resolved) -> Resolved:
    """Return the run as if its version, where it is today's, had been stated: that one's own figures are the middle."""
    return replace(run, assumed=run.assumed - {"vllm_version"}) if run.version_is_todays else run


def _widened(told: Line, guessed: Line) -> Line:
    """Return a term of the version that is assumed, with the range of all that it may be."""
    one, other = told.found, guessed.found
    wide = one._replace(low=min(one.low, other.low), high=max(one.high, other.high), doubt=other.doubt)
    return told._replace(found=wide)


def _term(line: Line) -> Term:
    found = line.found
    return Term.model_construct(
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


def _weighed(measured: Measured, counted: int) -> int:
    """Return the weights as they were printed, else as counted, which is no more than all that loading took."""
    if measured.weights is not None:
        return int(measured.weights)
    return max(0, counted) if measured.consumed is None else min(max(0, counted), int(measured.consumed))


def _weights(run: Resolved, measured: Measured, loaded: Loaded) -> Line:
    if measured.weights is not None:
        return Line("weights", _seen(measured.weights), measured=True)
    return Line("weights", doubted(run, loaded.stage, loaded.weights, loaded.rests), measured=False)


def _activations(run: Resolved, measured: Measured, *, samples: bool) -> Line:
    if measured.activation is None:
        found = _with(activation(run, samples=samples), states_beside(run), "of the states of a batch")
        return Line("activations", found, measured=False)
    amount = int(measured.activation)
    if run.era.counts_consumed and graphs_are_counted(run):
        # from 0.27 the printed peak already holds the estimate of the graphs
        amount = max(0, amount - int(measured.cudagraph_estimated or cuda_graphs(run, counted=True).amount))
    return Line("activations", _seen(amount), measured=True)


def _non_torch(run: Resolved, measured: Measured, loaded: Loaded, total: int) -> Line:
    if measured.non_torch is not None:
        return Line("non_torch", _seen(measured.non_torch), measured=True)
    if measured.consumed is not None:
        return Line("non_torch", _seen(max(0, measured.consumed - loaded.weights)), measured=True)
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
    return Line("cuda_graphs", cuda_graphs(run, counted=inside), measured=False, inside=inside)
