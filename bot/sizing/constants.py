"""Every guessed constant of the budget, where it comes from, and how far real logs lie from it."""

from __future__ import annotations

from typing import NamedTuple


class Guess(NamedTuple):
    """A constant with the range that nine of ten logs lie in; relative unless it says GiB."""

    value: float
    low: float
    high: float
    origin: str


# Logits and sampler: bytes for each sequence and each token of the vocabulary. With 16-bit logits:
# 2 + fp32 copy 4 + probabilities 4 + noise 4 = 14; sorting adds sorted values, 64-bit indices, masks and sums.
SORT_SAMPLER = Guess(38.0, 37.8, 38.3, "PyTorch top-k/top-p by sorting: 38.0 in 6 logs from V0 to 0.16")
TRITON_SAMPLER = Guess(14.0, 13.9, 14.2, "Triton top-k/top-p in place: 25 models on H100 with vLLM 0.17 to 0.19")
FLASHINFER_SAMPLER = Guess(14.0, 13.5, 15.5, "FlashInfer: masked fp32 logits and probabilities; no log separates it")
RUNNER_V2_SAMPLER = Guess(2.0, 2.0, 2.4, "model runner V2 from 0.26: 16-bit logits alone; Qwen3-0.6B with 0.26")
RUNNER_V2_COPYING = Guess(6.0, 5.9, 6.4, "model runner V2 up to 0.25: 16-bit logits and an fp32 copy")
RUNNER_V2_WARM = Guess(
    10.0,
    6.0,
    10.5,
    "model runner V2 from 0.33: an fp32 copy, and probabilities where FlashInfer samples; by the source",
)
# Bytes that stay for each sequence and token of the vocabulary: counts of penalties, two bit masks.
RUNNER_V2_STATES = 4.25
# Bytes of stack for each thread by which Triton's top-k/top-p kernel exceeds the other kernels: compiled for a Hopper it wants
# 1,888 where rows have an odd number of logits, 1,240 where an even one, and 744 to 848 where four and four can be loaded at once.
STACK_ODD = Guess(834.0, 0.0, 1140.0, "an odd vocabulary, whose sampler spills: 0.21 GiB more in 3 logs of Granite 3")
STACK_EVEN = Guess(0.0, 0.0, 490.0, "a vocabulary that four does not divide, whose sampler may spill; no log")
TRITON_BUFFER = 4  # bytes for each token of the vocabulary and each multiprocessor: the Triton sampler's scratch rows

# One dense layer: bytes are width × tokens × (this × hidden + 3 × intermediate).
MLP_HIDDEN_COPIES = Guess(3.8, 3.3, 4.3, "residual, norm and attention output: 5 logs where a layer is the peak")
SAMPLED_COPIES = 2  # of the hidden states of the sampled rows

# cuBLAS keeps a workspace in torch's pool from the first matrix product on. Source: torch CUDABlas.cpp.
CUBLAS_WORKSPACE_MIB = 8.125
CUBLAS_WORKSPACE_LARGE_MIB = 32  # compute capability 9 and 10

ACTIVATION_KNOWN = Guess(
    1.0, -0.01, 0.013, "47 logs whose batch limits are known: 44 within 1 %, 0.01 GiB of rounding apart"
)
ACTIVATION_MLP = Guess(1.0, -0.06, 0.10, "logs of small vocabularies, where a layer is the peak")
ACTIVATION_OTHER_STACK = Guess(1.0, -0.10, 0.15, "versions from 0.20 on print no activation peak")
ACTIVATION_V0_TOWER = Guess(1.0, -0.22, 0.25, "V0 with a vision tower: 13 % below and 15 % above two logs")
ACTIVATION_UNMODELLED = Guess(1.0, -0.9, 0.0, "how this model's layers use memory is not modelled")
ENCODER_KEPT = Guess(
    1.0,
    0.8,
    1.25,
    "pixels and outputs of images, which no log prints apart: with the text 1 % off the peaks of 3 Gemma 3",
)
ENCODER_CROSSED = Guess(1.0, 0.8, 1.15, "a tower that the decoder attends to: 36.63 GiB of Llama 3.2 Vision, 2 % off")
TOWER_PEAK = Guess(
    1.0, 0.9, 1.12, "4 logs of Qwen, 1 to 5 % off; other kernels than FlashAttention hold more, a smaller image less"
)
LATENT_EXPERTS = Guess(
    1.0,
    0.85,
    1.4,
    "of a dense layer and the experts' buffers behind latent attention: 0.85, 1.0 and 1.4 in logs of 3 models",
)
DELTA_SCAN = Guess(37.0, 34.0, 40.0, "bytes for each token and value channel: 36.7 and 37.7 in two logs")
STREAM_BYTES = 32  # for each token, residual stream and channel: DeepSeek V4 at 65,536 batched tokens with 0.27.1
SCAN_BYTES = 20  # for each token and value channel of a KDA layer: gates, states and products of a chunk

