"""Which sampler vLLM profiles with, by version, environment and what a log tells."""

from __future__ import annotations

from typing import NamedTuple

from bot.sizing import constants
from bot.sizing.constants import Guess
from bot.sizing.resolved import Resolved
from bot.sizing.runners import uses_runner_v2

FLAG = "VLLM_USE_FLASHINFER_SAMPLER"
_OPTIONAL_FROM, _OPTIONAL_UNTIL = (0, 9), (0, 11, 1)  # V1 samples by FlashInfer wherever it is installed
_BY_DEFAULT = (0, 22)


class Sampler(NamedTuple):
    """How sampled tokens are drawn: bytes for each logit, and whether each multiprocessor keeps a scratch row."""

    per_logit: Guess
    has_scratch: bool = False


SORT = Sampler(constants.SORT_SAMPLER)
TRITON = Sampler(constants.TRITON_SAMPLER, has_scratch=True)
FLASHINFER = Sampler(constants.FLASHINFER_SAMPLER)
RUNNER_V2 = Sampler(constants.RUNNER_V2_SAMPLER)


def sampler_of(run: Resolved) -> Sampler:
    """Return the sampler that this version profiles with.

    FlashInfer where the log or the environment says so, by default from 0.22; Triton from 0.17 for 8 rows or more (any
    number from 0.24); model runner V2 profiles without top-k and top-p. Without a version the middle of them is assumed.

    Source: vLLM `v1/sample/ops/topk_topp_sampler.py`.
    """
    if run.is_v0:
        return SORT
    if not uses_runner_v2(run) and _flashinfer(run) is True:
        return FLASHINFER
    if run.release < (0, 17) or (run.release < (0, 24) and run.max_num_seqs < 8):
        return SORT
    if not run.version_is_stated:
        return TRITON
    if uses_runner_v2(run):
        return RUNNER_V2
    return TRITON if run.release < _BY_DEFAULT or _flashinfer(run) is False else FLASHINFER


def possible_samplers(run: Resolved) -> tuple[Sampler, ...]:
    """Return every sampler that it may be, the one that is assumed first.

    From 0.9 to 0.11.0 V1 samples by FlashInfer where that is installed, which only the log tells. Of an unstated version
    it may be any that a version within its bounds has. It is not sure that V1 before 0.9 profiles the sampler at all.
    """
    found = [sampler_of(run)]
    if run.is_v0:
        return tuple(found)
    if may_be_flashinfer(run):
        found.append(FLASHINFER)
    if run.release < (0, 9):
        found.append(RUNNER_V2)
    if not run.version_is_stated:
        found += [RUNNER_V2] * run.may_be_from(_BY_DEFAULT)
        found += [SORT] * (run.may_be_before((0, 17)) and _flashinfer(run) is not True)
    return tuple(found)


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
