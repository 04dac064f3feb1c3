"""The words of the trade: a card, a model's shape, and one `vllm serve` on its GPUs."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal

from packaging.version import InvalidVersion, Version
from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer

from bot.units import Bytes


class Frozen(BaseModel):
    """A value that never changes and refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, protected_namespaces=())


def read_version(value: object) -> Version:
    """Return a vLLM version; a leading "v" is dropped.

    Raises:
        ValueError: The text is no version.
    """
    if isinstance(value, Version):
        return value
    try:
        return Version(str(value).strip().removeprefix("v"))
    except InvalidVersion as error:
        raise ValueError(f"{value!r} is no vLLM version; write it like 0.11.0") from error


VllmVersion = Annotated[Version, BeforeValidator(read_version), PlainSerializer(str, return_type=str)]


class Gpu(Frozen):
    """A card as nvidia-smi names and counts it, and as torch sees it."""

    name: str
    vendor: Literal["nvidia", "amd", "intel"] = "nvidia"
    memory: Bytes | None = None  # the total nvidia-smi prints
    torch_memory: Bytes | None = None  # cudaMemGetInfo's total: what gpu_memory_utilization is a share of
    torch_memory_is_measured: bool = False
    compute_capability: float | None = None
    bandwidth_gbs: float | None = None
    bf16_tflops: float | None = None
    fp8_tflops: float | None = None
    has_fp8: bool | None = None
    has_bf16: bool | None = None
    has_nvlink: bool | None = None
    is_unified: bool = False  # shares memory with the host (GB10, Jetson, Strix Halo)
    note: str | None = None


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

    @property
    def layers(self) -> int:
        """The number of decoder layers."""
        return sum(run.count for run in self.runs)

    @property
    def reads_both_ways(self) -> bool:
        """Whether it is an encoder, which reads a prompt whole and keeps nothing of it."""
        return all(run.layer.kind is LayerKind.ENCODER for run in self.runs)

    @property
    def hears_an_encoder(self) -> bool:
        """Whether its layers attend to what an encoder made of a recording or a text."""
        return any(run.layer.beside is LayerKind.CROSS for run in self.runs)

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
        kinds = (kind for run in self.runs for kind in (run.layer.kind, run.layer.beside) if kind in STATE_SIZES)
        return list(dict.fromkeys(kind for kind in kinds if kind))


class Speculation(Frozen):
    """Speculative decoding, as `--speculative-config` says it."""

    method: str | None = None  # ngram, eagle, eagle3, mtp, draft_model, medusa …
    tokens: int | None = None
    model: str | None = None
    shape: ModelShape | None = None

    @property
    def kind(self) -> str:
        """What drafts: the method, else what vLLM reads off the name of its model.

        Source: vLLM 0.19 `config/speculative.py`, __post_init__.

        >>> Speculation(model="acme/Anvil-8B-EAGLE3").kind, Speculation(method="deepseek_mtp").kind
        ('eagle3', 'mtp')
        """
        method, name = (self.method or "").lower().strip("[]"), (self.model or "").lower()
        if method.endswith("mtp") or "nextn" in method:
            return "mtp"
        if method:
            return method
        named = (("eagle3", "eagle3"), ("eagle-", "eagle"), ("medusa", "medusa"), ("accelerator", "mlp_speculator"))
        return next((kind for part, kind in named if part in name), "draft_model")


class Deployment(Frozen):
    """One `vllm serve` on its GPUs; a field that nobody stated is None."""

    # what runs, on what
    model: str | None = None
    shape: ModelShape | None = None
    gpu: str | None = None
    card: Gpu | None = None
    gpu_count: int | None = None
    gpu_memory: Bytes | None = None  # total of one GPU as torch sees it, where it was read off something
    host_memory: Bytes | None = None
    vllm_version: VllmVersion | None = None
    version_since: VllmVersion | None = None  # what was printed is worded as from this release on
    version_until: VllmVersion | None = None  # and as up to this one
    engine: Literal["V0", "V1"] | None = None
    entrypoint: Literal["server", "offline"] | None = None
    # parallel layout
    tensor_parallel: int | None = None
    pipeline_parallel: int | None = None
    data_parallel: int | None = None
    expert_parallel: bool | None = None
    decode_context_parallel: int | None = None
    nodes: int | None = None
    # memory and limits
    gpu_memory_utilization: float | None = None
    max_model_len: int | None = None
    auto_max_model_len: bool | None = None
    max_num_seqs: int | None = None
    max_num_batched_tokens: int | None = None
    kv_cache_dtype: str | None = None
    kv_cache_memory: Bytes | None = None  # --kv-cache-memory-bytes
    num_gpu_blocks_override: int | None = None
    block_size: int | None = None
    swap_space_gib: float | None = None
    cpu_offload_gib: float | None = None
    # model and kernels
    dtype: str | None = None
    quantization: str | None = None
    load_format: str | None = None
    enforce_eager: bool | None = None
    max_cudagraph_capture_size: int | None = None
    cudagraph_mode: str | None = None
    attention_backend: str | None = None
    chunked_prefill: bool | None = None
    prefix_caching: bool | None = None
    async_scheduling: bool | None = None
    performance_mode: Literal["balanced", "interactivity", "throughput"] | None = None
    hybrid_kv_cache: bool | None = None  # False: --disable-hybrid-kv-cache-manager
    mamba_cache_dtype: str | None = None
    mamba_ssm_cache_dtype: str | None = None
    mamba_cache_mode: str | None = None
    # extras that take memory
    lora: bool | None = None
    max_loras: int | None = None
    max_lora_rank: int | None = None
    speculation: Speculation | None = None
    multimodal_limits: dict[str, int] | None = None
    language_model_only: bool | None = None
    skip_mm_profiling: bool | None = None
    encoder_tensor_parallel: Literal["weights", "data"] | None = None
    # circumstances that a log tells of
    flashinfer_sampler: bool | None = None
    compile_cache: Literal["cold", "warm"] | None = None
    gpu_link: Literal["nvlink", "pcie", "network"] | None = None
    is_wsl: bool | None = None
    # as launched, so that a command can be printed back
    launcher: Literal["serve", "module", "python", "docker", "compose", "kubernetes"] | None = None
    served_name: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    other_arguments: tuple[str, ...] = ()  # flags we know nothing about, kept word for word
    command: str | None = None
    manifest: tuple[str, ...] = ()  # how a file has its settings: ("list", "args"), ("keys", "engine_kwargs", "snake")

    @cached_property
    def unknown(self) -> frozenset[str]:
        """The names of the fields nobody stated."""
        return frozenset(name for name in type(self).model_fields if getattr(self, name) is None)

    @property
    def gpus_of_a_replica(self) -> int:
        """The GPUs that share one copy of the model; a size that nobody stated is one."""
        return (self.tensor_parallel or 1) * (self.pipeline_parallel or 1)

    @property
    def gpus_taken(self) -> int:
        """The GPUs of all replicas together.

        >>> Deployment(tensor_parallel=2, data_parallel=3).gpus_taken
        6
        """
        return self.gpus_of_a_replica * (self.data_parallel or 1)

    def with_(self, **facts: Any) -> Deployment:
        """Return this deployment with `facts` replaced, validated anew.

        >>> Deployment(model="m").with_(tensor_parallel=2).tensor_parallel
        2
        """
        return Deployment.model_validate({**{name: getattr(self, name) for name in self.model_fields_set}, **facts})
