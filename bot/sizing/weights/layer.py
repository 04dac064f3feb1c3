"""All weights of one layer, and of what stands outside the layers, on one GPU."""

from __future__ import annotations

from bot.model_shape import STATE_SIZES, Layer, LayerKind, ModelShape
from bot.sizing.each_kind import counts
from bot.sizing.weights.attention import attention_tensors
from bot.sizing.weights.mlp import mlp_tensors
from bot.sizing.weights.states import state_tensors
from bot.sizing.weights.tensors import Matrix, Plain, Split, Tensor, Tensors, count, rounded_up

_ATTENDING = frozenset(LayerKind) - frozenset(STATE_SIZES) - {LayerKind.NONE}


def layer_tensors(shape: ModelShape, layer: Layer, split: Split) -> Tensors:
    """Return every tensor of one layer."""
    mixing = attention_tensors(shape, layer, split) if layer.kind in _ATTENDING else ()
    states = state_tensors(shape, layer.kind, split) if layer.kind not in _ATTENDING else ()
    beside = _beside(shape, layer, split)
    return (*mixing, *states, *beside, *mlp_tensors(shape, layer, split), *_norms(shape, layer), *_extras(shape))


def _beside(shape: ModelShape, layer: Layer, split: Split) -> Tensors:
    """Return what a layer mixes by as well, with the norm before cross attention."""
    if layer.beside is None:
        return ()
    if layer.beside is not LayerKind.CROSS:
        return state_tensors(shape, layer.beside, split)
    crossing = layer.model_copy(update={"kind": layer.beside, "beside": None})
    return (*attention_tensors(shape, crossing, split), Plain(shape.hidden * (2 if shape.wiring.norm_bias else 1)))


def _norms(shape: ModelShape, layer: Layer) -> Tensors:
    if not shape.wiring.norm_weight:
        return ()
    norms = shape.wiring.norms if layer.mlp != "none" and layer.kind is not LayerKind.NONE else 1
    if layer.mlp == "moe" and shape.moe and shape.moe.dense_beside:
        norms += 3 if (shape.model_type or "").startswith("gemma4") else 1
    width = shape.hidden * (2 if shape.wiring.norm_bias else 1)
    return tuple(Plain(width) for _ in range(norms))


def _extras(shape: ModelShape) -> Tensors:
    """Gemma 3n and 4: a gate and a projection for each layer's own embedding; whole on every GPU."""
    if not shape.per_layer_hidden:
        return ()
    size = shape.per_layer_hidden
    gates: list[Tensor] = [
        Matrix(("per_layer_input_gate",), size, shape.hidden),
        Matrix(("per_layer_projection",), shape.hidden, size),
        Plain(shape.hidden),
    ]
    if (shape.model_type or "").startswith("gemma3n"):
        # AltUp predicts and corrects four streams; LAuReL is a rank-64 detour.
        gates += [Plain(3 * shape.hidden + 4 * 16 + 4 * 4), Matrix(("laurel",), 2 * 64, shape.hidden)]
    return tuple(gates)


def padded_vocab(shape: ModelShape, split: Split, rows: int | None = None) -> int:
    """Return one GPU's rows of the vocabulary: padded to 64, then to a multiple of the GPUs.

    Source: vLLM `layers/vocab_parallel_embedding.py`, pad_vocab_size.
    """
    whole = rounded_up((rows or shape.vocab) + split.extra_vocab, 64)
    return -(-whole // split.tensor)


def embedding_tensors(shape: ModelShape, split: Split) -> Tensors:
    """Return the token embedding and what stands beside it."""
    wiring = shape.wiring
    tensors: list[Tensor] = [Plain(padded_vocab(shape, split) * shape.hidden)]
    if wiring.positions or wiring.token_types:
        tensors.append(Plain((wiring.positions + wiring.token_types) * shape.hidden))
    if wiring.embedding_norm:
        tensors.append(Plain(shape.hidden * (2 if wiring.norm_bias else 1)))
    if shape.per_layer_hidden and shape.per_layer_vocab:
        wide = shape.layers * shape.per_layer_hidden
        tensors.append(Plain(padded_vocab(shape, split, shape.per_layer_vocab) * wide))
        tensors.append(Matrix(("per_layer_model_projection",), wide, shape.hidden))
        tensors.append(Plain(shape.per_layer_hidden))
    return tuple(tensors)


def head_tensors(shape: ModelShape, split: Split, *, holds_embedding: bool) -> Tensors:
    """Return the final norm and the output matrix; a tied one is the embedding, unless that is on another stage."""
    wiring = shape.wiring
    tensors: list[Tensor] = []
    if wiring.final_norm and wiring.norm_weight:
        tensors.append(Plain(shape.hidden * (2 if wiring.norm_bias else 1)))
    if wiring.has_lm_head and not (shape.tied_embeddings and holds_embedding):
        rows = padded_vocab(shape, split)
        tensors.append(Matrix(("lm_head",), rows, shape.hidden, bias=rows if wiring.lm_head_bias else 0))
    return tuple(tensors)


def count_parameters(shape: ModelShape) -> int:
    """Return the parameters of the language model as its configuration implies them, unpadded and without a tower."""
    split = Split(as_stored=True)
    inside = sum(times * count(layer_tensors(shape, layer, split)) for layer, times in counts(shape.runs))
    ends = count(embedding_tensors(shape, split)) + count(head_tensors(shape, split, holds_embedding=True))
    padding = padded_vocab(shape, split) - shape.vocab
    copies = 1 + (shape.wiring.has_lm_head and not shape.tied_embeddings)
    bias = padding if shape.wiring.lm_head_bias else 0
    return inside + ends - padding * shape.hidden * copies - bias
