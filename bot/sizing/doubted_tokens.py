"""How many tokens the KV cache may hold where it is not known how they are stored."""

from __future__ import annotations

from bot.sizing.defaults import with_defaults
from bot.sizing.kv_cache import groups
from bot.sizing.kv_cache.requests import held
from bot.sizing.kv_cache.states import LINEAR_KINDS
from bot.sizing.kv_dtypes import CHECKPOINT_DECIDES_FROM
from bot.sizing.resolved import Resolved, resolve

_MODELOPT = ("modelopt", "nvfp4")
_STATES_KEPT = frozenset({"prefix_caching", "mamba_cache_mode"})


def may_be_fp8(run: Resolved) -> bool:
    """Return whether the checkpoint may ask for an fp8 cache: ModelOpt's do so in a file that was not seen.

    Source: 25 of 28 ModelOpt repositories have `kv_cache_quant_algo: FP8` in their hf_quant_config.json.
    """
    quantization = run.shape.quantization
    if quantization is None or quantization.is_known or quantization.kv_cache or run.kv_dtype != "auto":
        return False
    is_modelopt = quantization.method.lower().startswith(_MODELOPT)
    return is_modelopt and run.may_be_from(CHECKPOINT_DECIDES_FROM)


def tokens_between(least: int, most: int, tokens: tuple[int, int], run: Resolved) -> tuple[int, int]:
    """Return the tokens that `least` and that `most` bytes hold, `tokens` as they most likely are stored."""
    low, high = tokens
    if may_be_fp8(run):
        high = max(high, _held(most, resolve(run.deployment.with_(kv_cache_dtype="fp8"), run.assumed)))
    other = with_other_states(run)
    if other is None:
        return low, high
    return min(low, _held(least, other)), max(high, _held(most, other))


def with_other_states(run: Resolved) -> Resolved | None:
    """Return the run that keeps as many states of a request as prefix caching wants, where nobody told whether it is on.

    Who shows the command has told: a flag that is not there is vLLM's default.
    """
    keeps_states = any(layer.kind in LINEAR_KINDS for layer in run.shape.kinds)
    if not keeps_states or not run.assumed >= _STATES_KEPT or run.deployment.launcher is not None:
        return None
    told = run.deployment.with_(prefix_caching=not run.deployment.prefix_caching, mamba_cache_mode=None)
    return resolve(with_defaults(told)[0], run.assumed)


def _held(kv_bytes: int, run: Resolved) -> int:
    return held(kv_bytes, groups.pool(run), run).tokens
