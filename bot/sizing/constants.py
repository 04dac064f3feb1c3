"""Every guessed constant of the budget, where it comes from, and how far real logs lie from it."""

from __future__ import annotations

from typing import NamedTuple


class Guess(NamedTuple):
    """A constant with the range that nine of ten logs lie in; relative unless it says GiB."""

    value: float
    low: float
    high: float
    origin: str


# Logits and sampler: bytes for each sequence and each token of the vocabulary.
SORT_SAMPLER = Guess(38.3, 37.9, 38.7, "PyTorch top-k/top-p by sorting; 7 start-up logs of V0, 0.10, 0.15 and 0.16")
TRITON_SAMPLER = Guess(14.85, 14.6, 15.1, "Triton top-k/top-p; 25 models on H100 with vLLM 0.17 to 0.19")
FLASHINFER_SAMPLER = Guess(
    14.85, 13.9, 15.3, "two fp32 copies and fp32 probabilities beside 16-bit logits: 14 at least"
)
RUNNER_V2_SAMPLER = Guess(14.85, 9.9, 18.9, "sampler run twice in fp32 by model runner V2; no log of these versions")

# One dense layer: bytes are 2 × tokens × (this × hidden + 3 × intermediate).
MLP_HIDDEN_COPIES = Guess(4.2, 3.4, 5.0, "residual, norm and attention output; 8 logs where the MLP is the peak")

ACTIVATION_KNOWN = Guess(1.0, -0.03, 0.03, "25 logs of 0.17 to 0.19 with sequences, tokens and version printed")
ACTIVATION_MLP = Guess(1.0, -0.08, 0.12, "logs of small vocabularies, where a layer is the peak")
ACTIVATION_UNSTATED = Guess(1.0, -0.25, 0.25, "logs whose version or batch limits are not printed")

# Non-torch memory inside the allowance, in GiB.
NON_TORCH_SINGLE_OLD = Guess(0.13, 0.01, 0.30, "one GPU up to 0.17: 5 logs of H100, 8 of smaller cards")
NON_TORCH_SINGLE = Guess(0.25, 0.05, 0.47, "one H100 from 0.18: 22 logs; 0.46 for two Granite models, unexplained")
NON_TORCH_SMALL_CARD = Guess(0.06, 0.01, 0.20, "one T4, V100, A100-40 or consumer card: 8 logs")
NON_TORCH_NVLINK = Guess(2.07, 1.30, 2.25, "2 to 4 GPUs over NVLink from 0.17: 14 logs; 1.38 in one log of 0.10.2")
NON_TORCH_NVLINK_OLD = Guess(1.38, 0.50, 2.20, "2 GPUs over NVLink before 0.17: one log")
NON_TORCH_PCIE = Guess(0.16, 0.06, 0.60, "2 to 16 GPUs over PCIe: 5 logs from 0.09 to 0.20")
NON_TORCH_UNIFIED = Guess(0.13, 0.02, 1.0, "GB10: one log")

# CUDA graphs, in GiB for one layer and one captured graph.
GRAPH_DENSE = Guess(0.021 / 102, 0.6, 1.5, "28 dense models on H100 with 0.19: 0.0185 to 0.030 a layer for 102 graphs")
GRAPH_EXPERTS = Guess(0.036 / 102, 0.7, 1.3, "10 expert and MLA models on H100 with 0.19")
GRAPH_REAL_SHARE = Guess(1.14, 0.96, 1.34, "what capturing took over what was estimated: 23 logs of 0.19")
GRAPH_OTHER_CARD = Guess(1.0, 0.3, 2.0, "cards below 70 GiB: 4 logs, all well below the H100 figure")
GRAPH_RUNNER_V2 = Guess(0.5, 0.3, 1.0, "model runner V2 against V1: one controlled pair")
GRAPH_V0 = Guess(0.5, 0.15, 1.2, "decode-only graphs of V0, in GiB: 4 logs")

# Weights.
WEIGHTS_PLAIN = Guess(1.0, -0.01, 0.01, "48 logs: median 0.0 %, p90 0.3 %")
WEIGHTS_MULTIMODAL = Guess(1.0, -0.03, 0.03, "8 logs of models with a tower")
WEIGHTS_GUESSED_QUANTIZATION = Guess(1.0, -0.08, 0.08, "checkpoints that do not say which modules stay in 16 bits")

# The card.
TOTAL_SLACK_GIB = Guess(0.0, -0.15, 0.15, "torch totals of one card name in different machines")
TOTAL_BELOW_NVIDIA_SMI_GIB = Guess(0.5, 0.44, 0.9, "nvidia-smi total less torch total: 0.44 to 0.51 up to 48 GB")

# A log prints "Available KV cache memory" to two places.
PRINTED_SLACK_GIB = 0.005

# Of the roofline, by batch.
DECODE_EFFICIENCY = Guess(0.65, 0.45, 0.85, "share of the memory bandwidth that decoding reaches in published runs")
PREFILL_EFFICIENCY = Guess(0.45, 0.30, 0.65, "share of the 16-bit FLOPs that prefill reaches in published runs")
