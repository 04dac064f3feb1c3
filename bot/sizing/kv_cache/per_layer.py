"""What each layer keeps in the KV cache: bytes per token, or bytes per sequence for state layers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import groupby
from typing import NamedTuple

from bot.deployment import Speculation
from bot.model_shape import Layer, LayerKind, LayerRun, Mla, ModelShape
from bot.sizing import kv_dtypes
from bot.sizing.each_kind import by_run, counts
from bot.sizing.kv_cache.states import LINEAR_KINDS, StateWidths, own_dtype, state_bytes
from bot.sizing.resolved import Resolved
from bot.sizing.weights.drafts import last_attention, prediction_layer
from bot.sizing.weights.tensors import rounded_up

KEEPS_NOTHING = frozenset({LayerKind.ENCODER, LayerKind.SHARED, LayerKind.NONE})
FRAMES = 1500  # encoder positions of the models with cross attention
_KEEPS_NO_DRAFTS = frozenset({"ngram", "ngram_gpu", "suffix", "medusa", "mlp_speculator"})
POOLS_FROM = (0, 4, 3)
KEPT_WHOLE = 2  # layers at either end that TurboQuant leaves in the model's own type
DFLASH_LAYERS = 5
_DFLASH = Layer(kind=LayerKind.FULL, kv_heads=8, head_dim=128)
"""The draft of Qwen3.6-27B by two logs of 0.20; others have a few layers more or less."""
_INDEXED = {  # models with heads and an index: bytes of one key of 128 elements in 16 bits, and the tokens it stands for
    "minimax_m3": (256, 1),
    "minimax_m3_vl": (256, 1),
    "qwen4_exp": (256, 4),
}
"""Source: vLLM `models/minimax_m3/common/indexer.py` and `models/qwen4_exp/common/qsa_cache.py`, get_kv_cache_spec."""


class Spec(NamedTuple):
    """What one layer asks of the KV cache on one GPU; two layers with equal specs share a pool."""

    kind: str  # a LayerKind
    token_bytes: int = 0  # of one token, its index key included; 0 for state layers
    state_bytes: int = 0  # of one sequence, whatever its length
    window: int | None = None  # sliding window or chunk, in tokens
    index_bytes: int = 0  # of one token's index key, for sparse attention
    tail_blocks: int = 0  # beside the tokens' own: the newest index keys, not pooled yet
    head_dim: int = 0  # of keys; vLLM pools layers with other heads apart, be their bytes the same

    @property
    def is_state(self) -> bool:
        """Whether it keeps a state rather than tokens."""
        return self.state_bytes > 0


SpecRun = tuple[Spec, int]


def specs(run: Resolved) -> tuple[SpecRun, ...]:
    """Return the specs of the model's layers in model order, with the draft's layers after them.

    V0 keeps no cache for models that embed or score: vLLM `engine/llm_engine.py` of 0.4.3 to 0.10.1.
    """
    if run.is_v0 and run.release >= POOLS_FROM and not run.shape.wiring.has_lm_head:
        return ()
    found = _specs_of((*run.shape.runs, *draft_runs(run)), run)
    return _with_whole_ends(found, run) if run.kv_dtype.startswith("turboquant") else found


def _specs_of(runs: Iterable[LayerRun], run: Resolved) -> tuple[SpecRun, ...]:
    kept = by_run(runs, lambda layer: layer_specs(layer, run))
    return tuple((spec, count) for found, count in kept for spec in found)


def _with_whole_ends(found: tuple[SpecRun, ...], run: Resolved) -> tuple[SpecRun, ...]:
    """Keep the first and the last two layers in the model's own type, but for models with state layers.

    Source: vLLM `layers/quantization/turboquant/config.py`, get_boundary_skip_layers.
    """
    layers = [spec for spec, count in found for _ in range(count)]
    if any(spec.is_state for spec in layers):
        return found
    plain = by_run(run.shape.runs, partial(layer_specs, run=run._replace(kv_dtype="auto")))
    whole = [spec for kept, count in plain for spec in kept * count]
    ends = min(KEPT_WHOLE, len(layers) // 2)
    middle = layers[ends : len(layers) - ends]
    kept = (*whole[:ends], *middle, *whole[len(layers) - ends : len(layers)])
    return tuple((spec, len([*same])) for spec, same in groupby(kept))


def layer_specs(layer: Layer, run: Resolved) -> tuple[Spec, ...]:
    """Return what one layer keeps; Falcon-H1 keeps tokens and a state side by side, Whisper its own tokens and a recording.

    In V0 both attentions of a layer fill one cache: vLLM 0.10 `utils/__init__.py`, bind_kv_cache.
    """
    if layer.beside is LayerKind.CROSS and run.is_v0:
        layer = layer.model_copy(update={"beside": None})
    kinds = (layer,) if layer.beside is None else (layer, layer.model_copy(update={"kind": layer.beside}))
    return tuple(spec for kind in kinds if (spec := layer_spec(kind, run)) is not None)


def layer_spec(layer: Layer, run: Resolved) -> Spec | None:
    """Return what one layer keeps in the cache; None if it keeps nothing, as states in V0."""
    if layer.kind in KEEPS_NOTHING:
        return None
    if layer.kind in LINEAR_KINDS:
        return None if run.is_v0 else _state_spec(layer.kind, run)
    if layer.kind is LayerKind.MLA:
        return _latent_spec(layer, run)
    per_head = kv_dtypes.heads_bytes(run.kv_dtype, run.model_width, *head_dims(layer, run))
    key, pooled = _index(layer, run)
    size = local_kv_heads(layer, run) * per_head + key
    tail, keys = int(pooled > 1), head_dims(layer, run)[0]
    return Spec(layer.kind.value, size, window=layer.window, index_bytes=key, tail_blocks=tail, head_dim=keys)


def _index(layer: Layer, run: Resolved) -> tuple[int, int]:
    """Return the bytes of a token's index key beside heads, and the tokens that one key stands for."""
    key, pooled = _INDEXED.get(run.shape.model_type or "", (0, 1))
    return (key // pooled, pooled) if key and (layer.has_indexer or pooled > 1) else (0, 1)


def local_kv_heads(layer: Layer, run: Resolved) -> int:
    """Return the KV heads on one GPU: heads are dealt out until each rank has one, then replicated."""
    return max(1, (layer.kv_heads or run.shape.kv_heads) // run.tensor_parallel)


def head_dims(layer: Layer, run: Resolved) -> tuple[int, int]:
    """Return the key and the value dimension of a head; before 0.14 the cache kept values as wide as keys."""
    keys = layer.head_dim or run.shape.head_dim
    values = layer.v_head_dim or keys
    return keys, values if run.release >= (0, 14) else keys


def draft_runs(run: Resolved) -> tuple[LayerRun, ...]:
    """Return the layers that speculative decoding adds to the KV cache.

    EAGLE adds one layer with the draft's heads, MTP its own layers (of the kind of the model's last attention
    layer), a draft model all of its layers, DFlash those of a small model; n-gram, suffix and Medusa add none, and
    neither do Gemma 4's assistants, which read the model's own cache.

    Source: vLLM `models/gemma4_mtp.py`; `config/speculative.py` calls every assistant of Gemma 4 MTP.
    """
    speculation = run.deployment.speculation
    method = speculation.kind if speculation else ""
    if speculation is None or method in _KEEPS_NO_DRAFTS or _reads_the_models_cache(speculation, run.shape):
        return ()
    if speculation.shape is not None:
        layers = by_run(speculation.shape.runs, partial(_with_heads, shape=speculation.shape))
        return tuple(LayerRun(layer=layer, count=count) for layer, count in layers)
    if method == "dflash":
        return (LayerRun(layer=_DFLASH, count=DFLASH_LAYERS),)
    last = prediction_layer(run.shape) if method == "mtp" else last_attention(run.shape)
    if last is None or method == "draft_model":
        return ()
    return (LayerRun(layer=last, count=max(1, run.shape.mtp_layers) if method == "mtp" else 1),)


def _reads_the_models_cache(speculation: Speculation, shape: ModelShape) -> bool:
    is_assistant = speculation.kind == "mtp" or "assistant" in (speculation.model or "").lower()
    return is_assistant and (shape.model_type or "").startswith("gemma4")


def _with_heads(layer: Layer, shape: ModelShape) -> Layer:
    """Write the heads of the draft into its layers, which would count as the model's own."""
    heads = {"kv_heads": layer.kv_heads or shape.kv_heads, "head_dim": layer.head_dim or shape.head_dim}
    return layer.model_copy(update=heads)


def _latent_spec(layer: Layer, run: Resolved) -> Spec:
    mla = run.shape.mla
    if mla is None:
        return Spec(LayerKind.MLA.value, 576 * run.model_width)
    if run.release < (0, 7, 1):
        return _decompressed(layer, mla, run)
    latent = kv_dtypes.latent_bytes(run.kv_dtype, run.model_width, mla.kv_lora_rank + mla.qk_rope_head_dim)
    if run.is_v0 and run.release < (0, 8):
        latent = rounded_up(latent, 256)
    pooled = mla.index_pool or 1
    index = kv_dtypes.index_bytes(mla.index_head_dim or 128) // pooled if layer.has_indexer else 0
    return Spec(LayerKind.MLA.value, latent + index, index_bytes=index, tail_blocks=int(pooled > 1))


def _decompressed(layer: Layer, mla: Mla, run: Resolved) -> Spec:
    """Before 0.7.1 the cache held keys and values of every head, 256 elements each."""
    heads = max(1, (layer.heads or run.shape.heads) // run.tensor_parallel)
    dims = rounded_up(mla.qk_nope_head_dim + mla.qk_rope_head_dim, 256)
    return Spec(LayerKind.FULL.value, heads * dims * 2 * run.model_width)


def states_beside(run: Resolved) -> int:
    """Return the bytes of the states of a whole batch, which V0 keeps beside its cache from the first run on.

    Source: vLLM 0.8.5 `models/mamba_cache.py`, MambaCacheManager.
    """
    if not run.is_v0:
        return 0
    return sum(_states_of(layer, run) * count for layer, count in counts(run.shape.runs)) * run.max_num_seqs


def _states_of(layer: Layer, run: Resolved) -> int:
    kinds = (kind for kind in (layer.kind, layer.beside) if kind in LINEAR_KINDS)
    return sum(_state_spec(kind, run).state_bytes for kind in kinds if kind)


def _state_spec(kind: LayerKind, run: Resolved) -> Spec:
    linear = run.shape.linear
    if linear is None:
        return Spec(kind.value, state_bytes=1)
    conv = kv_dtypes.width(_stated(run.deployment.mamba_cache_dtype)) if run.deployment.mamba_cache_dtype else None
    conv = conv or run.model_width
    stated = _stated(run.deployment.mamba_ssm_cache_dtype) or own_dtype(kind, linear, run.shape.model_type, run.release)
    widths = StateWidths(conv, kv_dtypes.width(stated) if stated else conv)
    kept = state_bytes(kind, linear, run.tensor_parallel, widths, run.spec_tokens)
    return Spec(kind.value, state_bytes=max(1, kept))


def _stated(dtype: str | None) -> str | None:
    return None if dtype is None or dtype == "auto" else dtype
