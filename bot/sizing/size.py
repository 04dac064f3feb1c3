"""A deployment and what a log measured to its memory budget."""

from __future__ import annotations

from typing import Any

from bot.deployment import Deployment
from bot.sizing.cautions import cautions
from bot.sizing.checks.first_failure import first_failure
from bot.sizing.doubted_tokens import tokens_between
from bot.sizing.kv_cache import requests
from bot.sizing.kv_cache.pool import Pool
from bot.sizing.longest import longest_of
from bot.sizing.plain import Sizing, sizing
from bot.sizing.resolved import Resolved, UnknownFactsError
from bot.sizing.terms import Budget, Measured, said
from bot.units import Bytes

__all__ = ["UnknownFactsError", "size"]


def size(deployment: Deployment, measured: Measured | None = None) -> Budget:
    """Return the memory budget of the tightest GPU, as this version of vLLM would count it at start.

    A measured term replaces its estimate; a measured KV cache fixes the pool.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    return _dress(sizing(deployment, measured or Measured()), measured or Measured())


def _dress(found: Sizing, measured: Measured) -> Budget:
    run, account = found.run, found.account
    return Budget(
        deployment=run.deployment,
        era=f"{run.era.name} ({run.era.span})",
        total=Bytes(account.total),
        total_measured=account.total_measured,
        allowance=Bytes(account.allowance),
        terms=account.terms,
        **_memory_of_cache(found),
        **_held(found),
        longest_context=longest_of(found, measured, max(run.max_model_len, run.shape.max_position or 0)),
        **_verdict(found, measured),
        assumptions=said(found.assumed),
        warnings=cautions(found),
    )


def _memory_of_cache(found: Sizing) -> dict[str, Any]:
    run, account, pool = found.run, found.account, found.pool
    return {
        "kv_available": Bytes(account.kv),
        "kv_low": Bytes(account.kv_low),
        "kv_high": Bytes(account.kv_high),
        "kv_measured": account.kv_measured,
        "kv_bytes_per_token": bytes_per_token(run, pool),
        "bytes_per_block": Bytes(pool.bytes_per_block),
        "block_size": pool.block_size,
        "keeps_cache": not pool.is_empty,
    }


def _held(found: Sizing) -> dict[str, Any]:
    """Return what the cache holds of tokens and requests."""
    run, account, pool, held = found.run, found.account, found.pool, found.held
    low, high = (requests.held(amount, pool, run) for amount in (account.kv_low, account.kv_high))
    fewest, most = tokens_between(account.kv_low, account.kv_high, (low.tokens, high.tokens), run)
    return {
        "blocks": held.blocks,
        "kv_tokens": held.tokens,
        "kv_tokens_low": fewest,
        "kv_tokens_high": most,
        "concurrency": held.concurrency,
        "kv_needed": Bytes(held.needed),
        "is_within_margin": low.fits != high.fits,
        "at_lengths": requests.at_lengths(held.blocks, pool, run),
    }


def _verdict(found: Sizing, measured: Measured) -> dict[str, Any]:
    """Return whether it starts, and which check of that version fails first where it does not."""
    account, held = found.account, found.held
    failed = first_failure(found.run, account, found.pool, held, measured)
    return {"fits": (account.kv_measured or failed is None) and held.fits, "failed_check": failed}


def bytes_per_token(run: Resolved, pool: Pool) -> float:
    """Return what a token costs on one GPU: of one group exactly, of several on average over a full-length request."""
    if not pool.groups:
        return 0.0
    if len(pool.groups) == 1 and not pool.groups[0].spec.is_state:
        return pool.bytes_per_block / pool.block_size / run.context_parallel
    blocks = requests.blocks_per_request(run.max_model_len, pool, run)
    return blocks * pool.bytes_per_block / run.max_model_len
