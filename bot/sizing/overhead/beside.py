"""Memory beside weights, activations and the KV cache: non-torch buffers, CUDA graphs, other processes."""

from __future__ import annotations

from bot.model_shape import LayerKind
from bot.sizing import constants
from bot.sizing.constants import Guess
from bot.sizing.eras import GRAPHS_COUNTED_FROM
from bot.sizing.generations import BLACKWELL, HOPPER, LARGE_CARD, generation_of, likely_generation
from bot.sizing.kv_cache.states import LINEAR_KINDS
from bot.sizing.overhead.activations import layer_peak
from bot.sizing.overhead.compiling import with_code
from bot.sizing.overhead.links import is_over_nvlink, linked
from bot.sizing.overhead.samplers import sampler_stack
from bot.sizing.ranges import GIB, Estimate, exact, together
from bot.sizing.resolved import Resolved
from bot.sizing.runners import uses_runner_v2

FEW_GRAPHS = 24
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


def cuda_graphs(run: Resolved, *, counted: bool = False) -> Estimate:
    """Return what capturing CUDA graphs takes, or the estimate of it that is `counted` from 0.20 on.

    What the first capture takes, and layers × captured graphs × a constant: a graph keeps buffers for each layer.

    Source: measured on start-up logs of 0.19; vLLM 0.20 `v1/worker/gpu_worker.py`, estimate of CUDA graphs.
    """
    if run.deployment.enforce_eager:
        return exact(0)._replace(because="eager mode captures nothing")
    if run.is_v0:
        guess = constants.GRAPH_V0
        return _in_gib(guess, "decode graphs")
    layers, graphs = run.shape.layers / run.pipeline_parallel, captured_graphs(run)
    guess = _graph(run)
    amount = (constants.GRAPH_FIRST_GIB + guess.value / 1024 * layers * graphs) * GIB * (graphs > 0)
    shares = [_spread(run, guess, graphs), *_shares(run)]
    for share in shares[1:]:
        amount *= share.value
    low, high = together(shares)
    if not run.version_is_stated and run.may_be_before(GRAPHS_COUNTED_FROM):
        low = 0.0  # graphs were not counted at all
    if not counted:
        amount *= constants.GRAPH_REAL_SHARE.value
    first = f"{constants.GRAPH_FIRST_GIB:g} GiB for the first"
    formula = f"{first} + {guess.value:.2f} MiB × {round(layers)} layers × {graphs} graphs"
    found = Estimate(round(amount), round(amount * low), round(amount * high), formula, guess.origin)
    if counted or not graphs:
        return found
    return _as_printed(run, found._replace(low=round(amount * (constants.GRAPH_UNIFIED if _is_unified(run) else low))))


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
    if any(layers.layer.kind in LINEAR_KINDS for layers in run.shape.runs):
        return constants.GRAPH_STATES
    few = constants.GRAPH_FEW
    return guess._replace(value=1.0) if graphs >= FEW_GRAPHS else few


def _in_gib(guess: Guess, formula: str) -> Estimate:
    low, high = round(guess.low * GIB), round(guess.high * GIB)
    return Estimate(round(guess.value * GIB), low, high, formula, guess.origin, "measured on start-up logs")


def captured_graphs(run: Resolved) -> int:
    """Return how many graphs are captured: all sizes piecewise, and those that decoding reaches as full graphs.

    Sizes are 1, 2, 4, then every 8, and from 0.11.1 every 16 above 256. Models that embed get no full graphs.

    Source: vLLM `config/vllm.py`, _set_cudagraph_sizes and __post_init__, and `v1/cudagraph_dispatcher.py`.
    """
    largest = run.deployment.max_cudagraph_capture_size or min(2 * run.max_num_seqs, 512)
    mode = (run.deployment.cudagraph_mode or "").upper()
    if mode == "NONE":
        return 0
    piecewise = capture_sizes(largest, run)
    full = capture_sizes(min(largest, run.max_num_seqs * (1 + run.spec_tokens)), run)
    if mode == "PIECEWISE" or not _may_be_whole(run):
        return piecewise
    return full if mode in {"FULL", "FULL_DECODE_ONLY"} else piecewise + full


def _may_be_whole(run: Resolved) -> bool:
    """Return whether a graph may hold attention too: not Triton's for latent attention before 0.22, nor that of chunks.

    Source: vLLM `v1/attention/backends/mla/triton_mla.py` of 0.21 and 0.22; `chunked_local_attention.py`, of 0.11 to 0.33.
    """
    if run.release < (0, 11) or not run.shape.wiring.has_lm_head:
        return False
    kinds = {layers.layer.kind for layers in run.shape.runs}
    is_triton = run.card is not None and generation_of(run.card) not in {HOPPER, BLACKWELL}
    return LayerKind.CHUNKED not in kinds and not (LayerKind.MLA in kinds and is_triton and run.release < (0, 22))


def capture_sizes(largest: int, run: Resolved) -> int:
    """Return how many batch sizes up to `largest` are captured."""
    small = sum(size <= largest for size in (1, 2, 4))
    if run.release < (0, 11, 1):
        return small + largest // 8
    return small + min(largest, 256) // 8 + max(0, largest - 256) // 16


def _shares(run: Resolved) -> list[Guess]:
    """Return what scales the figure, which comes from model runner V1 on Hopper."""
    shares = [] if _is_hopper(run) else [constants.GRAPH_OTHER_CARD]
    if run.shape.model_type in constants.LAYERS_UNMODELLED:
        shares.append(constants.GRAPH_UNMODELLED)
    return [*shares, constants.GRAPH_RUNNER_V2] if uses_runner_v2(run) else shares


def _is_hopper(run: Resolved) -> bool:
    """Whether it is the card that the constants come from; a card known only by 70 GiB or more most likely is."""
    return likely_generation(run.card, run.deployment.gpu_memory) == HOPPER


def _graph(run: Resolved) -> Guess:
    if any(layers.layer.kind is LayerKind.MLA for layers in run.shape.runs):
        return constants.GRAPH_LATENT
    return constants.GRAPH_EXPERTS if run.shape.moe is not None else constants.GRAPH_DENSE


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
