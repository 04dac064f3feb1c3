"""The weights of one layer's attention, on one GPU."""

from __future__ import annotations

from bot.model_shape import Layer, LayerKind, Mla, ModelShape
from bot.sizing.weights.tensors import Matrix, Plain, Split, Tensors

_ATTENTION = "self_attn"
_SCALES = Plain(4, 4.0)  # of queries, keys, values and probabilities; there even when nothing is quantized


def attention_tensors(shape: ModelShape, layer: Layer, split: Split) -> Tensors:
    """Return the projections and small tensors of a layer's attention.

    Query heads are divided; KV heads are divided too, and copied where there are fewer of them than GPUs.

    Source: vLLM `model_executor/layers/linear.py`, QKVParallelLinear and RowParallelLinear.
    """
    scales = () if split.as_stored else (_SCALES,)
    if layer.kind is LayerKind.MLA and shape.mla:
        return (*_latent(shape, shape.mla, layer, split), *scales)
    heads = split.heads(layer.heads or shape.heads)
    kv_heads = split.kv_heads(layer.kv_heads or shape.kv_heads)
    size = layer.head_dim or shape.head_dim
    v_size = layer.v_head_dim or size
    gate = heads * size if shape.wiring.attention_gate == "full" else 0
    # Gemma 4 keeps the shared projection twice in memory, as K and as V (vLLM `models/gemma4.py`).
    values = 0 if layer.shares_k_and_v and split.as_stored else kv_heads * v_size
    outputs = heads * size + gate + kv_heads * size + values
    modules = (f"{_ATTENTION}.q_proj", f"{_ATTENTION}.k_proj", f"{_ATTENTION}.v_proj")
    bias = outputs if shape.attention_bias else 0
    qkv = Matrix(modules, outputs, shape.hidden, bias=bias)
    return (qkv, _output(shape, heads * v_size), *_small(shape, layer, split, heads), *scales)


def _output(shape: ModelShape, inputs: int) -> Matrix:
    bias = shape.hidden if shape.wiring.output_bias else 0
    return Matrix((f"{_ATTENTION}.o_proj",), shape.hidden, inputs, bias=bias)


def _small(shape: ModelShape, layer: Layer, split: Split, heads: int) -> Tensors:
    """Norms over queries and keys, sinks, gates a head."""
    size = layer.head_dim or shape.head_dim
    tensors: list[Plain | Matrix] = []
    if shape.qk_norm:
        tensors += _query_key_norms(shape, layer, split, size)
    if shape.wiring.has_sinks and (layer.kind is LayerKind.SLIDING or shape.model_type == "gpt_oss"):
        tensors.append(Plain(heads))
    if shape.wiring.attention_gate == "head":
        tensors.append(Matrix((f"{_ATTENTION}.g_proj",), heads, shape.hidden))
    if layer.has_indexer and shape.mla is None:
        tensors += _block_indexer(shape)
    return tuple(tensors)


def _query_key_norms(shape: ModelShape, layer: Layer, split: Split, size: int) -> list[Plain]:
    heads, kv_heads = layer.heads or shape.heads, layer.kv_heads or shape.kv_heads
    if shape.wiring.qk_norm_is_wide:
        return [Plain(heads * size), Plain(kv_heads * size)]
    if (shape.model_type or "").startswith("cohere"):
        return [Plain(split.heads(heads) * size), Plain(split.kv_heads(kv_heads) * size)]
    return [Plain(size), Plain(size)]


def _block_indexer(shape: ModelShape) -> list[Plain]:
    """MiniMax M3's block-sparse layers score key blocks with a few small heads of their own."""
    return [Plain(shape.hidden * 128 * 5)]


def _latent(shape: ModelShape, mla: Mla, layer: Layer, split: Split) -> Tensors:
    """Latent attention: down-projections whole on every GPU, up-projections by heads.

    Source: vLLM 0.33 `models/deepseek_v2.py`, DeepseekV2MLAAttention.
    """
    heads = split.heads(layer.heads or shape.heads)
    wide = mla.qk_nope_head_dim + mla.qk_rope_head_dim
    down = mla.kv_lora_rank + mla.qk_rope_head_dim
    kv_a = (f"{_ATTENTION}.kv_a_proj_with_mqa",)
    tensors: list[Plain | Matrix] = [Plain(mla.kv_lora_rank)]
    if mla.q_lora_rank:
        tensors.append(Matrix((f"{_ATTENTION}.q_a_proj", *kv_a), mla.q_lora_rank + down, shape.hidden))
        tensors.append(Plain(mla.q_lora_rank))
        tensors.append(Matrix((f"{_ATTENTION}.q_b_proj",), heads * wide, mla.q_lora_rank))
    else:
        tensors.append(Matrix((f"{_ATTENTION}.q_proj",), heads * wide, shape.hidden))
        tensors.append(Matrix(kv_a, down, shape.hidden))
    up = heads * (mla.qk_nope_head_dim + mla.v_head_dim)
    tensors.append(Matrix((f"{_ATTENTION}.kv_b_proj",), up, mla.kv_lora_rank))
    tensors.append(_output(shape, heads * mla.v_head_dim))
    if layer.has_indexer:
        tensors += _indexer(shape, mla)
    return tuple(tensors)


def _indexer(shape: ModelShape, mla: Mla) -> list[Plain | Matrix]:
    """DeepSeek's sparse index: whole on every GPU. Source: vLLM 0.11 `models/deepseek_v2.py`, Indexer."""
    heads, size = mla.index_heads or 0, mla.index_head_dim or 0
    return [
        Matrix((f"{_ATTENTION}.indexer.wq_b",), heads * size, mla.q_lora_rank or shape.hidden),
        Matrix((f"{_ATTENTION}.indexer.wk",), size, shape.hidden),
        Plain(2 * size, 4.0),
        Plain(heads * shape.hidden),
    ]
