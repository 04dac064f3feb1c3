"""The guides' calculator: KV cache per sequence and batch, speed, and the people a deployment serves."""

from __future__ import annotations

from typing import NamedTuple

from bot.sizing import constants, throughput
from bot.sizing.resolved import resolve
from bot.sizing.terms import Budget
from bot.sizing.throughput import Rate
from bot.units import Bytes

CONTEXT_TOKENS = 4096
ACTIVE_SHARE = 0.1
READING_SPEED = 10.0
"""Tokens a second that a person who reads along is content with."""


class Serving(NamedTuple):
    """What a deployment does once it runs; memory is of one GPU, speed and people of the whole deployment.

    A model that embeds or scores writes nothing that anybody reads along: it has a speed of reading alone.
    """

    context_tokens: int  # of one sequence, prompt and answer together
    kv_per_sequence: Bytes
    sequences: int  # held at once, all replicas together
    kv_of_batch: Bytes  # of as many sequences as one replica holds
    gpus: int
    active_share: float  # of the people connected, those with a request running
    decode_alone: Rate | None = None  # one sequence by itself
    decode: Rate | None = None  # as many as are held
    prefill: Rate | None = None
    users_by_memory: int | None = None
    users: int | None = None  # by memory and by speed

    @property
    def writes(self) -> bool:
        """Whether it generates, and does not only embed or score."""
        return self.users_by_memory is not None

    @property
    def sequences_per_gpu(self) -> float:
        """The sequences held at once, shared out over the GPUs."""
        return self.sequences / self.gpus

    @property
    def users_per_gpu(self) -> float | None:
        """The people served, shared out over the GPUs."""
        return None if self.users is None else self.users / self.gpus


def serving(budget: Budget, context_tokens: int | None = None, active_share: float = ACTIVE_SHARE) -> Serving:
    """Return what a sized deployment does once it runs.

    Args:
        budget: A deployment that was sized.
        context_tokens: Length of a sequence; 4096, or the whole context where that is shorter.
        active_share: Above 0 and at most 1.

    Source: the roofline model; its efficiency stands in `constants`.
    """
    run = resolve(budget.deployment)
    tokens = min(context_tokens or CONTEXT_TOKENS, budget.deployment.max_model_len or context_tokens or CONTEXT_TOKENS)
    held = throughput.sequences_held(budget, tokens)
    each = throughput.kv_read(run, tokens)
    writes = run.shape.wiring.has_lm_head
    return Serving(
        context_tokens=tokens,
        kv_per_sequence=Bytes(each),
        sequences=held * run.data_parallel,
        kv_of_batch=Bytes(each * held),
        gpus=run.tensor_parallel * run.pipeline_parallel * run.data_parallel,
        active_share=active_share,
        decode_alone=throughput.decode_rate(budget, 1, tokens) if writes else None,
        decode=throughput.decode_rate(budget, held, tokens) if writes else None,
        prefill=throughput.prefill_rate(budget),
        users_by_memory=int(held * run.data_parallel / active_share) if writes else None,
        users=throughput.connected_users(budget, tokens, active_share, READING_SPEED) if writes else None,
    )


def efficiency(*, writes: bool = True) -> str:
    """Say how much of the roofline a deployment is taken to reach, one that only reads by its prefill."""
    decode, prefill = constants.DECODE_EFFICIENCY, constants.PREFILL_EFFICIENCY
    writing = f"decode at {decode.low:.0%}–{decode.high:.0%} of the memory bandwidth, " if writes else ""
    return f"{writing}prefill at {prefill.low:.0%}–{prefill.high:.0%} of the arithmetic"
