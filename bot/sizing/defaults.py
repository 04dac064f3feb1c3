"""What vLLM does when nobody says: defaults by version, GPU and entrypoint, each stated as an assumption."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from bot.deployment import Deployment
from bot.model_shape import LayerKind, ModelShape
from bot.sizing import batch_defaults, dtypes, kv_dtypes
from bot.sizing.batch_defaults import Default
from bot.sizing.checks.layout import takes
from bot.sizing.engines import default_engine
from bot.sizing.eras import Release, is_untagged, release_of
from bot.sizing.kv_cache.states import LINEAR_KINDS
from bot.sizing.pooling import as_served
from bot.sizing.terms import Assumption, said
from bot.sizing.version_prior import likely_version


class Known(NamedTuple):
    """The facts so far, stated or assumed."""

    facts: dict[str, Any]
    release: Release
    deployment: Deployment

    @property
    def shape(self) -> ModelShape | None:
        """The model's, if it is known."""
        return self.deployment.shape


Assumed = dict[str, Default]
V0_CHUNKS_ABOVE = 32_768
_HEEDED = (
    "card", "cudagraph_capture_sizes", "gpu_count", "gpu_memory", "launcher", "performance_mode", "speculation",
)  # fmt: skip  # defaults follow them
_KEEPS_NO_TOKENS = LINEAR_KINDS | {LayerKind.NONE, LayerKind.ENCODER}
_DRAFTED_ON_GPU = frozenset({"dflash", "dspark", "ngram_gpu"})


def with_defaults(deployment: Deployment) -> tuple[Deployment, tuple[Assumption, ...]]:
    """Return the deployment with every setting that sizing needs, and one assumption for each that nobody stated."""
    filled, assumed = fill(deployment)
    return filled, said(assumed)


def fill(deployment: Deployment) -> tuple[Deployment, Assumed]:
    """Return the deployment with every setting that sizing needs, and the values that nobody stated with their reasons."""
    deployment = as_served(deployment)
    facts = {name: getattr(deployment, name) for name in (*_DEFAULTS, *_HEEDED)}
    assumed: dict[str, Default] = {}
    if deployment.vllm_version is None or is_untagged(deployment.vllm_version):
        assumed["vllm_version"] = likely_version(deployment)
        facts["vllm_version"] = assumed["vllm_version"][0]
    known = Known(facts, release_of(facts["vllm_version"]), deployment)
    for name, default in _DEFAULTS.items():
        if facts[name] is None and (found := default(known)) is not None:
            assumed[name] = found
            facts[name] = found[0]
    _cap_sequences(known, assumed)
    if not assumed:
        return deployment, assumed
    return deployment.with_(**{name: value for name, (value, _) in assumed.items()}), assumed


def _engine(known: Known) -> Default:
    return default_engine(known.deployment, known.release)


def _entrypoint(known: Known) -> Default:
    if known.facts["launcher"] == "python":
        return "offline", "started from Python"
    return "server", "vllm serve"


def _utilization(known: Known) -> Default:
    return (0.92, "default from 0.20.0") if known.release >= (0, 20) else (0.9, "default up to 0.19")


def _tensor_parallel(known: Known) -> Default:
    """One GPU is vLLM's default; a count of GPUs without a layout is read as the wish to use them together."""
    gpus, shape = known.facts["gpu_count"] or 1, known.shape
    others = (known.facts["pipeline_parallel"] or 1) * (known.facts["data_parallel"] or 1)
    share = gpus // others
    if known.facts["card"] is not None and " MIG " in known.facts["card"].name:
        return 1, "MIG slices cannot be joined"
    if share <= 1 or known.facts["launcher"] is not None or shape is None:
        return 1, "vLLM's default"
    most = next((size for size in range(min(share, shape.heads), 1, -1) if takes(shape, size)), 1)
    return most, f"{gpus} GPUs, used together as far as the model can be split"


def _max_model_len(known: Known) -> Default | None:
    if known.shape is None:
        return None
    if known.shape.max_position is None:
        return 2048, "the model names no longest context; vLLM then takes 2,048"
    return known.shape.max_position, "the model's own longest context"


def _dtype(known: Known) -> Default | None:
    return None if known.shape is None else dtypes.default(known.shape, known.release, known.facts["card"])


def _kv_cache_dtype(known: Known) -> Default | None:
    if known.shape is None:
        return None
    return kv_dtypes.default(known.shape, known.release, known.facts["card"])


def _chunked_prefill(known: Known) -> Default:
    """Source: vLLM `engine/arg_utils.py`, _set_default_args_v0, and of 0.10.1 to 0.33 for models that read both ways."""
    if known.facts["engine"] == "V1" and known.shape is not None and known.shape.reads_both_ways:
        return False, "off for models that read a prompt both ways"
    if known.facts["engine"] == "V1" and known.shape is not None and known.shape.hears_an_encoder:
        return False, "off for models with an encoder"
    if known.facts["engine"] == "V1":
        return True, "always on in V1"
    is_long = (known.facts["max_model_len"] or 0) > V0_CHUNKS_ABOVE
    if known.release >= (0, 5, 3) and is_long and not _lacks_chunks(known):
        return True, f"V0 turns it on above {V0_CHUNKS_ABOVE:,} tokens of context"
    return False, "V0's default"


def _lacks_chunks(known: Known) -> bool:
    """Return whether V0 has no chunked prefill for it: images, LoRA, speculation, windows, from 0.8 latent attention."""
    told, shape = known.deployment, known.shape
    if shape is None:
        return bool(told.lora or told.speculation)
    has_windows = any(layer.window for layer in shape.kinds)
    is_latent = shape.mla is not None and known.release >= (0, 8)
    is_pooling = not shape.wiring.has_lm_head and known.release >= (0, 6, 5)
    is_odd = has_windows or is_latent or is_pooling or (_keeps_states(shape) and known.release < (0, 6, 3))
    return bool(shape.vision is not None or told.lora or told.speculation or is_odd)


