"""Memory beside weights, activations and the KV cache: non-torch buffers, CUDA graphs, other processes."""

from __future__ import annotations

from bot.model_shape import LayerKind
from bot.sizing import constants
from bot.sizing.constants import Guess
from bot.sizing.eras import GRAPHS_COUNTED_FROM
from bot.sizing.generations import HOPPER, LARGE_CARD, generation_of
from bot.sizing.kv_cache.states import LINEAR_KINDS
from bot.sizing.overhead.captures import Captured, kept_by_attention, kept_by_plans, largest_batch, printed_captures
from bot.sizing.overhead.compiling import with_code
from bot.sizing.overhead.layer_peaks import layer_peak
from bot.sizing.overhead.links import is_over_nvlink, linked
from bot.sizing.overhead.samplers import sampler_stack
from bot.sizing.ranges import GIB, Estimate, exact, together
from bot.sizing.resolved import Resolved
from bot.sizing.runners import uses_runner_v2
from bot.sizing.terms import Measured

FEW_GRAPHS = 24
_NOTHING = Measured()
_MIB = 1 << 20
_HOSTS = (110 * GIB, 126 * GIB)  # what torch counts of 128 GB that a host and its GPU share
SHOWS_ALL = GIB // 4  # of what nvidia-smi shows: Linux keeps half a GiB or more back from torch, Windows and WSL less


def non_torch(run: Resolved, total: int) -> Estimate:
    """Return what NCCL, custom all-reduce and the growth of the CUDA context take inside the allowance.

    What separates the cases is the link between GPUs, not their memory.

    Source: measured on start-up logs; the accounting is vLLM 0.19 `utils/mem_utils.py`.
    """
    guess = _non_torch(run, total)
    if run.is_v0 and run.release < (0, 6, 4):  # what torch keeps unused is not given back before the second reading
        guess = guess._replace(high=guess.high + constants.UNUSED_CACHE_GIB)
    found = _in_gib(guess, "by number of GPUs and their link")._replace(doubt=_DOUBTS.get(guess.origin, ""))
    return with_code(run, _with_stack(run, found))


def _with_stack(run: Resolved, found: Estimate) -> Estimate:
    """Return what is taken with the stack of a sampler that spills; on several GPUs the links' own kernels want as much."""
    stack = sampler_stack(run)
    if not stack.high or _ranks(run) > 1:
        return found
    amount, low, high = (have + more for have, more in zip(found[:3], stack[:3], strict=True))
    return found._replace(amount=amount, low=low, high=high, because=stack.because)


_DOUBTS = {
    constants.NON_TORCH_WINDOWS.origin: "under Windows it varies by 2 GiB; a start-up log settles it",
    constants.NON_TORCH_AMPERE.origin: "counted as over PCIe; over NVLink, which SXM cards have, it is some 2 GiB: `nvidia-smi topo -m` tells",
    constants.NON_TORCH_UNIFIED.origin: "the host uses the same memory, so that it varies by several GiB",
}


def base_use(run: Resolved, total: int) -> Guess:
    """Return what is in use on a card before vLLM's first reading, in GiB."""
    is_linked = is_over_nvlink(_non_torch(run, total)) and not run.era.counts_base_context
    return constants.BASE_NVLINK if is_linked else constants.BASE_SINGLE


def cuda_graphs(run: Resolved, printed: Measured = _NOTHING, *, counted: bool = False) -> Estimate:
    """Return what capturing CUDA graphs takes, or the estimate of it that is `counted` from 0.20 on.

    What the largest batch leaves, and layers × captured graphs × a constant: the driver keeps a record of every kernel.
    Model runner V1 estimates from the two largest graphs of each kind, and of what their first leave counts the larger.

    Source: measured on start-up logs of 0.19; profile_cudagraph_memory of vLLM 0.19 `v1/worker/gpu_model_runner.py` and of 0.29
    `v1/worker/gpu/cudagraph_utils.py`.
    """
    if run.deployment.enforce_eager:
        return exact(0)._replace(because="eager mode captures nothing")
    caught = printed_captures(run, printed)
    if not caught.graphs:
        return exact(0)._replace(because="nothing is captured")
    found = _figure(run, caught, counted=counted)
    if run.is_v0:
        low, high = (round(bound * GIB) for bound in constants.GRAPH_V0_GIB)
        return found._replace(low=min(low, found.amount), high=max(high, found.amount))
    if not run.version_is_stated and run.may_be_before(GRAPHS_COUNTED_FROM):
        found = found._replace(low=0)  # graphs were not counted at all
    if counted:
        return found
    least = round(found.amount * constants.GRAPH_UNIFIED) if _is_unified(run) else found.low
    return _as_printed(run, found._replace(low=least))


def _figure(run: Resolved, caught: Captured, *, counted: bool) -> Estimate:
    guess, shares = _graph(run), _shares(run)
    overlaps = counted and caught.has_both and not uses_runner_v2(run)
    first = _first(run, caught, counted=counted, overlaps=overlaps)
    layers, graphs = run.shape.layers / run.pipeline_parallel, caught.graphs - overlaps
    linked = constants.GRAPH_LINKED_MIB if counted and run.tensor_parallel > 1 else 0
    amount = first + (guess.value * layers + linked) * _MIB * graphs
    for share in shares:
        amount *= share.value
    low, high = together([_spread(run, guess, caught.graphs), *shares])
    most = constants.GRAPH_FEW_GIB * GIB if caught.graphs < FEW_GRAPHS else 0
    formula = f"{first / GIB:.2f} GiB with the largest batch + {guess.value:.2f} MiB × {round(layers)} layers × {graphs} graphs"
    return Estimate(round(amount), round(amount * low), round(max(amount * high, most)), formula, guess.origin)


