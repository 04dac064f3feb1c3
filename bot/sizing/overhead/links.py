"""What several GPUs take beside torch, by the link between them."""

from __future__ import annotations

from bot.sizing import constants
from bot.sizing.constants import Guess
from bot.sizing.eras import Release
from bot.sizing.generations import BLACKWELL, HOPPER, LARGE_CARD, WORKSTATION, generation_of
from bot.sizing.resolved import Resolved

_BOARD = 8  # GPUs that are sold on one board, NVLink between them
_FUSES_FROM = (0, 17)
_ONE_BUFFER_FROM, _THREE = (0, 25), 3
_FUSES_RANKS = frozenset({2, 4, 8})
_FUSE_ALONE = ((0, 17), (0, 21))  # releases that do so without replicas and without stages
_FUSE_BESIDE_REPLICAS = ((0, 23), (0, 24))  # and those that do so without stages
_OVER_NVLINK = frozenset(
    guess.origin
    for guess in (constants.NON_TORCH_NVLINK, constants.NON_TORCH_NVLINK_OLD, constants.NON_TORCH_NVLINK_OLD_MANY)
)


def linked(run: Resolved, total: int) -> Guess:
    """Return what several GPUs take beside torch, in GiB.

    What a log tells of the link counts before what the card's name promises; unknown, the range holds both.
    """
    found = _by_link(run, total)
    if not run.era.charges_neighbours:
        return found
    alone, context = constants.NON_TORCH_SMALL_CARD, constants.NON_TORCH_WITH_CONTEXT
    return _plus(found, context.value - alone.value, context.low - alone.low, context.high - alone.high)


def is_over_nvlink(guess: Guess) -> bool:
    """Return whether the figure is that of NVLink on Hopper or later."""
    return guess.origin in _OVER_NVLINK


def fuses_all_reduce(run: Resolved) -> bool:
    """Return whether compiling fuses the all-reduce with the norm behind it, which takes FlashInfer's multicast buffers.

    Three of them, from 0.25 on one, each rounded up to the recommended granularity of multicast: 512 MiB.

    Source: vLLM `config/vllm.py`, enable_allreduce_rms_fusion, of 0.17 to 0.33, and `flashinfer_all_reduce.py`,
    _resolve_fi_ar_backend, of 0.24 and 0.25; FlashInfer `comm/mnnvl.py`, SymmDeviceMemory, and `trtllm_mnnvl_ar.py`.
    """
    has_multicast = run.card is None or generation_of(run.card) in {HOPPER, BLACKWELL}
    if run.release < _FUSES_FROM or run.deployment.enforce_eager or not has_multicast:
        return False
    is_staged, is_replicated = run.pipeline_parallel > 1, run.data_parallel > 1
    if _lies_in(run, _FUSE_ALONE) and (is_staged or is_replicated):
        return False
    return run.tensor_parallel in _FUSES_RANKS and not (_lies_in(run, _FUSE_BESIDE_REPLICAS) and is_staged)


def _lies_in(run: Resolved, span: tuple[Release, Release]) -> bool:
    return span[0] <= run.release < span[1]


def _by_link(run: Resolved, total: int) -> Guess:
    link, by_card = run.deployment.gpu_link, _by_card(run, total)
    is_staged_only = run.tensor_parallel == 1 and not run.expert_parallel
    if by_card is None or is_staged_only or link == "pcie":
        return _pcie(run)
    if link == "network" or (run.deployment.nodes or 1) > 1:  # one GPU a node, or several with NVLink in between
        return _pcie(run)._replace(high=by_card.high + constants.NON_TORCH_NODES_GIB * is_over_nvlink(by_card))
    return by_card


def _by_card(run: Resolved, total: int) -> Guess | None:
    """NVLS and symmetric memory need Hopper or later; a consumer card's NVLink bridge changes nothing."""
    capability = (run.card.compute_capability if run.card else None) or 0.0
    has_nvlink = run.card.has_nvlink if run.card else total >= LARGE_CARD
    if not has_nvlink or capability >= WORKSTATION:
        return None
    if 0 < capability < HOPPER:
        return _by_name(run) if capability in {7.0, 8.0} else None
    return _over_nvlink(run)


def _over_nvlink(run: Resolved) -> Guess:
    """Grow with the number of peers; before 0.11 NCCL's first buffers are taken after the first reading, and count."""
    if run.era.counts_base_context:
        return _over_nvlink_once(run)
    peer, peers = constants.NON_TORCH_PEER, max(run.tensor_parallel, run.data_parallel) - 1
    found = _plus(constants.NON_TORCH_NVLINK, *(each * peers for each in peer[:3]))
    most = _THREE * constants.MULTICAST_GIB
    fused = (most if run.release < _ONE_BUFFER_FROM else constants.MULTICAST_GIB) * fuses_all_reduce(run)
    is_stated = run.version_is_stated
    return _plus(found, fused, fused * is_stated, fused if is_stated else most)


def _over_nvlink_once(run: Resolved) -> Guess:
    """Return what it was before 0.11; what took most of it behind latent attention on V0 nothing explains."""
    if run.tensor_parallel <= 2:
        return constants.NON_TORCH_NVLINK_OLD
    guess = constants.NON_TORCH_NVLINK_OLD_MANY
    is_latent = run.shape.mla is not None and run.release < (0, 8)
    return guess._replace(high=constants.NON_TORCH_LATENT_OLD_GIB) if is_latent else guess


def _plus(guess: Guess, value: float, low: float, high: float) -> Guess:
    return guess._replace(value=guess.value + value, low=guess.low + low, high=guess.high + high)


def _by_name(run: Resolved) -> Guess:
    """An A100 or V100 is sold with NVLink and without, in eights with it alone; in clouds even boards that have it hide it."""
    is_eight = run.tensor_parallel >= _BOARD
    is_told = run.deployment.gpu_link == "nvlink" or "SXM" in (run.deployment.gpu or "").upper()
    if is_eight and run.era.counts_base_context:
        return constants.NON_TORCH_AMPERE_EIGHT
    return constants.NON_TORCH_NVLINK_AMPERE if is_told or is_eight else constants.NON_TORCH_AMPERE


def _pcie(run: Resolved) -> Guess:
    """No log of 0.20 or later prints it, and one card takes more there."""
    guess = constants.NON_TORCH_PCIE
    return guess if run.release < (0, 20) else guess._replace(high=constants.NON_TORCH_SMALL_CARD_NEW.high)