# Non-torch memory inside the allowance, in GiB.
UNUSED_CACHE_GIB = 1.2  # before 0.6.4 torch's unused cache counts: 0.95 GiB behind Llama 2 7B on an A100 with 0.2.5
NON_TORCH_SINGLE_OLD = Guess(0.13, 0.05, 0.27, "one GPU of 80 GB up to 0.17: 10 logs, 0.07 to 0.26")
NON_TORCH_SINGLE = Guess(0.25, 0.20, 0.35, "one card of 80 GB from 0.18: 18 logs on two machines, 0.24 to 0.27")
NON_TORCH_SMALL_CARD = Guess(
    0.06, 0.01, 0.18, "one T4, V100, A100-40 or consumer card up to 0.19: 28 logs, 0.01 to 0.17, and one of 0.28"
)
NON_TORCH_SMALL_CARD_NEW = Guess(
    0.16, 0.02, 0.60, "one consumer card from 0.20: 0.1 and 0.2 behind two runs of 0.24; 0.30 and 0.56 under WSL"
)
NON_TORCH_WINDOWS = Guess(
    0.45,
    0.02,
    2.30,
    "under WSL from 0.18: 0.30 and 0.56 on a 4090; some 2 GiB that nothing explains behind three NVFP4 runs",
)
NON_TORCH_NVLINK = Guess(
    0.55, 0.45, 0.62, "several Hopper or data-center Blackwell GPUs over NVLink from 0.11: 26 logs on 2 to 8"
)
NON_TORCH_PEER = Guess(0.04, 0.005, 0.06, "for each other GPU: 0.57 to 0.64 on 2, 0.63 to 0.72 on 4, 0.57 to 0.92 on 8")
NON_TORCH_NVLINK_OLD = Guess(
    1.38, 0.40, 2.00, "NCCL's first buffers too, before 0.11: 0.55, 0.74 and 1.38 on 2 Hopper GPUs over NVLink"
)
NON_TORCH_NVLINK_OLD_MANY = Guess(
    1.60, 0.65, 2.60, "the same on 4 or more: 0.8 behind a log of GH200, 2.4 behind one of H100"
)
# At most, before 0.8 behind latent attention: 7.16 on 8 H200 with DeepSeek-R1, unexplained.
NON_TORCH_LATENT_OLD_GIB = 7.3
NON_TORCH_NODES_GIB = 1.0  # more at most, toward other nodes: 4.2 behind DeepSeek-R1 on 2 × 8 H20 with 0.8.4
NON_TORCH_AMPERE_EIGHT = Guess(
    2.12, 0.90, 2.40, "the tightest of 8 A100 over NVLink before 0.11: 2.10 and 2.15; 0.93 and 1.07 on others beside it"
)
MULTICAST_GIB = 0.5  # what a multicast buffer is rounded up to
NON_TORCH_NVLINK_AMPERE = Guess(
    1.40, 0.20, 2.30, "several A100 or V100 over NVLink: 2.10 on 8 A100; 0.93, 1.07 and 2.15 on ranks of 16"
)
NON_TORCH_AMPERE = Guess(
    0.20,
    0.10,
    2.30,
    "several A100 or V100, their link untold: 0.14, 0.2 and 0.2 in logs without P2P, 2.10 on 8 over NVLink",
)
NON_TORCH_PCIE = Guess(0.16, 0.06, 0.40, "2 to 16 GPUs over PCIe: 5 logs from 0.09 to 0.20")
NON_TORCH_WITH_CONTEXT = Guess(
    0.40, 0.20, 0.90, "what the CUDA context takes too: 0.35 in two logs of a 3090 with 0.6.4"
)
NON_TORCH_ROCM = Guess(
    1.20, 0.10, 1.45, "one MI300X: 1.13 and 1.27 in two logs with 0.14; ROCm loads the code of all its kernels at once"
)
NON_TORCH_ROCM_LINKED_GIB = 3.6  # at most, on several: 3.4 behind one log of 8
NON_TORCH_UNIFIED = Guess(
    2.7,
    -2.5,
    5.8,
    "GB10: what the processes of the host take meanwhile, 0.1 to 5.4 in 11 logs; -2 where another server gave some back",
)
COMPILED_STAYS = Guess(
    0.05,
    0.0,
    0.70,
    "code that a start keeps which compiles first, from 0.20 on: none in four, 0.53 and 0.64 GiB in two",
)
COMPILING_COPIES = Guess(
    1.5, 0.0, 3.2, "of the batch's hidden states beside the table of embeddings: 0.3 to 3 in 5 logs"
)

