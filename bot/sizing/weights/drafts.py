"""The weights that speculative decoding adds: a draft model, an EAGLE head, or the checkpoint's own prediction layers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.deployment import Deployment, Speculation
from bot.model_shape import Layer, LayerKind, ModelShape, Wiring
from bot.sizing.each_kind import counts
from bot.sizing.weights.layer import embedding_tensors, head_tensors, layer_tensors
from bot.sizing.weights.storage import Storage, storage_of, weigh
from bot.sizing.weights.tensors import Matrix, Plain, Split, Tensors

Part = tuple[Tensors, int]  # tensors, and how often they are there

_ATTENDING = (LayerKind.FULL, LayerKind.MLA)
_MTP = re.compile(r"(?:re:)?\W*mtp\b")
_DRAFT_VOCAB = 32_000  # tokens that the published EAGLE-3 heads choose from
_WEIGHTLESS = frozenset({"ngram", "ngram_gpu", "suffix", "extract_hidden_states"})


def draft_bytes(deployment: Deployment, shape: ModelShape, split: Split, storage: Storage) -> int:
    """Return the bytes of what drafts, on one GPU; a draft model is stored in its own way, a head in 16 bits.

    Source: vLLM `config/speculative.py`, draft_model_config and draft_parallel_config.
    """
    speculation = deployment.speculation
    if speculation is None:
        return 0
    parts = draft_parts(speculation, shape, split)
    if speculation.shape is None and speculation.kind == "mtp" and not _leaves_out_mtp(storage):
        return _bytes_of(parts, shape.layers, storage)  # many checkpoints number them on behind the last layer
    own = speculation.shape or shape.model_copy(update={"quantization": None})
    return _bytes_of(parts, None, storage_of(deployment.with_(shape=own, quantization=None), own))


def _bytes_of(parts: Iterable[Part], layer: int | None, storage: Storage) -> int:
    return sum(times * weigh(tensors, layer, storage).tensors for tensors, times in parts)


def _leaves_out_mtp(storage: Storage) -> bool:
    """Return whether a packed checkpoint names its prediction layers among what stays in 16 bits."""
    excluded = storage.quantization.excluded if storage.quantization else ()
    return any(_MTP.match(name) for name in excluded)


def draft_parts(speculation: Speculation, shape: ModelShape, split: Split) -> tuple[Part, ...]:
    """Return the tensors of what drafts, and how often each of its parts is there; none where it is not known."""
    if speculation.shape is not None:
        return whole_model(speculation.shape, split)
    if _is_head(speculation):
        return ((head_of_eagle(shape, split, is_third=speculation.kind == "eagle3"), 1),)
    if speculation.kind == "medusa":
        return ((medusa_head(shape, split), max(0, speculation.tokens or 0)),)
    return ((prediction_layers(shape, split), 1),) if speculation.kind == "mtp" else ()


def say_draft(deployment: Deployment) -> str | None:
    """Say what a budget does not count of a draft, or what it takes it for."""
    speculation = deployment.speculation
    if speculation is None or speculation.shape is not None or speculation.kind in _WEIGHTLESS | {"mtp"}:
        return None
    name = speculation.model or f"what {speculation.kind} drafts with"
    if _is_head(speculation):
        return f"{name} is counted as one dense layer of the model's own sizes, as most such heads are."
    if speculation.kind == "medusa" and speculation.tokens:
        return f"{name} is counted as {speculation.tokens} heads, each with a block and an output of the model's own sizes."
    what = "its weights are" if speculation.kind == "dflash" else "its weights and KV cache are"
    return f"The sizes of {name} are not known: {what} missing here."


def whole_model(shape: ModelShape, split: Split) -> tuple[Part, ...]:
    """Return every tensor of a model, its ends included."""
    layers = ((layer_tensors(shape, layer, split), times) for layer, times in counts(shape.runs))
    ends = (*embedding_tensors(shape, split), *head_tensors(shape, split, holds_embedding=True))
    return (*layers, (ends, 1))


def head_of_eagle(shape: ModelShape, split: Split, *, is_third: bool) -> Tensors:
    """Return a joining matrix and one dense layer; EAGLE-3 reads three states, attends to two, and has an output of its own.

    The embedding is the model's, and so is EAGLE's output matrix. The joining matrix is whole on every GPU.

    Source: vLLM 0.19 `models/llama_eagle.py`, `models/llama_eagle3.py`; `v1/spec_decode/eagle.py`, _maybe_share_lm_head.
    """
    attention = last_attention(shape)
    if attention is None:
        return ()
    plain = shape.model_copy(
        update={
            "moe": None,
            "qk_norm": False,
            "wiring": Wiring(),
            "intermediate": shape.intermediate or 4 * shape.hidden,
        }
    )
    layer = layer_tensors(plain, attention.model_copy(update={"mlp": "dense", "has_indexer": False}), split)
    joining = Plain((3 if is_third else 2) * shape.hidden**2)
    if not is_third:
        return (joining, *layer)
    doubled = [t._replace(bias=0) for t in layer if isinstance(t, Matrix) and "self_attn.q_proj" in t.modules]
    return (joining, *layer, *doubled, Plain(split.part(_DRAFT_VOCAB) * shape.hidden), Plain(_DRAFT_VOCAB, 8.0))


def medusa_head(shape: ModelShape, split: Split) -> Tensors:
    """Return a head of Medusa's, one for each token that is drafted: a block that is whole on every GPU, and an output that is cut.

    Source: vLLM 0.19 `models/medusa.py`, ResidualBlock and lm_heads; the files of the heads of Vicuna-7B have 1.48 GB.
    """
    return (Plain(shape.hidden**2), Plain(split.part(shape.vocab) * shape.hidden))


def prediction_layers(shape: ModelShape, split: Split, layers: int | None = None) -> Tensors:
    """Return multi-token prediction layers: a decoder layer with attention, and a joining matrix of 2 × hidden.

    A config that does not say how many has one: vLLM `models/qwen3_next_mtp.py`, num_nextn_predict_layers.

    Source: vLLM `models/deepseek_mtp.py`, `models/qwen3_next_mtp.py`.
    """
    wanted = max(1, shape.mtp_layers) if layers is None else layers
    attention = prediction_layer(shape)
    if not wanted or attention is None:
        return ()
    joining = (Plain(2 * shape.hidden * shape.hidden), Plain(3 * shape.hidden))
    return (*layer_tensors(shape, attention, split), *joining) * wanted


def prediction_layer(shape: ModelShape) -> Layer | None:
    """Return the kind of a prediction layer: the model's last that attends to all; of MiMo V2 a dense one with a window.

    Source: vLLM 0.33 `models/mimo_v2_mtp.py`; 987,820,224 parameters of MiMo-V2.6-Flash-RL beside its layers and towers, in three.
    """
    if not (shape.model_type or "").startswith("mimo_v2"):
        return last_attention(shape)
    windowed = (run.layer for run in reversed(shape.runs) if run.layer.kind is LayerKind.SLIDING)
    return next((layer.model_copy(update={"mlp": "dense"}) for layer in windowed), None)


def _is_head(speculation: Speculation) -> bool:
    return speculation.kind in {"eagle", "eagle3"}


def last_attention(shape: ModelShape) -> Layer | None:
    """Return the model's last layer that attends to all tokens."""
    return next((run.layer for run in reversed(shape.runs) if run.layer.kind in _ATTENDING), None)