def _first(run: Resolved, caught: Captured, *, counted: bool, overlaps: bool) -> float:
    """The bytes that the largest batch of each kind leaves."""
    batch = largest_batch(caught.largest if caught.piecewise else caught.decoding, run)
    attention = kept_by_attention(run, caught, counted=counted)
    return (max(batch, attention) if overlaps else batch + attention) + kept_by_plans(run, caught)


def _as_printed(run: Resolved, found: Estimate) -> Estimate:
    """Return what is printed before 0.18: by how much less memory is free, whatever took it or gave it back.

    On Hopper and later FlashInfer is tuned first, in a run of the whole batch whose blocks capturing gives back; 0.18
    empties the pool before.

    Source: vLLM 0.11 to 0.17 `model_executor/warmup/kernel_warmup.py`, flashinfer_autotune; 0.18 `v1/worker/gpu_model_runner.py`,
    capture_model.
    """
    if not run.may_be_before((0, 18)):
        return found
    tuned, warming = constants.GRAPH_TUNED, constants.GRAPH_WARMING
    given_back = round(constants.TUNED_LAYER * layer_peak(run))
    least = min(found.low, round(found.amount * tuned.low)) - given_back
    if not run.version_is_stated:
        return found._replace(low=min(found.low, least), high=max(found.high, round(found.amount * warming.high)))
    if _tunes_first(run):
        return found._replace(low=least, because=tuned.origin)
    amount, low, high = (round(found.amount * share) for share in warming[:3])
    return found._replace(amount=amount, low=min(found.low, low), high=max(found.high, high), because=warming.origin)


def _tunes_first(run: Resolved) -> bool:
    is_new = run.card is None or (generation_of(run.card) or 0) >= HOPPER
    return run.release >= (0, 11) and is_new


def _spread(run: Resolved, guess: Guess, graphs: int) -> Guess:
    if any(layer.kind in LINEAR_KINDS for layer in run.shape.kinds):
        return constants.GRAPH_STATES
    few = constants.GRAPH_FEW
    return guess._replace(value=1.0) if graphs >= FEW_GRAPHS else few


def _in_gib(guess: Guess, formula: str) -> Estimate:
    low, high = round(guess.low * GIB), round(guess.high * GIB)
    return Estimate(round(guess.value * GIB), low, high, formula, guess.origin, "measured on start-up logs")


def _shares(run: Resolved) -> list[Guess]:
    """Return what scales the figure, which comes from model runner V1 on Hopper; a large card may be an A100 too."""
    shares = [] if generation_of(run.card) == HOPPER else [constants.GRAPH_OTHER_CARD]
    if run.shape.model_type in constants.LAYERS_UNMODELLED:
        shares.append(constants.GRAPH_UNMODELLED)
    return [*shares, constants.GRAPH_RUNNER_V2] if uses_runner_v2(run) else shares


def _graph(run: Resolved) -> Guess:
    """Return what a graph keeps for a layer: the more kernels a layer starts, the more."""
    moe = run.shape.moe
    if any(layer.kind is LayerKind.MLA for layer in run.shape.kinds):
        return constants.GRAPH_SHARED
    if moe is None:
        return constants.GRAPH_DENSE
    has_dense = moe.shared_experts or moe.shared_intermediate or moe.dense_beside
    return constants.GRAPH_SHARED if has_dense else constants.GRAPH_EXPERTS


def _non_torch(run: Resolved, total: int) -> Guess:
    ranks, card = _ranks(run), run.card
    if _is_unified(run, total):
        return constants.NON_TORCH_UNIFIED
    if card is not None and card.vendor == "amd":
        guess = constants.NON_TORCH_ROCM
        return guess if ranks == 1 else guess._replace(high=constants.NON_TORCH_ROCM_LINKED_GIB)
    if ranks > 1:
        return linked(run, total)
    if run.era.charges_neighbours:
        return constants.NON_TORCH_WITH_CONTEXT
    return _non_torch_alone(run, total)


def _is_unified(run: Resolved, total: int = 0) -> bool:
    """Return whether the host uses the same memory; no card has 110 to 126 GiB of its own."""
    return run.card.is_unified if run.card else _HOSTS[0] <= total <= _HOSTS[1]


def _ranks(run: Resolved) -> int:
    return run.tensor_parallel * run.pipeline_parallel * (run.data_parallel if run.expert_parallel else 1)


def _non_torch_alone(run: Resolved, total: int) -> Guess:
    card, is_stated = run.card, run.version_is_stated
    is_slice = card is not None and "MIG" in card.name
    sold_with = card.memory if card is not None and card.vendor == "nvidia" and not is_slice else None
    if run.release >= (0, 18) and sold_with and total > int(sold_with) - SHOWS_ALL:
        return constants.NON_TORCH_WINDOWS
    if total < LARGE_CARD:
        old, new = constants.NON_TORCH_SMALL_CARD, constants.NON_TORCH_SMALL_CARD_NEW
        if run.release < (0, 20):
            return old
        return new if is_stated else new._replace(low=old.low)
    if run.is_v0 or run.release < (0, 18):
        return constants.NON_TORCH_SINGLE_OLD
    single, old = constants.NON_TORCH_SINGLE, constants.NON_TORCH_SINGLE_OLD
    return single if is_stated else single._replace(low=old.low)
