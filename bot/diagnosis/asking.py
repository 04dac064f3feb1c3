"""How each fact is asked for: the words, the plausible answers, why it matters, how to find it out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Wanted(NamedTuple):
    """One fact as a question; `worlds` are plausible answers that are tried before asking."""

    text: str
    choices: tuple[str, ...]
    why: str
    how_to_find_out: str
    worlds: tuple[str, ...] = ()


WANTED: Mapping[str, Wanted] = {
    "model": Wanted(
        "Which model do you serve?",
        (),
        "Weights and KV cache per token follow from it.",
        "The name behind `vllm serve` or `--model`, or `curl localhost:8000/v1/models`.",
        ("meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen2.5-32B-Instruct", "meta-llama/Llama-3.3-70B-Instruct"),
    ),
    "gpu": Wanted(
        "Which GPU is it?",
        ("L4", "L40S", "A100-80GB", "H100", "RTX 4090"),
        "Its memory is what the budget is made of.",
        "`nvidia-smi -L`",
        ("L4", "L40S", "A100-SXM4-80GB", "H100 80GB HBM3"),
    ),
    "gpu_count": Wanted(
        "How many GPUs may it use?",
        ("1", "2", "4", "8"),
        "More GPUs share the weights and add room for the KV cache.",
        "`nvidia-smi -L | wc -l`",
        ("1", "2", "4", "8"),
    ),
    "vllm_version": Wanted(
        "Which vLLM version is it?",
        ("0.8.5", "0.9.2", "0.11.0", "0.19.0", "0.33.0"),
        "What is charged to the memory budget, and which flags exist, changed between versions.",
        "`vllm --version`, or the first lines of the log",
        ("0.8.5", "0.11.0", "0.33.0"),
    ),
    "gpu_memory_utilization": Wanted(
        "What is gpu_memory_utilization set to?",
        ("0.5", "0.8", "0.9", "0.95"),
        "It is the share of the card that vLLM may use.",
        "`--gpu-memory-utilization` in the command; nothing there means 0.9 (0.92 from 0.20 on).",
        ("0.4", "0.9", "0.95"),
    ),
    "max_model_len": Wanted(
        "What is max_model_len set to?",
        ("8192", "32768", "131072"),
        "One request of that length must fit into the KV cache.",
        "`--max-model-len` in the command; nothing there means the model's own maximum.",
        ("8192", "131072"),
    ),
    "tensor_parallel": Wanted(
        "What is the tensor parallel size?",
        ("1", "2", "4", "8"),
        "Each GPU then holds that fraction of the weights.",
        "`--tensor-parallel-size` in the command; nothing there means 1.",
        ("1", "2", "4", "8"),
    ),
    "max_num_seqs": Wanted(
        "What is max_num_seqs set to?",
        ("64", "256", "1024"),
        "It decides how much the sampler and the CUDA graphs take.",
        "`--max-num-seqs` in the command",
        ("64", "256", "1024"),
    ),
    "max_num_batched_tokens": Wanted(
        "What is max_num_batched_tokens set to?",
        ("2048", "8192", "16384"),
        "The activation peak grows with it.",
        "`--max-num-batched-tokens` in the command",
        ("2048", "16384"),
    ),
    "kv_cache_dtype": Wanted(
        "Which KV cache dtype do you use?",
        ("auto", "fp8"),
        "fp8 halves what a token takes.",
        "`--kv-cache-dtype` in the command; nothing there means the model's own.",
        ("auto", "fp8"),
    ),
    "quantization": Wanted(
        "How are the weights quantized?",
        ("awq", "gptq", "fp8"),
        "Quantized weights take a half or a quarter.",
        "`quantization_config` in the model's config.json",
        ("awq", "fp8"),
    ),
    "enforce_eager": Wanted(
        "Is --enforce-eager set?",
        ("yes", "no"),
        "Without CUDA graphs they can neither fail nor take memory.",
        "`--enforce-eager` in the command",
        ("yes", "no"),
    ),
    "dedicated_gpu": Wanted(
        "Does vLLM have this GPU to itself?",
        ("yes", "no"),
        "If something else holds memory, no flag of vLLM brings it back.",
        "`nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv` on the host",
        ("true", "false"),
    ),
    "longest_request": Wanted(
        "What is the longest request you serve, prompt and answer together?",
        ("8K", "16K", "32K", "128K"),
        "A shorter context may be all you need; if not, the fix is another card or fp8.",
        "Your application's longest prompt plus max_tokens",
        ("4096", "131072"),
    ),
    "wanted_concurrency": Wanted(
        "How many requests at the same time?",
        ("1", "8", "32", "128"),
        "The KV cache must hold them together.",
        "The `Running:` figure of the stats line under load",
        ("1", "32"),
    ),
    "traffic": Wanted(
        "Is there traffic at that moment?",
        ("none", "light", "heavy"),
        "Memory that is full without traffic is the KV cache, claimed at start on purpose.",
        "The `Running:` and `Waiting:` figures of the stats line",
        ("none", "heavy"),
    ),
    "host_memory": Wanted(
        "How much RAM does the host or container have?",
        ("16 GiB", "32 GiB", "64 GiB", "128 GiB"),
        "The kernel ends processes that need more.",
        "`free -h`, and the container's memory limit",
        ("16 GiB", "128 GiB"),
    ),
}

LOG = "log"
"""What a question for more of the log is called; it is no fact."""

THE_ERROR = Wanted(
    "Can you paste the error with the 30 lines above it, and the launch command?",
    (),
    "What was said fits several problems; the log tells which.",
    "`docker logs CONTAINER 2>&1 | head -200`, or the terminal from `vllm serve` on",
)

EARLIER_LINES = Wanted(
    "Can you paste the lines above it, from the first ERROR on?",
    (),
    "This line only says that something failed earlier; the cause stands above it.",
    "`docker logs CONTAINER 2>&1 | grep -n -m1 -B5 -A60 -E 'ERROR|Traceback'`, or the log's first 200 lines",
)
WHAT_RAN = Wanted(
    "Can you paste the whole log of that start, and what else is on the card?",
    (),
    "The log names the model, version and settings that ran, and what was in use before them.",
    "`vllm serve … 2>&1 | tee vllm.log`, and just before it `nvidia-smi`",
)
