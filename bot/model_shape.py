"""What sizing needs of a model: its layers, experts, states, towers, and how its checkpoint is stored."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Literal

from bot.frozen import Frozen
from bot.units import Bytes


class LayerKind(StrEnum):
    """How a layer mixes tokens, which decides what it keeps in the KV cache."""

    FULL = "full"
    SLIDING = "sliding"
    CHUNKED = "chunked"
    MLA = "mla"
    CROSS = "cross"
    ENCODER = "encoder"  # reads the whole prompt both ways, and so keeps nothing
    SHARED = "shared"  # reuses another layer's KV cache
    MAMBA1 = "mamba1"
    MAMBA2 = "mamba2"
    GATED_DELTA = "gated_delta"
    KDA = "kda"
    LINEAR = "linear"
    SHORT_CONV = "short_conv"
    NONE = "none"  # no token mixing (an MLP or expert layer on its own)


STATE_SIZES: dict[LayerKind, tuple[str, ...]] = {
    LayerKind.MAMBA1: ("inner", "state"),
    LayerKind.MAMBA2: ("state", "heads", "head_dim"),
    LayerKind.GATED_DELTA: ("key_heads", "value_heads", "key_head_dim", "value_head_dim"),
    LayerKind.KDA: ("key_heads", "value_heads", "key_head_dim", "value_head_dim"),
    LayerKind.LINEAR: ("heads", "head_dim"),
    LayerKind.SHORT_CONV: ("inner",),
}
"""The kinds that keep a state for each sequence, with the fields of `LinearState` that its size comes from."""


class Layer(Frozen):
    """One kind of layer of a model: its token mixing and its MLP."""

    kind: LayerKind
    mlp: Literal["dense", "moe", "none"] = "dense"
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    v_head_dim: int | None = None
    window: int | None = None  # sliding window or chunk, in tokens
    has_indexer: bool = False  # DeepSeek sparse attention keeps an index of keys too
    shares_k_and_v: bool = False  # Gemma 4's global layers: one projection serves both
    intermediate: int | None = None  # where it differs from the model's
    compression: int | None = None  # DeepSeek V4 folds so many tokens into one cache entry
    beside: LayerKind | None = None  # what it mixes by as well: Mamba-2 in Falcon-H1, cross attention in Whisper


class LayerRun(Frozen):
    """`count` layers of one kind in a row; runs are in model order."""

    layer: Layer
    count: int


class Mla(Frozen):
    """Multi-head latent attention: ranks and head sizes, in elements."""

    kv_lora_rank: int
    qk_rope_head_dim: int
    qk_nope_head_dim: int
    v_head_dim: int
    q_lora_rank: int | None = None
    index_heads: int | None = None
    index_head_dim: int | None = None
    index_topk: int | None = None  # keys that the index picks for each token
    index_pool: int | None = None  # tokens that one key of the index stands for


class Moe(Frozen):
    """Mixture of experts; sizes in elements."""

    experts: int
    experts_per_token: int
    intermediate: int
    shared_experts: int = 0
    shared_intermediate: int | None = None  # of all shared experts together
    has_shared_gate: bool = False
    latent: int | None = None  # experts work in a smaller hidden size
    has_router_bias: bool = False
    has_expert_bias: bool = False
    dense_beside: bool = False  # every expert layer has a dense MLP as well (Gemma 4, Arctic)


class LinearState(Frozen):
    """What a Mamba, DeltaNet, KDA or short-convolution layer keeps for each sequence."""

    conv_kernel: int = 4
    key_heads: int | None = None
    value_heads: int | None = None
    key_head_dim: int | None = None
    value_head_dim: int | None = None
    inner: int | None = None  # Mamba's intermediate size
    state: int | None = None  # Mamba's N
    groups: int | None = None
    heads: int | None = None
    head_dim: int | None = None
    chunk: int | None = None
    state_dtype: str | None = None  # where the model's config fixes it


class Vision(Frozen):
    """A vision (or audio) tower and its projector."""

    hidden: int | None = None
    layers: int | None = None
    intermediate: int | None = None
    heads: int | None = None
    out_hidden: int | None = None
    patch: int | None = None
    image: int | None = None  # side of the largest image, in pixels
    parameters: int | None = None  # of tower and projector together, where only the count is known
    is_replicated: bool = False  # every rank of a tensor-parallel group keeps the whole tower


class Quantization(Frozen):
    """How a checkpoint's linear layers are stored."""

    method: str  # awq, gptq, fp8, compressed-tensors, modelopt, bitsandbytes, mxfp4, gguf …
    bits: float | None = None
    group_size: int | None = None
    block: tuple[int, int] | None = None
    symmetric: bool | None = None
    act_order: bool | None = None
    algorithm: str | None = None  # as the checkpoint names it: NVFP4, FP8, W4A16, Q4_K_M …
    excluded: tuple[str, ...] = ()  # module patterns that stay in 16 bits
    kv_cache: str | None = None  # a KV dtype that the checkpoint asks for
    is_known: bool = True  # False: read from the name only
    expert_bits: float | None = None  # where experts are stored in another width
    mixed: tuple[tuple[str, str], ...] = ()  # module pattern → algorithm, in mixed-precision checkpoints


