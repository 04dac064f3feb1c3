"""What is captured as CUDA graphs, and the blocks that the largest batch of each kind keeps in their pool."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bot.model_shape import Layer, LayerKind
from bot.sizing.generations import BLACKWELL, HOPPER, WORKSTATION, generation_of, likely_generation
from bot.sizing.graph_modes import BOTH, DECODING, NONE, PIECEWISE, WHOLE, compiles, graph_mode
from bot.sizing.kv_cache.states import LINEAR_KINDS
from bot.sizing.kv_dtypes import is_eight_bit
from bot.sizing.overhead.processors import cublas_workspace
from bot.sizing.resolved import Resolved
from bot.sizing.runners import uses_runner_v2
from bot.sizing.terms import Measured

_ROUNDED_FROM, _ADAPTERS_APART_FROM = (0, 11, 1), (0, 11, 1)
_APART_FROM = (0, 25)
"""From when on model runner V2 rounds for drafts only what decoding reaches."""

_SPLITS = 32  # that FlashAttention 3 may cut a sequence into while it decodes in a graph
_FP32 = 4
_WORKSPACE_FLAG = "VLLM_FLASHINFER_WORKSPACE_BUFFER_SIZE"
_WORKSPACE, _OLD_WORKSPACE = 394 << 20, 256 << 20  # FlashInfer's, from 0.11.1 on and before
_PLAN = 8 << 20  # FlashInfer's, of one batch size
_LARGEST_HEAD = 256  # that FlashAttention knows; Triton's kernels take larger ones
_ATTENDING = frozenset({LayerKind.FULL, LayerKind.SLIDING})


class Captured(NamedTuple):
    """How many graphs are captured in pieces and whole, and the tokens of the largest batch of each."""

    piecewise: int
    full: int
    largest: int
    decoding: int

    @property
    def graphs(self) -> int:
        """All of them."""
        return self.piecewise + self.full

    @property
    def has_both(self) -> bool:
        """Whether there are graphs of both kinds, which share one pool."""
        return bool(self.piecewise and self.full)


def captured(run: Resolved) -> Captured:
    """Return which graphs are captured: all sizes piecewise, and those that decoding reaches as full graphs.

    With adapters each is captured with them and without. Models that embed get no full graphs.

    Source: vLLM `config/vllm.py`, __post_init__; `v1/cudagraph_dispatcher.py`, initialize_cudagraph_keys and _get_lora_cases;
    of model runner V2 `v1/worker/gpu/cudagraph_utils.py`, _init_candidates.
    """
    mode, query, cases = _possible(graph_mode(run), run), 1 + run.spec_tokens, _cases(run)
    sizes = () if mode == NONE else capture_sizes(run)
    drafted = rounded(sizes, query) if mode in {DECODING, BOTH} and run.release >= _ROUNDED_FROM else sizes
    pieces = sizes if uses_runner_v2(run) and run.release >= _APART_FROM else drafted
    decoding = pieces if mode == WHOLE else [size for size in drafted if query <= size <= query * run.max_num_seqs]
    return Captured(
        cases * len(pieces) * (mode in {PIECEWISE, BOTH}),
        cases * len(decoding) * (mode in {WHOLE, DECODING, BOTH}),
        max(pieces, default=0),
        max(decoding, default=0),
    )


def printed_captures(run: Resolved, printed: Measured) -> Captured:
    """Return what a log says is captured, and of what it does not say what the settings come to.

    Source: "Profiling CUDA graph memory: PIECEWISE=51 (largest=512), FULL=35 (largest=256)" of vLLM 0.18 to 0.33
    `v1/worker/gpu_model_runner.py`, and the bars of capture_model.
    """
    caught = captured(run)
    told = (printed.graphs_piecewise, printed.graphs_full, printed.graphs_largest, printed.graphs_decoding)
    return Captured(*(own if said is None else said for own, said in zip(caught, told, strict=True)))


def _possible(mode: str, run: Resolved) -> str:
    """Return what is captured of what was meant to be: attention decides."""
    if mode in {NONE, PIECEWISE}:
        return mode
    if not _may_be_whole(run):
        return PIECEWISE if compiles(run) else NONE
    if mode == WHOLE and not _takes_any_batch(run):
        return BOTH if compiles(run) else DECODING
    return mode


def _may_be_whole(run: Resolved) -> bool:
    """Return whether a graph may hold attention too: not Triton's for latent attention before 0.22, nor that of chunks.

    Source: vLLM `v1/attention/backends/mla/triton_mla.py` of 0.21 and 0.22; `chunked_local_attention.py`, of 0.11 to 0.33;
    `config/vllm.py` of 0.11.1 and 0.12 on decode context parallelism.
    """
    is_cut = run.context_parallel > 1 and (0, 11, 1) <= run.release < (0, 13)
    if run.release < (0, 9) or not run.shape.wiring.has_lm_head or is_cut:
        return False
    kinds = {layer.kind for layer in run.shape.kinds}
    is_triton = run.card is not None and generation_of(run.card) not in {HOPPER, BLACKWELL}
    return LayerKind.CHUNKED not in kinds and not (LayerKind.MLA in kinds and is_triton and run.release < (0, 22))


def _takes_any_batch(run: Resolved) -> bool:
    """Return whether attention may be captured of batches that prefill: FlashAttention 3, and Triton.

    Source: vLLM `v1/attention/backends/flash_attn.py` and `triton_attn.py`, _cudagraph_support; what becomes of others:
    0.19 `v1/worker/gpu_model_runner.py`, _check_and_update_cudagraph_mode.
    """
    return may_split(run) or _backend(run).startswith("TRITON")


def _cases(run: Resolved) -> int:
    return 2 if run.deployment.lora and run.release >= _ADAPTERS_APART_FROM else 1


def capture_sizes(run: Resolved) -> tuple[int, ...]:
    """Return the batch sizes that are captured, in tokens: those that were listed, else small steps up to the largest.

    Source: vLLM `config/vllm.py`, _set_cudagraph_sizes, of 0.8 to 0.33.
    """
    tokens = run.max_num_batched_tokens
    if run.deployment.cudagraph_capture_sizes:
        return tuple(sorted(size for size in {*run.deployment.cudagraph_capture_sizes} if size <= tokens))
    largest = run.deployment.max_cudagraph_capture_size or min(2 * run.max_num_seqs, 512)
    is_fine = run.deployment.performance_mode == "interactivity" and run.release >= (0, 17)
    sizes = _steps_up_to(largest, 8 if run.release < (0, 11, 1) else 16, is_fine=is_fine)
    has_end = run.release >= (0, 22) and tokens <= largest
    return tuple(sorted({*sizes, tokens})) if has_end else sizes


@lru_cache(maxsize=8)
def _steps_up_to(largest: int, step: int, *, is_fine: bool) -> tuple[int, ...]:
    small = range(1, 33) if is_fine else (1, 2, 4)
    sizes = {*small, *range(8, 256, 8), *range(256, largest + 1, step)}
    return tuple(sorted(size for size in sizes if size <= largest))


def rounded(sizes: Sequence[int], query: int) -> tuple[int, ...]:
    """Return sizes as multiples of what a sequence that drafts has in a batch; what is then too large is left out.

    Source: vLLM 0.11.1 to 0.33 `config/compilation.py`, adjust_cudagraph_sizes_for_spec_decode.

    >>> rounded((1, 2, 4, 8), 3)
    (3, 6)
    """
    multiples = {-(-size // query) * query for size in sizes}
    return tuple(sorted(size for size in multiples if size <= max(sizes)))


def largest_batch(tokens: int, run: Resolved) -> float:
    """Return the bytes that running and then capturing the largest batch leave: each keeps blocks of its own.

    Blocks are those of gate and up, and of cuBLAS, which keeps a workspace for each stream.

    Source: vLLM `v1/worker/gpu_model_runner.py`, _warmup_and_capture; 0.19 printed 96, 108, 198 and 212 MiB in four logs.
    """
    shape = run.shape
    inner = (shape.intermediate or 4 * shape.hidden) / run.tensor_parallel
    wide = run.model_width * tokens * inner * (2 if shape.gated_mlp else 1)
    return 2 * (cublas_workspace(run.card) + wide)


def kept_by_attention(run: Resolved, caught: Captured, *, counted: bool) -> float:
    """Return the bytes that attention keeps from the first whole graph on: the outputs of splits, or a workspace.

    FlashInfer keeps its workspace from the first batch on. Where it attends alone that batch warms it, after the estimate.

    Source: vLLM 0.19 `v1/attention/backends/flashinfer.py` and `model_executor/warmup/kernel_warmup.py`; three logs of GB10 with
    2 to 9 graphs print 0.43 to 0.61 GiB.
    """
    if not caught.full:
        return 0.0
    if may_split(run):
        return _split_outputs(run, caught.decoding)
    alone = not any(layer.kind in LINEAR_KINDS for layer in run.shape.kinds)
    if not uses_flashinfer(run) or (alone and not counted):
        return 0.0
    stated = run.environment.get(_WORKSPACE_FLAG, "")
    return int(stated) if stated.isdecimal() else _WORKSPACE if run.release >= (0, 11, 1) else _OLD_WORKSPACE


def kept_by_plans(run: Resolved, caught: Captured) -> int:
    """Return the bytes of FlashInfer's plans, one for each whole graph; TensorRT's kernels, on SM100, have none.

    Source: vLLM 0.19 `v1/attention/backends/flashinfer.py`, _get_decode_wrapper; FlashInfer `decode.py`, _int_workspace_buffer.
    """
    plans = uses_flashinfer(run) and generation_of(run.card) != BLACKWELL
    return _PLAN * caught.full if plans else 0


def _split_outputs(run: Resolved, tokens: int) -> float:
    """The outputs that FlashAttention 3 adds up where it cuts sequences into splits.

    A graph is captured with as many as there may be, for every token and head, in fp32: 256 MiB with 32 heads of 128.

    Source: vLLM 0.11 to 0.33 `v1/attention/backends/flash_attn.py` and `mla/flashattn_mla.py`, max_num_splits.
    """
    widest = max((_width(layer, run) for layer in run.shape.kinds), default=0)
    return _SPLITS * tokens * widest / run.tensor_parallel * _FP32


def may_split(run: Resolved) -> bool:
    """Return whether it is FlashAttention 3, which is for Hopper; one log of a model with sinks shows no splits."""
    is_hopper = likely_generation(run.card, run.deployment.gpu_memory) == HOPPER
    return is_hopper and not run.shape.wiring.has_sinks and _backend(run) in {"", "FLASH_ATTN", "FLASH_ATTN_MLA"}


def uses_flashinfer(run: Resolved) -> bool:
    """Return whether FlashInfer attends, as far as logs show its workspace: on Blackwell, or where its name was told.

    In data centres Blackwell has it for every cache, on workstations for 8 bits. Ampere and Ada have it for those too, but
    what an RTX 3090 left of its memory has no room for the workspace.

    Source: vLLM 0.19 `platforms/cuda.py`, _get_backend_priorities.
    """
    generation, backend = generation_of(run.card), _backend(run)
    if backend or generation in {None, HOPPER}:
        return backend == "FLASHINFER"
    if run.shape.mla is not None or not any(_width(layer, run) for layer in run.shape.kinds):
        return False
    return generation == BLACKWELL or (
        generation == WORKSTATION and is_eight_bit(run.kv_dtype) and not run.shape.wiring.has_sinks
    )


def _backend(run: Resolved) -> str:
    return (run.deployment.attention_backend or "").upper()


def _width(layer: Layer, run: Resolved) -> int:
    """The elements of one token's output before it is projected; 0 where Triton's kernel attends."""
    shape = run.shape
    heads, head = layer.heads or shape.heads, layer.head_dim or shape.head_dim
    if layer.kind is LayerKind.MLA and shape.mla is not None and shape.mla.index_topk is None:
        return heads * shape.mla.kv_lora_rank
    return heads * head if layer.kind in _ATTENDING and head <= _LARGEST_HEAD else 0
