"""What real start-up logs printed, beside the ranges that their settings give; versions and cards apart from the rest."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment, Speculation
from bot.sizing.calibrate import residuals_of
from bot.sizing.size import size
from bot.sizing.terms import Measured
from bot.units import Bytes


class Log(NamedTuple):
    """One start of vLLM: settings, and figures in GiB (tokens as they are)."""

    name: str
    model: str
    card: str
    version: str
    facts: dict[str, Any]
    printed: dict[str, float]


LOGS = (
    Log("a 4090, estimate of graphs applied", "Qwen/Qwen2.5-7B-Instruct", "RTX 4090", "0.24.0",
        {"max_model_len": 2048, "gpu_memory_utilization": 0.85},
        {"weights": 14.29, "cudagraph_estimated": 0.53, "kv_available": 4.45, "kv_tokens": 83_376}),
    Log("a 4090, a small model", "Qwen/Qwen2.5-0.5B-Instruct", "RTX 4090", "0.24.0",
        {"max_model_len": 2048, "gpu_memory_utilization": 0.85}, {"kv_available": 18.08, "kv_tokens": 1_579_808}),
    Log("an A100, model runner V2", "meta-llama/Llama-3.1-8B-Instruct", "A100 PCIe 80GB", "0.33.0",
        {"max_model_len": 131_072, "gpu_memory_utilization": 0.92},
        {"weights": 15.0, "kv_available": 56.21, "kv_tokens": 460_496}),
    Log("GB10, a batch of 65,536 tokens", "nvidia/Qwen3.6-27B-NVFP4", "GB10", "0.23.1",
        {"max_model_len": 262_144, "gpu_memory_utilization": 0.7, "kv_cache_dtype": "fp8", "max_num_seqs": 8,
         "max_num_batched_tokens": 65_536, "prefix_caching": True, "max_cudagraph_capture_size": 16},
        {"weights": 19.78, "cudagraph_estimated": 0.61, "kv_available": 47.84, "kv_tokens": 1_505_068}),
    Log("8 GPUs over PCIe, Marlin", "openai/gpt-oss-120b", "RTX PRO 4500 Blackwell", "0.28.0",
        {"tensor_parallel": 8, "gpu_memory_utilization": 0.95, "max_num_seqs": 256},
        {"weights": 9.98, "kv_available": 19.0}),
    Log("4 GPUs over PCIe, NVFP4 with a list", "nvidia/GLM-4.7-NVFP4", "RTX PRO 6000 Blackwell", "0.15.1",
        {"tensor_parallel": 4, "max_model_len": 202_752, "kv_cache_dtype": "fp8"},
        {"weights": 47.11, "kv_available": 31.99, "kv_tokens": 729_248}),
    Log("4 GPUs over NVLink", "MiniMaxAI/MiniMax-M2.5", "H100", "0.18.0",
        {"tensor_parallel": 4, "max_model_len": 128_000, "gpu_memory_utilization": 0.95, "max_num_seqs": 10,
         "max_num_batched_tokens": 8192},
        {"weights": 53.75, "cudagraph": 0.19, "kv_available": 18.16, "kv_tokens": 307_184}),
    Log("2 GPUs over NVLink before 0.17", "Qwen/Qwen3-Next-80B-A3B-Instruct", "H200", "0.10.2",
        {"tensor_parallel": 2, "max_model_len": 262_144},
        {"weights": 74.28, "activation": 5.58, "non_torch": 1.38, "cudagraph": 2.37, "kv_available": 44.59,
         "kv_tokens": 973_760}),
    Log("8 GPUs over NVLink, a pooled index", "zai-org/GLM-5.3-Flash", "H200", "0.31.0",
        {"quantization": "fp8", "tensor_parallel": 8, "max_model_len": 131_072, "gpu_memory_utilization": 0.9, "max_num_seqs": 512},
        {"kv_available": 81.79, "kv_tokens": 7_228_559}),
    Log("a 4090 before graphs counted", "Qwen/Qwen3-8B-FP8", "RTX 4090", "0.10.2",
        {"max_model_len": 1024, "gpu_memory_utilization": 0.8, "dtype": "float16"},
        {"weights": 8.80, "activation": 1.40, "non_torch": 0.02, "cudagraph": 0.68, "kv_available": 8.60}),
    Log("MTP beside DeltaNet layers", "sakamakismile/Qwen3.8-27B-MTP-NVFP4", "RTX PRO 6000 Blackwell Workstation", "0.28.1",
        {"max_model_len": 262_144, "gpu_memory_utilization": 0.9, "max_num_seqs": 8, "kv_cache_dtype": "nvfp4",
         "block_size": 2848, "speculation": Speculation(method="mtp", tokens=3)},
        {"kv_tokens": 2_917_565}),
    Log("a video padded to 153,600 tokens", "Qwen/Qwen3-VL-30B-A3B-Instruct", "RTX 3090", "0.11.0",
        {"tensor_parallel": 4, "max_model_len": 65_536, "gpu_memory_utilization": 0.9},
        {"weights": 14.77, "kv_available": 2.31, "kv_tokens": 100_752}),
    Log("an image beside many logits", "Qwen/Qwen3-VL-30B-A3B-Instruct", "H200", "0.13.0",
        {"max_model_len": 8192, "gpu_memory_utilization": 0.92}, {"kv_available": 64.23, "kv_tokens": 701_600}),
    Log("a tower on every rank", "RedHatAI/Ministral-3-14B-Instruct-2512", "H200", "0.13.0",
        {"max_model_len": 8192, "gpu_memory_utilization": 0.92},
        {"weights": 14.71, "kv_available": 108.8, "kv_tokens": 713_040}),
    Log("an A100 of 40 GB before graphs counted", "Qwen/Qwen3-8B", "A100 SXM4 40GB", "0.9.2", {"gpu_memory_utilization": 0.9},
        {"weights": 15.27, "kv_available": 18.69, "kv_tokens": 136_080}),
    Log("an image that sets the peak", "Qwen/Qwen3.5-9B", "L40S", "0.19.0",
        {"gpu_memory_utilization": 0.9, "max_num_batched_tokens": 8192, "entrypoint": "offline"},
        {"weights": 17.66, "kv_available": 20.27}),
)  # fmt: skip

POOLS = (
    Log("a key and a value for each head", "codellama/CodeLlama-7b-hf", "H100", "0.19.0", {},
        {"kv_available": 61.66, "kv_tokens": 126_256}),
    Log("FP8 weights beside a cache of 16 bits, on two ranks", "RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", "H100",
        "0.19.0", {"tensor_parallel": 2}, {"kv_available": 37.28, "kv_tokens": 244_304}),
    Log("four heads of keys", "Qwen/Qwen2.5-7B-Instruct", "H100", "0.19.0", {},
        {"kv_available": 64.64, "kv_tokens": 1_210_304}),
    Log("a latent of 576", "deepseek-ai/DeepSeek-V2-Lite-Chat", "H100", "0.19.0", {},
        {"kv_available": 43.61, "kv_tokens": 1_505_552}),
    Log("22 windows beside 4 full layers, two places empty", "google/gemma-3-1b-it", "H100", "0.13.0",
        {"max_model_len": 2048}, {"kv_available": 25.39, "kv_tokens": 950_864, "concurrency": 461.21}),
    Log("as many windows as full layers", "google/gemma-2-9b-it", "H100", "0.19.0", {"max_model_len": 8192},
        {"kv_available": 54.12, "kv_tokens": 168_880, "concurrency": 20.60}),
    Log("three chunked layers to a full one", "meta-llama/Llama-4-Scout-17B-16E-Instruct", "H100", "0.19.0",
        {"tensor_parallel": 4, "max_model_len": 8192},
        {"kv_available": 16.75, "kv_tokens": 365_968, "concurrency": 44.68}),
    Log("windows of 128", "openai/gpt-oss-20b", "H100", "0.19.0", {"max_model_len": 8192},
        {"kv_available": 58.47, "kv_tokens": 1_277_184, "concurrency": 155.75}),
    Log("DeltaNet states on two ranks", "Qwen/Qwen3-Next-80B-A3B-Instruct", "H200", "0.10.2",
        {"tensor_parallel": 2, "max_model_len": 262_144},
        {"kv_available": 44.59, "kv_tokens": 973_760, "concurrency": 14.77}),
    Log("sparse MLA in FlashInfer's layout", "nvidia/DeepSeek-V3.2-NVFP4", "B200", "0.18.0",
        {"tensor_parallel": 8, "max_model_len": 10_000, "kv_cache_dtype": "fp8_e4m3", "prefix_caching": False},
        {"kv_available": 110.95, "kv_tokens": 2_758_336, "concurrency": 274.52}),
    Log("an index on some layers, the backend named", "nvidia/GLM-5.2-NVFP4", "B200", "0.26.0",
        {"tensor_parallel": 4, "max_model_len": 819_200, "kv_cache_dtype": "fp8_e4m3", "expert_parallel": True,
         "attention_backend": "FLASHINFER_MLA_SPARSE"},
        {"kv_available": 50.62, "kv_tokens": 1_139_456, "concurrency": 1.39}),
    Log("Mamba states in 32 bits", "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-FP8", "H200", "0.13.0",
        {"max_model_len": 8192, "kv_cache_dtype": "fp8", "prefix_caching": False},
        {"kv_available": 93.13, "kv_tokens": 6_506_208, "concurrency": 1299.0}),
    Log("Mamba states in 16 bits", "nvidia/NVIDIA-Nemotron-3-Nano-4B-FP8", "GB10", "0.13.0",
        {"max_model_len": 8192, "kv_cache_dtype": "fp8"}, {"kv_available": 11.15, "concurrency": 98.2}),
    Log("DeltaNet states in 32 bits", "Qwen/Qwen3.5-4B", "RTX 4090 D", "0.23.0", {"max_model_len": 4096},
        {"kv_available": 10.21, "kv_tokens": 235_706}),
    Log("DeltaNet states in the model's type", "Qwen/Qwen3-Next-80B-A3B-Instruct", "L40S", "0.13.0",
        {"tensor_parallel": 2, "max_model_len": 32_768, "kv_cache_dtype": "fp8"},
        {"kv_available": 17.58, "kv_tokens": 767_552, "concurrency": 84.29}),
    Log("a cache in 16 bits, as the first file asks for no other", "nvidia/Qwen3.6-35B-A3B-NVFP4", "RTX 5090", "0.29.0",
        {"max_model_len": 32_768, "block_size": 128, "language_model_only": True},
        {"kv_available": 4.9, "kv_tokens": 207_842, "concurrency": 6.34}),
    Log("two states beside MTP's", "Qwen/Qwen3.6-27B", "RTX 3090", "0.22.0",
        {"tensor_parallel": 4, "max_model_len": 262_144, "kv_cache_dtype": "int8_per_token_head", "prefix_caching": True,
         "speculation": Speculation(method="mtp", tokens=3)},
        {"kv_available": 15.73, "kv_tokens": 1_746_661, "concurrency": 6.66}),
    Log("a draft with other heads, in as many bytes", "Qwen/Qwen3.6-27B", "RTX 4090", "0.20.0",
        {"tensor_parallel": 2, "max_model_len": 180_000, "prefix_caching": True, "mamba_cache_mode": "align",
         "speculation": Speculation(method="dflash", tokens=5)},
        {"kv_available": 9.74, "kv_tokens": 67_728, "concurrency": 1.06}),
    Log("the same draft, printed as requests", "Qwen/Qwen3.6-27B", "RTX 3090", "0.20.2",
        {"tensor_parallel": 2, "max_model_len": 200_000, "prefix_caching": True, "mamba_cache_mode": "align",
         "speculation": Speculation(method="dflash", tokens=5)},
        {"kv_available": 10.39, "kv_tokens": 205_384, "concurrency": 1.03}),
    Log("folded tokens, two batches in flight", "deepseek-ai/DeepSeek-V4-Flash", "H200", "0.26.0",
        {"max_model_len": 131_072, "max_num_batched_tokens": 8192},
        {"kv_available": 77.53, "kv_tokens": 1_513_358, "concurrency": 11.55}),
)  # fmt: skip
"""What the printed memory of the KV cache was printed to hold."""


def deployed(log: Log) -> Deployment:
    return Deployment(
        model=log.model,
        shape=find_model(log.model).shape,
        card=find_gpu(log.card).card,
        vllm_version=log.version,
        **log.facts,
    )


def outside(log: Log) -> dict[str, str]:
    figures = {name: int(value) if name == "kv_tokens" else Bytes.gib(value) for name, value in log.printed.items()}
    found = residuals_of(size(deployed(log)), Measured.model_validate(figures))
    assert len(found) == len(log.printed)
    return {
        each.term: f"{each.logged:,} is not in {each.low:,} to {each.high:,}" for each in found if not each.is_inside
    }


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_printed_figures_lie_in_the_stated_ranges(log: Log):
    assert {} == outside(log)


@pytest.mark.parametrize("log", POOLS, ids=lambda log: log.name)
def test_printed_memory_holds_what_was_printed(log: Log):
    printed = log.printed["kv_available"]
    least, most = (
        size(deployed(log), Measured(kv_available=Bytes.gib(printed + rounding))) for rounding in (-0.005, 0.005)
    )

    assert least.kv_tokens <= log.printed.get("kv_tokens", least.kv_tokens) <= most.kv_tokens
    assert least.concurrency - 0.005 <= log.printed.get("concurrency", least.concurrency) <= most.concurrency + 0.005