# What is in use before vLLM takes its first reading, in GiB: context and driver, and from 0.11 NCCL's buffers.
BASE_SINGLE = Guess(
    0.51, 0.20, 0.80, "total less free at start on one H100: 0.51 in 26 logs; 0.4 to 0.6 on other cards"
)
BASE_NVLINK = Guess(1.53, 1.40, 2.10, "the same on 2 to 4 H100 from 0.11 on: 1.48 to 2.01")

# CUDA graphs: MiB for each layer and graph, beside what the largest batch leaves; ranges are of the whole figure. Where logs
# print the parts of an estimate, a graph takes whole pairs of MiB, as the driver hands them out: 50 graphs scatter by 0.1 GiB.
GRAPH_DENSE = Guess(
    0.16,
    0.55,
    1.25,
    "18 dense models on H100 with 0.19: 15 took 0.15 to 0.19, Gemma 3 0.12; 0.6 of it on H200 with 0.18",
)
GRAPH_EXPERTS = Guess(0.22, 0.55, 1.25, "Qwen3-30B-A3B and Mixtral on H100 with 0.19: 0.22")
GRAPH_SHARED = Guess(
    0.345, 0.55, 1.25, "experts beside a dense MLP, or MLA, on H100 with 0.19: 0.33 to 0.37 in 4 logs, 0.44 for Llama 4"
)
GRAPH_LINKED_MIB = 1.5  # a graph more, in estimates on several GPUs: two of 40 layers take 14 to 16 MiB, not 10 to 12
GRAPH_FEW = Guess(1.0, 0.35, 1.8, "where few sizes are captured the first weighs most: 0.07 to 0.61 GiB in 9 logs")
GRAPH_FEW_GIB = 0.62  # what few may take: 0.26 to 0.39 where 2 to 5 graphs are captured, 0.61 where 9 are
GRAPH_RUNNER_V2 = Guess(
    0.9,
    0.05,
    2.0,
    "of the figure, with model runner V2: none in two logs under WSL, 0.5 to 1.0 in four, 2.0 on an A100",
)
GRAPH_OTHER_CARD = Guess(
    1.0,
    0.4,
    2.4,
    "of the H100 figure, on other cards: 0.5 to 2.1 in 12 logs, half above 1.1; up to 2.4 in 11 others",
)
GRAPH_STATES = Guess(
    1.0, 0.4, 2.6, "models with state layers: 0.4 to 2.4 times the figure; from 0.26 more with large batches"
)
GRAPH_UNMODELLED = Guess(0.65, 0.065, 1.85, "DeepSeek V4: 0.06 to 1.9 times the figure in four logs")
GRAPH_WARMING = Guess(
    2.0,
    0.8,
    5.7,
    "of the figure, before 0.18 where nothing is tuned first: blocks of the warm-up too; 0.8 to 5.7 in 10 logs",
)
GRAPH_TUNED = Guess(
    1.0,
    0.35,
    1.2,
    "of the figure, less what tuning left in torch's pool and capturing gives back: -0.8 to 1.4 GiB in 10 logs",
)
TUNED_LAYER = 1.3  # of a layer's activations, what tuning leaves at most: -0.80 GiB in the log that gives back most
GRAPH_V0_GIB = (0.12, 2.0)  # in 10 logs; within 25 % of the figure in 5, four times as much with LoRA and on a V100
GRAPH_UNIFIED = -0.1  # of the figure, at least, where the host frees memory meanwhile: -0.03 and 0.04 GiB on GB10

