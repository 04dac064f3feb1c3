"""Batches that a prompt or its sequences do not fit, and settings of a batch that a release does not hear."""

from __future__ import annotations

from collections.abc import Iterator

from bot.deployment import Deployment
from bot.sizing.batch_defaults import hears_no_chunks
from bot.sizing.defaults import with_defaults
from bot.sizing.eras import release_of
from bot.sizing.terms import Refusal


def refuse(deployment: Deployment) -> Iterator[Refusal]:
    """Yield what vLLM refuses of a batch whose tokens were stated.

    Source: vLLM `config/scheduler.py`, verify_max_model_len; up to 0.11.0 SchedulerConfig._verify_args.
    """
    tokens, sequences = deployment.max_num_batched_tokens, deployment.max_num_seqs
    if tokens is None or tokens < 1:
        return
    if sequences is not None and sequences > tokens:
        yield Refusal(
            name="max_num_batched_tokens",
            message=f"max_num_batched_tokens ({tokens:,}) must be greater than or equal to max_num_seqs "
            f"({sequences:,}); raise the first or lower the second",
            problem="cli-bad-argument",
        )
    filled = with_defaults(deployment)[0]
    length = filled.max_model_len
    if length is not None and length > tokens and not deployment.auto_max_model_len and not _chunks(filled):
        yield Refusal(
            name="max_num_batched_tokens",
            message=f"max_num_batched_tokens ({tokens:,}) is smaller than max_model_len ({length:,}); without chunked "
            "prefill a whole prompt must fit in one batch",
            problem="cli-bad-argument",
        )


def doubts(asked: Deployment, filled: Deployment) -> Iterator[str]:
    """Yield what was stated of a batch and changes nothing, or more than is counted; `filled` has the defaults as well."""
    if asked.chunked_prefill is False and _chunks(filled):
        yield f"V1 of {filled.vllm_version} always prefills in chunks: --no-enable-chunked-prefill changes nothing before 0.11.1."
    if asked.chunked_prefill and filled.chunked_prefill is False:
        yield "A prompt that is read both ways cannot be cut into chunks: I counted whole ones, whatever the flag says."


def _chunks(filled: Deployment) -> bool:
    """Return whether prompts are prefilled in chunks, whatever was asked for."""
    release = release_of(filled.vllm_version) if filled.vllm_version else (999,)
    is_heard = filled.engine == "V0" or hears_no_chunks(release, filled.shape)
    return filled.chunked_prefill is not False or not is_heard