class Wiring(Frozen):
    """The small parts of a model: norms, biases, gates and position tables."""

    norms: int = 2  # a layer
    norm_bias: bool = False
    norm_weight: bool = True  # OLMo 1's norms have no parameters
    final_norm: bool = True
    embedding_norm: bool = False
    output_bias: bool = False  # of the attention's output projection
    mlp_bias: bool = False
    lm_head_bias: bool = False
    has_lm_head: bool = True  # False: an embedding or reward model
    qk_norm_is_wide: bool = False  # over all heads together (OLMo 2), not over one head_dim
    attention_gate: Literal["none", "full", "head"] = "none"  # "full": as wide as the heads together
    has_sinks: bool = False  # one learned number a head
    positions: int = 0  # rows of a learned position table
    token_types: int = 0
    hyper_connections: int = 0  # residual streams mixed by learned matrices


class Rope(Frozen):
    """Rotary embedding, as far as its cos/sin table is concerned."""

    kind: str | None = None  # default, linear, dynamic, yarn, llama3, mrope, longrope …
    factor: float | None = None
    original: int | None = None
    rotary_share: float = 1.0
    has_local_table: bool = False  # a second table for sliding layers
    local_rotary_share: float = 1.0
    has_index_table: bool = False  # DeepSeek's index rotates in another way and keeps a table of its own


class ModelShape(Frozen):
    """What sizing needs of a model; sizes in elements, layers in model order."""

    name: str
    architecture: str | None = None
    model_type: str | None = None
    hidden: int
    vocab: int
    intermediate: int | None = None
    heads: int
    kv_heads: int
    head_dim: int
    max_position: int | None = None
    tied_embeddings: bool | None = None
    dtype: str | None = None
    runs: tuple[LayerRun, ...]
    rope: Rope = Rope()
    wiring: Wiring = Wiring()
    mla: Mla | None = None
    moe: Moe | None = None
    linear: LinearState | None = None
    vision: Vision | None = None
    quantization: Quantization | None = None
    encoder_layers: int = 0
    mtp_layers: int = 0  # in the checkpoint, loaded only for speculative decoding
    gated_mlp: bool = True  # SwiGLU and kin; False for a plain two-matrix MLP
    attention_bias: bool = False
    qk_norm: bool = False
    per_layer_hidden: int | None = None  # Gemma 3n's per-layer embeddings
    per_layer_vocab: int | None = None
    host_parameters: int | None = None  # of tables that VLLM_PLE_CPU_OFFLOAD=1 keeps in the host's memory
    parameters: int | None = None
    loaded_parameters: int | None = None  # what vLLM loads of them, where the layers above do not add up to it
    checkpoint_bytes: Bytes | None = None
    checkpoint_is_exact: bool = False
    confidence: Literal["high", "medium", "low"] = "medium"
    source: str | None = None
    note: str | None = None
    released: str | None = None  # ISO date

    @cached_property
    def layers(self) -> int:
        """The number of decoder layers."""
        return sum(run.count for run in self.runs)

    @cached_property
    def kinds(self) -> tuple[Layer, ...]:
        """Each kind of decoder layer, by its first run; rows share one object for equal layers."""
        return tuple({id(run.layer): run.layer for run in self.runs}.values())

    @property
    def reads_both_ways(self) -> bool:
        """Whether it is an encoder, which reads a prompt whole and keeps nothing of it."""
        return all(layer.kind is LayerKind.ENCODER for layer in self.kinds)

    @property
    def hears_an_encoder(self) -> bool:
        """Whether its layers attend to what an encoder made of a recording or a text."""
        return any(layer.beside is LayerKind.CROSS for layer in self.kinds)

    @property
    def keeps_states(self) -> bool:
        """Whether any layer keeps a state for each sequence."""
        return bool(self._state_kinds)

    @property
    def unknown_states(self) -> tuple[str, ...]:
        """The fields of `LinearState` that its layers need and that are not known."""
        needed = dict.fromkeys(name for kind in self._state_kinds for name in STATE_SIZES[kind])
        return tuple(name for name in needed if not getattr(self.linear, name, None))

    @property
    def _state_kinds(self) -> list[LayerKind]:
        kinds = (kind for layer in self.kinds for kind in (layer.kind, layer.beside) if kind in STATE_SIZES)
        return list(dict.fromkeys(kind for kind in kinds if kind))
