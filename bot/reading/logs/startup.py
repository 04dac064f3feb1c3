"""The figures that vLLM prints while it starts, in the wording of every version."""

from __future__ import annotations

from collections.abc import Sequence

from bot.evidence import Evidence, Line
from bot.reading.figures import AMOUNT, COUNT, GIB, Template, read_figures

_of = Template.of
_BAR = r"[^\n/]{1,200}?\b\d+/"  # up to how many there are

# Source: log templates of vLLM 0.1.7 to 0.33; "GB" in them means GiB.
TEMPLATES: tuple[Template, ...] = (
    # weights
    _of("Loading model weights took", rf"Loading model weights took (?P<weights>{AMOUNT})"),
    _of("Model loading took", rf"Model loading took (?P<weights>{AMOUNT})"),
    _of("odel weights take", rf"[Mm]odel weights take (?P<weights>{AMOUNT})"),
    _of("for weight", rf"(?P<weights>{AMOUNT}) for weights?\b"),
    _of("weights memory", rf"\bweights memory: (?P<weights>{AMOUNT})"),
    # activations and what torch does not see
    _of("activation peak memory", rf"activation peak memory takes (?P<activation>{AMOUNT})"),
    _of("torch peak memory increase", rf"torch peak memory increase: (?P<activation>{AMOUNT})"),
    _of("for peak activation", rf"(?P<activation>{AMOUNT}) for peak activation"),
    # not of a snapshot, which tells of a moment and not of what was added: "torch_memory=0.0GiB, non_torch_memory=0.51GiB"
    _of("non_torch_memory", rf"(?<!,\s)non_torch_memory(?: takes |=)(?P<non_torch>{AMOUNT})"),
    _of("non-torch forward increase", rf"non-torch forward increase memory: (?P<non_torch>{AMOUNT})"),
    _of("for non-torch memory", rf"(?P<non_torch>{AMOUNT}) for non-torch memory"),
    _of("for consumed memory", rf"(?P<consumed>{AMOUNT}) for consumed memory"),
    _of("mem_get_info", rf"total consumed \(from mem_get_info\): (?P<consumed>{AMOUNT})"),
    # CUDA graphs
    _of(
        "raph capturing finished",
        rf"raph capturing finished in \d+(?:\.\d+)? ?s(?:ecs?|econds)?\.?, took (?P<cudagraph>{AMOUNT})",
    ),
    _of("for CUDAGraph memory", rf"(?P<cudagraph>{AMOUNT}) for CUDAGraph memory"),
    _of("graph pool memory", rf"graph pool memory: (?P<cudagraph>{AMOUNT}) \(actual\)"),
    _of("(estimated)", rf"(?P<cudagraph_estimated>{AMOUNT}) \(estimated\)"),
    _of("Estimated CUDA graph memory", rf"Estimated CUDA graph memory: (?P<cudagraph_estimated>{AMOUNT})"),
    _of(
        "Profiling CUDA graph memory:",
        r"PIECEWISE=(?P<graphs_piecewise>\d+) \(largest=(?P<graphs_largest>\d+)\)",
    ),
    _of("Profiling CUDA graph memory:", r"FULL=(?P<graphs_full>\d+) \(largest=(?P<graphs_decoding>\d+)\)"),
    # bars, of which each names what it captures from 0.10.1 on: "(mixed prefill-decode, PIECEWISE): 100%|█| 67/67"
    _of("Capturing CUDA graph", rf"Capturing CUDA graph shapes: {_BAR}(?P<graphs_piecewise>\d+)"),
    _of("Capturing CUDA graph", rf"Capturing CUDA graphs \((?:[\w -]+, )?PIECEWISE\): {_BAR}(?P<graphs_piecewise>\d+)"),
    _of("Capturing CUDA graph", rf"Capturing CUDA graphs \((?:[\w -]+, )?FULL\): {_BAR}(?P<graphs_full>\d+)"),
    # total, free, desired
    _of(
        "Free memory on device",
        rf"Free memory on device (?:\w+(?::\d+)? )?\((?P<free>{GIB})/(?P<total>{GIB}) ?Gi?B\)",
    ),
    _of("init memory snapshot", rf"\bfree_memory=(?P<free>{GIB})GiB, total_memory=(?P<total>{GIB})GiB"),
    _of(
        "esired GPU memory utilization",
        rf"esired GPU memory utilization(?: is)? \((?P<gpu_memory_utilization>\d*\.?\d+), (?P<desired>{GIB}) ?Gi?B\)",
    ),
    _of("kv_cache_size=", r"\bgpu_memory_utilization=(?P<gpu_memory_utilization>[01]\.\d+)"),
    _of(
        "external process's weights",
        rf"external process's weights \((?P<gpu_memory_utilization>[01]?\.\d+), (?P<desired>{GIB}) ?Gi?B\)",
    ),
    _of(
        "increase --gpu-memory-utilization from",
        r"increase --gpu-memory-utilization from (?P<gpu_memory_utilization>[01]\.\d+) to",
    ),
    _of(
        "Requested memory:", rf"Requested memory: (?P<gpu_memory_utilization>\d*\.\d+) \(util\), (?P<desired>{AMOUNT})"
    ),
    _of("requested GPU memory", rf"requested GPU memory: (?P<desired>{AMOUNT})"),
    _of("total_gpu_memory", rf"total_gpu_memory(?: \(|=)(?P<total>{AMOUNT})"),
    _of(
        "x gpu_memory_utilization",
        rf"x gpu_memory_utilization \((?P<gpu_memory_utilization>\d*\.\d+)\) = (?P<desired>{AMOUNT})",
    ),
    _of("Initial free memory", rf"Initial free memory:? (?P<free>{AMOUNT})"),
    _of("Initial free memory", r"Initial free memory:? (?P<free_in_bytes>\d{8,15})(?![\d.])(?! ?[KMG]i?B)"),
    # KV cache
    _of("Available KV cache memory", rf"Available KV cache memory: (?P<kv_available>{AMOUNT})"),
    _of("reserved for KV Cache", rf"reserved for KV Cache is (?P<kv_available>{AMOUNT})"),
    _of("kv_cache_size=", rf"\bkv_cache_size=(?P<kv_available>{AMOUNT})"),
    _of("available_kv_cache_memory", rf"available_kv_cache_memory ?[=:] ?(?P<kv_available>{AMOUNT})"),
    _of("kv cache memory in use", rf"kv cache memory in use is (?P<kv_available>{AMOUNT})"),
    _of(
        "kv cache memory in use",
        r"kv cache memory in use is (?P<kv_available_in_bytes>\d{8,15})(?![\d.])(?! ?[KMG]i?B)",
    ),
    _of("memory for KV Cache", rf"reserved (?P<kv_available>{AMOUNT}) memory for KV Cache"),
    _of(
        "larger than the available KV cache", rf"larger than the available KV cache memory \((?P<kv_available>{AMOUNT})"
    ),
    _of("available for KV cache", rf"\((?P<kv_available>{AMOUNT}) available for KV cache"),
    _of("available KV cache memory (", rf"fit in available KV cache memory \((?P<kv_available>{AMOUNT})"),
    _of("is available for the KV cache", rf"only (?P<kv_available>{AMOUNT}) is available for the KV cache"),
    _of(
        "persisted startup plan",
        rf"kv_cache_memory_bytes=\d+ \((?P<kv_available>{AMOUNT})\), .{{1,80}} current (?P<free>{AMOUNT})",
    ),
    _of("Startup plan not applied", rf"current free memory \((?P<free>{AMOUNT})\)"),
    _of("Free memory grew by", rf"\(initial (?P<free>{AMOUNT}),"),
    _of("Weights are held outside", rf"of the (?P<desired>{AMOUNT}) utilization budget"),
    _of("KV cache size:", rf"KV cache size: (?P<kv_tokens>{COUNT}) tokens"),
    _of("stored in KV cache", rf"stored in (?:the )?KV cache \((?P<kv_tokens>{COUNT})\)"),
    _of(" blocks: ", rf"# (?!CPU )\w+ blocks: (?P<gpu_blocks>{COUNT})"),
    _of("CPU blocks:", rf"# CPU blocks: (?P<cpu_blocks>{COUNT})"),
    _of("num_gpu_blocks is", rf"num_gpu_blocks is: ?(?P<gpu_blocks>{COUNT})"),
    _of(
        "aximum concurrency for",
        rf"aximum concurrency for (?P<concurrency_len>{COUNT}) tokens per request: (?P<concurrency>\d+(?:\.\d+)?)x",
    ),
    _of("KV cache is needed", rf"(?P<kv_needed>{AMOUNT}) KV cache is needed"),
    _of("estimated maximum model length", rf"estimated maximum model length is (?P<estimated_max_len>{COUNT})"),
    # settings that it says while it starts
    _of("Chunked prefill is enabled with", r"max_num_batched_tokens ?= ?(?P<max_num_batched_tokens>\d+)"),
    _of("Using max model len", r"Using max model len (?P<max_model_len>\d+)"),
    _of("to fit in available", rf"max_model_len: reduced from {COUNT} to (?P<max_model_len>{COUNT}) to fit"),
    _of("full model context length", rf"full model context length (?P<max_model_len>{COUNT}) fits"),
    _of("data type to store kv cache", r"Using (?!torch\.)(?P<kv_cache_dtype>\w+) data type to store kv cache"),
    _of("Setting attention block size", r"Setting attention block size to (?P<block_size>\d+) tokens"),
    _of(
        "num_gpu_blocks_override=",
        r"num_gpu_blocks=[1-9]\d* with num_gpu_blocks_override=(?P<num_gpu_blocks_override>\d+)",
    ),
    _of(
        "The current --gpu-memory-utilization",
        r"The current --gpu-memory-utilization=(?P<gpu_memory_utilization>\d\.\d+)",
    ),
    _of("Using", r"Using (?P<attention_backend>[A-Z][A-Z_]{3,30}) attention backend"),
    _of("Starting to load model", r"Starting to load model (?P<model>[\w./<>~-]{2,300}[\w>])\.\.\."),
    _of("Using PunicaWrapper", r"Using (?P<lora>PunicaWrapper)"),  # LoRA's kernels, chosen for nothing else
    _of("BitsAndBytes quantization", r"Loading weights with (?P<quantization>BitsAndBytes) quantization"),
    _of(
        "max_num_batched_tokens",
        rf"(?:Setting max_num_batched_tokens|Raising max_num_batched_tokens from {COUNT}) to (?P<max_num_batched_tokens>\d+)",
    ),
    _of(
        "Defaulting to arbitrary value",
        r"max_num_seqs was is not set\. Defaulting to arbitrary value of (?P<max_num_seqs>\d+)",
    ),
    _of("derived max_model_len=", r"using derived max_model_len=(?P<max_model_len>\d+)"),
    _of("maximum length is", rf"Assuming the model's maximum length is (?P<derived_max_model_len>{COUNT})"),
    # "rank 3 in world size 4 … TP rank 3": the last tensor-parallel rank of a world tells its size
    _of("in world size 1 ", r"in world size (?P<tensor_parallel>1) is assigned"),
    _of("in world size", r"in world size (?P<tensor_parallel>2) is assigned as DP rank \d+, PP rank 0, TP rank 1\b"),
    _of("in world size", r"in world size (?P<tensor_parallel>4) is assigned as DP rank \d+, PP rank 0, TP rank 3\b"),
    _of("in world size", r"in world size (?P<tensor_parallel>8) is assigned as DP rank \d+, PP rank 0, TP rank 7\b"),
    _of("in world size", r"in world size (?P<tensor_parallel>16) is assigned as DP rank \d+, PP rank 0, TP rank 15\b"),
    # versions
    _of("LLM engine (v", r"LLM engine \(v(?P<vllm_version>[\w.+-]+)\)"),
    _of("LLM engine (v", r"Initializing a (?P<engine>V[01]) LLM engine"),
    _of("\u2588", r"\u2588 version (?P<vllm_version>\d[\w.+-]*)"),
    _of("\u2588", r"\u2588 model (?P<model>[\w./<>~-]{2,300})"),
    _of("API server version", r"API server version:? v?(?P<vllm_version>\d[\w.+-]*)"),
)


def read(lines: Sequence[Line]) -> Evidence:
    """Return every figure and setting that start-up lines print."""
    return read_figures(lines, TEMPLATES, "vllm-log")
