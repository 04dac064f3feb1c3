"""The words of the trade: a card, and one `vllm serve` on its GPUs."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from packaging.version import InvalidVersion, Version
from pydantic import BeforeValidator, PlainSerializer

from bot.frozen import Frozen
from bot.model_shape import ModelShape
from bot.units import Bytes


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


ManifestStyle = Literal["command", "call", "list", "array", "assigned", "json", "line", "keys", "json-keys"]


class Manifest(NamedTuple):
    """How a file has a deployment's settings: as a list under a key, as one line, or each by its name below a key."""

    style: ManifestStyle
    key: str = ""  # "args", "ExecStart=", "engine_kwargs"; of a call what is called
    spelling: Literal["", "camel", "kebab", "snake"] = ""  # of the names
    is_whole: bool = False  # a list has the program too

    @property
    def is_file(self) -> bool:
        """Whether it is a file that has them, and no shell or program."""
        return self.style not in {"command", "call"}

    @property
    def is_list(self) -> bool:
        """Whether a file has them as the words of a command."""
        return self.is_file and not self.style.endswith("keys")


AS_COMMAND = Manifest("command")


class Wrapper(NamedTuple):
    """What stands around a command that another program is given as one word, as a shell has it written."""

    before: str  # "ssh gpu01"
    lead: str = ""  # within the word, before the command: "cd /srv && "
    tail: str = ""
    after: str = ""
    quote: Literal["'", '"', ""] = "'"  # in which the word can stand; "": it cannot be quoted again


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
    cudagraph_capture_sizes: tuple[int, ...] | None = None
    cudagraph_mode: str | None = None
    compilation_mode: int | None = None  # before 0.11.1 called level
    optimization_level: int | None = None  # -O: before 0.12 the level of compiling
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
    wrappers: tuple[Wrapper, ...] = ()  # around the command, the innermost first
    manifest: Manifest = AS_COMMAND

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