def _prefix_caching(known: Known) -> Default:
    """Source: vLLM `config/model.py`, is_prefix_caching_supported, and `engine/arg_utils.py`, of 0.11.1 to 0.33."""
    if known.facts["engine"] == "V0":
        return False, "V0's default"
    if _keeps_states(known.shape) and known.release < (0, 28):
        return False, "off for models with state layers before 0.28"
    if known.shape is not None and known.shape.hears_an_encoder:
        return False, "off for models with an encoder"
    if known.shape is not None and all(layer.kind in _KEEPS_NO_TOKENS for layer in known.shape.kinds):
        return False, "off where no tokens are kept"
    return True, "V1's default"


def _mamba_cache_mode(known: Known) -> Default | None:
    """Source: vLLM `model_executor/models/config.py`, MambaModelConfig, of 0.11.1 to 0.33."""
    if not _keeps_states(known.shape):
        return None
    if not known.facts["prefix_caching"] or known.release < (0, 11, 1):
        return "none", "no prefix caching"
    kinds = {layer.kind for layer in known.shape.kinds} if known.shape else set()
    if known.release < (0, 28) and any(kind.startswith("mamba") for kind in kinds):
        return "all", "prefix caching of Mamba layers before 0.28"
    if known.release < (0, 15):
        return "none", "no prefix caching of these state layers before 0.15"
    return "align", "prefix caching of state layers"


def _async_scheduling(known: Known) -> Default:
    """Source: vLLM `config/vllm.py`, async_scheduling, of 0.14 to 0.33."""
    if known.facts["engine"] != "V1" or known.release < (0, 14):
        return False, "off by default before 0.14"
    if known.release < (0, 15) and known.facts["pipeline_parallel"] > 1:
        return False, "off for pipeline stages in 0.14"
    if known.shape is not None and not known.shape.wiring.has_lm_head and known.release >= (0, 20):
        return False, "off for models that embed or score"
    if known.deployment.speculation is not None and not _drafts_ahead(known):
        return False, "off for this kind of speculation"
    return True, "on by default from 0.14"


def _drafts_ahead(known: Known) -> bool:
    """Return whether the speculation leaves scheduling asynchronous: heads do, draft models from 0.28, most from 0.33."""
    speculation = known.deployment.speculation
    kind = speculation.kind if speculation else "draft_model"
    if kind == "draft_model" or known.release >= (0, 33):
        return known.release >= (0, 28) and kind != "suffix"
    return kind.startswith("eagle") or kind == "mtp" or kind in _DRAFTED_ON_GPU


def _hybrid_kv_cache(known: Known) -> Default:
    """Source: vLLM `config/vllm.py`, need_disable_hybrid_kv_cache_manager, of 0.9.1 to 0.24."""
    named = {word.partition("=")[0] for word in known.deployment.other_arguments}
    if "--kv-transfer-config" in named and known.release < (0, 22):
        return False, "off with a KV connector before 0.22"
    if "--kv-events-config" in named and known.release < (0, 20):
        return False, "off with KV events before 0.20"
    return True, "vLLM's default"


def _keeps_states(shape: ModelShape | None) -> bool:
    return shape is not None and any(layer.kind in LINEAR_KINDS for layer in shape.kinds)


def _max_num_seqs(known: Known) -> Default:
    return batch_defaults.max_num_seqs(known.facts, known.release)


def _max_num_batched_tokens(known: Known) -> Default:
    return batch_defaults.max_num_batched_tokens(known.facts, known.release, known.shape)


def _max_capture(known: Known) -> Default:
    return batch_defaults.max_capture(known.facts, known.release, known.shape)


def _constant(value: Any, because: str) -> Callable[[Known], Default]:
    return lambda _known: (value, because)


# In this order: a later default may look at an earlier one.
_DEFAULTS: dict[str, Callable[[Known], Default | None]] = {
    "vllm_version": lambda _known: None,
    "engine": _engine,
    "entrypoint": _entrypoint,
    "pipeline_parallel": _constant(1, "vLLM's default"),
    "data_parallel": _constant(1, "vLLM's default"),
    "tensor_parallel": _tensor_parallel,
    "expert_parallel": _constant(value=False, because="vLLM's default"),
    "decode_context_parallel": _constant(1, "vLLM's default"),
    "gpu_memory_utilization": _utilization,
    "max_model_len": _max_model_len,
    "dtype": _dtype,
    "kv_cache_dtype": _kv_cache_dtype,
    "enforce_eager": _constant(value=False, because="vLLM's default"),
    "chunked_prefill": _chunked_prefill,
    "prefix_caching": _prefix_caching,
    "mamba_cache_mode": _mamba_cache_mode,
    "async_scheduling": _async_scheduling,
    "hybrid_kv_cache": _hybrid_kv_cache,
    "max_num_batched_tokens": _max_num_batched_tokens,
    "max_num_seqs": _max_num_seqs,
    "max_cudagraph_capture_size": _max_capture,
}


def _cap_sequences(known: Known, assumed: dict[str, Default]) -> None:
    """A sequence needs a token of the batch: vLLM caps its own default, and refuses a stated one."""
    tokens, sequences = known.facts["max_num_batched_tokens"], known.facts["max_num_seqs"]
    if "max_num_seqs" in assumed and tokens and sequences > tokens:
        assumed["max_num_seqs"] = (tokens, "no more sequences than batched tokens")
        known.facts["max_num_seqs"] = tokens