# Weights.
WEIGHTS_PLAIN = Guess(
    1.0, -0.002, 0.0035, "71 logs, 39 of them outside one series: median 0.01 %, nine in ten within 0.3 %"
)
WEIGHTS_QUANTIZED = Guess(1.0, -0.008, 0.01, "22 logs of checkpoints that say what is quantized: 20 within 0.9 %")
WEIGHTS_MXFP4_HOPPER = Guess(
    1.0, -0.008, 0.026, "Triton's padding or Marlin's, by what is installed: 64.38 and 65.97 GiB"
)
# At most, from 0.17 on: 0.2 more than the tensors of gpt-oss-20b on one H100, and on each of two.
MXFP4_BESIDE_GIB = 0.25
WEIGHTS_AMD = Guess(1.0, -0.006, 0.018, "ROCm: within 0.4 % in three logs, as the first kernels bring 0.12 to 0.2 GiB")
WEIGHTS_REPACKED = Guess(
    1.0, -0.008, 0.025, "from 0.21 what is repacked may take larger blocks: 2 % more in a log of AWQ with 0.31"
)
WEIGHTS_MULTIMODAL = Guess(1.0, -0.004, 0.0075, "16 logs of models with a tower: within 0.65 %")
WEIGHTS_GUESSED_QUANTIZATION = Guess(
    1.0, -0.04, 0.06, "checkpoints that do not say which modules stay in 16 bits: -0.6 to 5.4 % in 7 logs"
)
WEIGHTS_UNKNOWN_RECIPE = Guess(
    1.0, -0.03, 0.03, "its list of modules is not known: recipes pack the DeltaNet layers or leave them in 16 bits"
)

# Models whose layers hold what is not modelled here.
LAYERS_UNMODELLED = frozenset({"deepseek_v4", "deepseek_v41", "minimax_m3", "minimax_m3_vl", "qwen4_exp"})

# The card.
TOTAL_SLACK_GIB = Guess(
    0.0, -0.08, 0.17, "torch totals of one card name in different machines, where one was seen: 14.56 to 14.75 on T4"
)
TOTAL_SLACK_RECALLED_GIB = Guess(
    0.0, -0.25, 0.45, "totals taken from data sheets; Windows and WSL show almost all of it"
)
TOTAL_BELOW_NVIDIA_SMI_GIB = Guess(0.5, 0.44, 0.9, "nvidia-smi total less torch total: 0.44 to 0.51 up to 48 GB")

# A log prints "Available KV cache memory" to two places.
PRINTED_SLACK_GIB = 0.005

# Of the roofline, by batch.
DECODE_EFFICIENCY = Guess(0.65, 0.45, 0.85, "share of the memory bandwidth that decoding reaches in published runs")
PREFILL_EFFICIENCY = Guess(0.45, 0.30, 0.65, "share of the 16-bit FLOPs that prefill reaches in published runs")

# Multiprocessors by card, for the Triton sampler's scratch rows. Source: NVIDIA's data sheets.
MULTIPROCESSORS = {
    "H100 PCIE": 114, "H100": 132, "H200": 132, "H20": 78, "GH200": 132, "A100": 108, "A800": 108, "A30": 56,
    "L40S": 142, "L40": 142, "L4": 58, "A10G": 80, "A10": 72, "A40": 84, "A6000": 84, "T4": 40, "V100": 80,
    "B200": 148, "B300": 148, "GB200": 152, "GB10": 48, "PRO 6000": 188, "5090": 170, "5080": 84, "5070 TI": 70,
    "4090": 128, "4080": 76, "4060": 24, "3090": 82, "3080": 68, "3060": 28, "2080 TI": 68, "2060": 34,
}  # fmt: skip
USUAL_MULTIPROCESSORS = 108
