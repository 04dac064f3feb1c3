"""How many tokens the KV cache may hold where it is not known how they are stored."""

from __future__ import annotations

from bot.sizing.kv_cache import groups
from bot.sizing.kv_cache.requests import held
from bot.sizing.kv_dtypes import CHECKPOINT_DECIDES_FROM
from bot.sizing.resolved import Resolved, resolve

_MODELOPT = ("modelopt", "nvfp4")


def may_be_fp8(run: Resolved) -> bool:
    """Return whether the checkpoint may ask for an fp8 cache: ModelOpt's do so in a file that was not seen.

    Source: 25 of 28 ModelOpt repositories have `kv_cache_quant_algo: FP8` in their hf_quant_config.json.
    """
    quantization = run.shape.quantization
    if quantization is None or quantization.is_known or quantization.kv_cache or run.kv_dtype != "auto":
        return False
    is_modelopt = quantization.method.lower().startswith(_MODELOPT)
    return is_modelopt and run.may_be_from(CHECKPOINT_DECIDES_FROM)


def most_tokens(kv_bytes: int, tokens: int, run: Resolved) -> int:
    """Return the tokens that `kv_bytes` hold at most, `tokens` as they most likely are stored."""
    if not may_be_fp8(run):
        return tokens
    other = resolve(run.deployment.with_(kv_cache_dtype="fp8"), run.assumed)
    return max(tokens, held(kv_bytes, groups.pool(other), other).tokens)
