"""Whether an estimate of the CUDA graphs is taken off the KV cache: by release, engine, model runner and environment."""

from __future__ import annotations

from bot.deployment import Deployment
from bot.sizing.defaults import with_defaults
from bot.sizing.eras import era_of, is_untagged, release_of
from bot.sizing.resolved import Resolved, resolve
from bot.sizing.runners import decides_runner_v2, uses_runner_v2

ESTIMATE_FLAG = "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS"
_ESTIMATED_FROM, _BY_RUNNER_V2_FROM = (0, 18), (0, 29)


def graphs_are_counted(run: Resolved) -> bool:
    """Return whether the estimate is taken off; model runner V2 has none before 0.29.

    Source: vLLM `v1/worker/gpu/model_runner.py`, profile_cudagraph_memory, of 0.20 to 0.29.
    """
    return _counts(run.deployment, has_runner_v2=uses_runner_v2(run))


def graphs_may_be_counted(told: Deployment) -> bool | None:
    """Return the same of a deployment as far as it was told; None without a version, or where an unknown model decides."""
    if told.vllm_version is None or is_untagged(told.vllm_version):
        return None
    if told.shape is not None:
        return graphs_are_counted(resolve(with_defaults(told)[0]))
    decided = decides_runner_v2(release_of(told.vllm_version), dict(told.environment))
    runners = (False, True) if decided is None else (decided,)
    found = {_counts(told, has_runner_v2=is_v2) for is_v2 in runners}
    return found.pop() if len(found) == 1 else None


def _counts(told: Deployment, *, has_runner_v2: bool) -> bool:
    assert told.vllm_version is not None
    release = release_of(told.vllm_version)
    era, flag = era_of(release, told.engine), dict(told.environment).get(ESTIMATE_FLAG)
    if era.engine == "V0" or release < _ESTIMATED_FROM or told.kv_cache_memory is not None:
        return False
    if has_runner_v2 and release < _BY_RUNNER_V2_FROM:
        return False
    return era.counts_graphs if flag is None else flag == "1"
