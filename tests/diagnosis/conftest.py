"""A small knowledge base, a model and a card, so that deciding is tested without the real ones."""

from __future__ import annotations

import pytest

from bot.catalog.flags import Flag, Flags
from bot.catalog.load import Knowledge
from bot.catalog.problem import Problem
from bot.deployment import Deployment, Gpu
from bot.model_shape import Layer, LayerKind, LayerRun, ModelShape
from bot.units import Bytes

TOO_SMALL = Problem.model_validate(
    {
        "id": "cache-too-small",
        "title": "The KV cache cannot hold one request",
        "summary": ["{kv_needed} needed, {kv_room} there"],
        "stage": "startup",
        "specificity": 75,
        "outranks": ["engine-failed"],
        "questions": ["longest_request"],
        "wordings": [
            {
                "id": "needed",
                "pattern": r"max seq len \((?P<max_model_len>\d+)\), \((?P<kv_needed>\d+\.\d+) GiB KV cache is needed, "
                r"which is larger than the available KV cache memory \((?P<kv_available>\d+\.\d+) GiB\)",
                "weight": 30,
            }
        ],
        "causes": [
            {
                "id": "context-too-long",
                "title": "The context is too long",
                "when": {"longest_context": {"below": "max_model_len"}},
                "because": ["{longest_context} tokens fit, {max_model_len} were asked for"],
                "fixes": ["shorter", "fp8", "more-gpus"],
            },
            {
                "id": "neighbour",
                "title": "Something else holds memory",
                "when": {"other_process_memory": {"above": "1 GiB"}},
                "because": ["{other_process_memory} is not ours"],
            },
        ],
        "fixes": [
            {
                "id": "shorter",
                "title": "Serve up to {longest_context} tokens",
                "set": {"max_model_len": "longest_context"},
                "rank": 10,
                "costs": "Longer requests are refused.",
            },
            {"id": "fp8", "title": "Keep the context in fp8", "set": {"kv_cache_dtype": "fp8"}, "rank": 20},
            {
                "id": "more-gpus",
                "title": "Use {fewest_gpus} GPUs",
                "set": {"tensor_parallel": "fewest_gpus"},
                "rank": 40,
            },
        ],
    }
)
NO_CACHE = Problem.model_validate(
    {
        "id": "no-cache",
        "title": "Nothing is left for the KV cache",
        "summary": "Nothing is left.",
        "stage": "startup",
        "specificity": 70,
        "outranks": ["engine-failed"],
        "wordings": [{"id": "no-blocks", "pattern": "No available memory for the cache blocks", "weight": 30}],
    }
)
ENGINE_FAILED = Problem.model_validate(
    {
        "id": "engine-failed",
        "title": "The engine did not start",
        "summary": "The reason stands above.",
        "role": "consequence",
        "stage": "startup",
        "wordings": [{"id": "see-above", "pattern": "Engine core initialization failed. See root cause above"}],
    }
)
LEFT_OVER = Problem.model_validate(
    {
        "id": "left-over",
        "title": "A warning at the end",
        "summary": "It means nothing.",
        "role": "noise",
        "wordings": [{"id": "leaked", "pattern": "leaked shared_memory objects to clean up"}],
    }
)
FULL_IDLE = Problem.model_validate(
    {
        "id": "full-idle",
        "title": "Full on purpose",
        "summary": "The KV cache is claimed at start.",
        "stage": "serving",
        "wordings": [
            {"id": "says-full", "pattern": r"no (?:traffic|requests)[^\n]{0,40}\bfull\b", "kind": "description"},
        ],
    }
)
PROBLEMS = (TOO_SMALL, NO_CACHE, ENGINE_FAILED, LEFT_OVER, FULL_IDLE)
FLAGS = Flags.of(
    [
        Flag(name="--max-model-len", fact="max_model_len", type="int"),
        Flag(name="--gpu-memory-utilization", fact="gpu_memory_utilization", type="float"),
        Flag(name="--tensor-parallel-size", fact="tensor_parallel", type="int", aliases=("-tp",)),
        Flag(name="--kv-cache-dtype", fact="kv_cache_dtype"),
        Flag(name="--enforce-eager", fact="enforce_eager", type="switch", negation="--no-enforce-eager"),
        Flag.model_validate({"name": "--swap-space", "fact": "swap_space_gib", "type": "float", "until": "0.17.1"}),
        Flag(name="--api-key"),
        Flag(name="--trust-remote-code", type="switch"),
    ]
)


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return Knowledge({problem.id: problem for problem in PROBLEMS}, FLAGS)


@pytest.fixture(scope="session")
def llama_8b() -> ModelShape:
    return ModelShape(
        name="meta-llama/Llama-3.1-8B-Instruct",
        hidden=4096,
        vocab=128_256,
        intermediate=14_336,
        heads=32,
        kv_heads=8,
        head_dim=128,
        max_position=131_072,
        tied_embeddings=False,
        dtype="bfloat16",
        runs=(LayerRun(layer=Layer(kind=LayerKind.FULL), count=32),),
    )


@pytest.fixture(scope="session")
def l4() -> Gpu:
    return Gpu(
        name="NVIDIA L4",
        memory=Bytes.mib(23_034),
        torch_memory=Bytes.gib(22.03),
        torch_memory_is_measured=True,
        compute_capability=8.9,
        has_fp8=True,
        has_bf16=True,
    )


@pytest.fixture
def served(llama_8b: ModelShape, l4: Gpu) -> Deployment:
    return Deployment(
        model="meta-llama/Llama-3.1-8B-Instruct",
        shape=llama_8b,
        gpu="NVIDIA L4",
        card=l4,
        vllm_version="0.11.0",
        launcher="serve",
        command="vllm serve meta-llama/Llama-3.1-8B-Instruct",
    )
