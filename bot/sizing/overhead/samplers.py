"""Which sampler vLLM profiles with, by version, environment and what a log tells."""

from __future__ import annotations

from typing import NamedTuple

from bot.sizing import constants
from bot.sizing.constants import Guess
from bot.sizing.overhead.processors import resident_threads
from bot.sizing.ranges import Estimate, exact
from bot.sizing.resolved import Resolved
from bot.sizing.runners import uses_runner_v2

FLAG = "VLLM_USE_FLASHINFER_SAMPLER"
_OPTIONAL_FROM, _OPTIONAL_UNTIL = (0, 8), (0, 11, 1)  # V1 samples by FlashInfer wherever (the right one) is installed
_BY_DEFAULT = (0, 21)
_OLDEST, _NEWEST = 7.5, 12.1  # compute capabilities that FlashInfer knows


class Sampler(NamedTuple):
    """How sampled tokens are drawn: bytes for each logit, and whether each multiprocessor keeps a scratch row."""

    per_logit: Guess
    has_scratch: bool = False


SORT = Sampler(constants.SORT_SAMPLER)
TRITON = Sampler(constants.TRITON_SAMPLER, has_scratch=True)
FLASHINFER = Sampler(constants.FLASHINFER_SAMPLER)
RUNNER_V2 = Sampler(constants.RUNNER_V2_SAMPLER)
RUNNER_V2_COPYING = Sampler(constants.RUNNER_V2_COPYING)
RUNNER_V2_WARM = Sampler(constants.RUNNER_V2_WARM)


def sampler_of(run: Resolved) -> Sampler:
    """Return the sampler that this version profiles with.

    FlashInfer where the log or the environment says so, by default from 0.21 on cards that it knows; Triton from 0.17 for
    8 rows or more (any number from 0.23). Without a version the middle of them is assumed.

    Source: vLLM `v1/sample/ops/topk_topp_sampler.py` and `envs.py`, of 0.17 to 0.33.
    """
    if run.is_v0:
        return SORT
    if run.version_is_stated and uses_runner_v2(run):
        return _of_runner_v2(run)
    if _flashinfer(run) is True and not uses_runner_v2(run):
        return FLASHINFER
    if run.version_is_stated and run.release >= _BY_DEFAULT and _flashinfer(run) is None and _knows_card(run):
        return FLASHINFER
    if run.release < (0, 17) or (run.release < (0, 23) and run.max_num_seqs < 8):
        return SORT
    return TRITON


def _knows_card(run: Resolved) -> bool:
    """Return whether FlashInfer runs on the card, as far as it is known."""
    card = run.card
    if card is None:
        return True
    return card.vendor == "nvidia" and _OLDEST <= (card.compute_capability or _OLDEST) <= _NEWEST


def _of_runner_v2(run: Resolved) -> Sampler:
    """Model runner V2 samples its dummies without top-k and top-p: on a copy in fp32 up to 0.25, from 0.33 a second time with all.

    Source: vLLM `v1/worker/gpu/sample/sampler.py`, apply_sampling_params, of 0.22, 0.26, 0.27 and 0.33.
    """
    if run.release < (0, 26):
        return RUNNER_V2_COPYING
    return RUNNER_V2 if run.release < (0, 33) else RUNNER_V2_WARM


def possible_samplers(run: Resolved) -> tuple[Sampler, ...]:
    """Return every sampler that it may be, the one that is assumed first.

    From 0.8 to 0.11.0 V1 samples by FlashInfer where that is installed, which only the log tells. Of an unstated version
    it may be any that a version within its bounds has.
    """
    found = [sampler_of(run)]
    if run.is_v0:
        return tuple(found)
    if may_be_flashinfer(run):
        found.append(FLASHINFER)
    if not run.version_is_stated:
        found += [RUNNER_V2] * run.may_be_from(_BY_DEFAULT)
        found += [SORT] * (run.may_be_before((0, 17)) and _flashinfer(run) is not True)
    return tuple(found)


def sampler_states(run: Resolved) -> int:
    """Return the bytes that model runner V2 keeps for penalties and masks: (sequences, vocabulary); counted from 0.27 on.

    Source: vLLM 0.27 `v1/worker/gpu/sample/penalties.py`, output_bin_counts and prompt_bin_mask, and `structured_outputs.py`;
    `utils/mem_utils.py` counts all that loading and building the runner took, where 0.26 counts weights and the peak.
    """
    is_counted = run.version_is_stated and run.era.counts_consumed and uses_runner_v2(run)
    if not is_counted or not run.shape.wiring.has_lm_head:
        return 0
    return round(constants.RUNNER_V2_STATES * run.max_num_seqs * run.shape.vocab)


def sampler_stack(run: Resolved) -> Estimate:
    """Return what the driver sets aside for the sampler's stack: as much for every thread that a card can have at once.

    Where four logits cannot be loaded at once, Triton's kernel keeps more than the registers hold.

    Source: vLLM 0.19 `v1/sample/ops/topk_topp_triton.py`, _topk_topp_kernel, whose VOCAB_SIZE is a constant, compiled by
    Triton 3.6 for compute capability 9.0: STACK as cuobjdump prints it for 9 vocabularies.
    """
    spills = run.shape.vocab % 4 and run.shape.wiring.has_lm_head and TRITON in possible_samplers(run)
    card = run.card
    if not spills or card is None or card.vendor != "nvidia":
        return exact(0)
    guess = constants.STACK_ODD if run.shape.vocab % 2 else constants.STACK_EVEN
    if sampler_of(run) is not TRITON:
        guess = guess._replace(value=0.0)
    amount, low, high = (round(stack * resident_threads(card)) for stack in guess[:3])
    return Estimate(amount, low, high, because=guess.origin)


def may_be_flashinfer(run: Resolved) -> bool:
    """Return whether FlashInfer may sample in a version whose default depends on what is installed."""
    is_optional = run.may_be_from(_OPTIONAL_FROM) and run.may_be_before(_OPTIONAL_UNTIL)
    return not run.is_v0 and is_optional and _flashinfer(run) is None


def _flashinfer(run: Resolved) -> bool | None:
    """Return whether FlashInfer samples, as far as the log or the environment says so; the log knows what is installed."""
    told, flag = run.deployment.flashinfer_sampler, run.environment.get(FLAG)
    if told is not None:
        return told
    return None if flag is None else flag.lower() in {"1", "true"}
