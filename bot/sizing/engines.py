"""Which engine starts: from 0.8 to 0.10 vLLM falls back from V1 to V0 for what V1 does not have yet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from bot.deployment import Deployment
from bot.model_shape import LayerKind, ModelShape
from bot.sizing.eras import Release, engine_of
from bot.sizing.generations import ADA, AMPERE, BLACKWELL, HOPPER
from bot.sizing.kv_cache.states import LINEAR_KINDS

Lack = tuple[Release, str]  # what a deployment wants, and the release from which V1 has it

_DRAFTS = frozenset({"ngram", "eagle", "eagle3", "medusa", "mtp"})
_BACKENDS: dict[str, Lack] = {
    "FLASHINFER": ((0, 8, 5), "FlashInfer's attention"),
    "XFORMERS": ((0, 11), "xFormers' attention"),
}
_LOADERS: dict[str, Lack] = {
    "tensorizer": ((0, 9), "tensorizer"),
    "sharded_state": ((0, 11), "sharded states"),
}
_FLAGS: dict[str, Lack] = {
    "--num-scheduler-steps": ((0, 10, 1), "multi-step scheduling"),
    "--preemption-mode": ((0, 11), "a mode of preemption"),
    "--enable-prompt-adapter": ((0, 10), "prompt adapters"),
}
_FLASH = frozenset({"", "FLASH_ATTN_VLLM_V1"})  # FlashAttention, by default or by name


def default_engine(deployment: Deployment, release: Release) -> tuple[str, str]:
    """Return the engine that starts when no log names it, and why; VLLM_USE_V1 decides while it is known.

    Source: vLLM `engine/arg_utils.py`, _is_v1_supported_oracle, of each release from 0.8.0 to 0.10.2.
    """
    flag = dict(deployment.environment).get("VLLM_USE_V1")
    engine = engine_of(release, None if flag is None else flag == "1")
    if flag is not None and release < (0, 11):
        return engine, "VLLM_USE_V1"
    if not (0, 8) <= release < (0, 11):
        return engine, "this version's default engine"
    wanted = chain(_of_card(deployment), _of_model(deployment), _of_settings(deployment, release))
    what = next((what for until, what in wanted if release < until), None)
    return (engine, "this version's default engine") if what is None else ("V0", f"V1 of this version has no {what}")


def _of_card(deployment: Deployment) -> Iterator[Lack]:
    card = deployment.card
    if card is None:
        return
    if card.vendor != "nvidia":
        yield (0, 9, 2), "default for this maker's cards"
    elif card.compute_capability is not None and card.compute_capability < AMPERE:
        yield (0, 10, 2), "kernels for cards before compute capability 8.0"


def _of_model(deployment: Deployment) -> Iterator[Lack]:
    shape = deployment.shape
    if shape is None:
        return
    kinds = {layer.kind for layer in shape.kinds}
    if kinds & LINEAR_KINDS:
        yield (0, 10, 2), "state layers"
    if LayerKind.CROSS in kinds or shape.model_type == "whisper":
        yield ((0, 11) if LayerKind.CROSS in kinds else (0, 10, 2)), "cross attention"
    if not shape.wiring.has_lm_head:
        yield ((0, 10, 1) if shape.reads_both_ways else (0, 9, 2)), "models that embed or score"
    method = (deployment.quantization or _stored_by(shape)).lower()
    if method in {"gguf", "bitsandbytes"}:
        yield ((0, 9) if method == "gguf" else (0, 8, 3)), f"weights in {method}"


def _stored_by(shape: ModelShape) -> str:
    return shape.quantization.method if shape.quantization else ""


def _of_settings(deployment: Deployment, release: Release) -> Iterator[Lack]:
    if (deployment.dtype or "").removeprefix("torch.") in {"float32", "float"}:
        yield (0, 9, 2), "float32"
    if _wants_cache_dtype(deployment, release):
        yield (0, 11), "kernel for this KV cache dtype"
    if deployment.lora:
        yield (0, 8, 3), "LoRA"
    if deployment.cpu_offload_gib:
        yield (0, 8, 3), "weights on the host"
    if (deployment.pipeline_parallel or 1) > 1:
        yield _stages(deployment), "pipeline stages for this executor"
    if deployment.speculation is not None:
        yield ((0, 9) if deployment.speculation.kind in _DRAFTS else (0, 10)), "speculation of this kind"
    named = (word.partition("=")[0] for word in deployment.other_arguments)
    yield from (_FLAGS[word] for word in named if word in _FLAGS)
    if lack := _LOADERS.get(deployment.load_format or "") or _BACKENDS.get(_backend(deployment)):
        yield lack


def _stages(deployment: Deployment) -> Release:
    """Return the release from which V1 takes pipeline stages: with Ray, with several processes, whatever runs them."""
    words = {word.lower() for argument in deployment.other_arguments for word in argument.split("=")}
    if "ray" in words:
        return (0, 8, 3)
    return (0, 9) if "mp" in words else (0, 9, 1)


def _backend(deployment: Deployment) -> str:
    return (deployment.attention_backend or "").upper()


def _wants_cache_dtype(deployment: Deployment, release: Release) -> bool:
    """Return whether V1 cannot store the KV dtype: FlashAttention on Hopper stores fp8 from 0.8.2, Blackwell's from 0.10."""
    dtype, card = (deployment.kv_cache_dtype or "auto").lower(), deployment.card
    if dtype == "auto" or card is None or card.vendor != "nvidia" or card.compute_capability is None:
        return False
    major, is_fp8 = int(card.compute_capability), dtype.startswith("fp8")
    if release < (0, 8, 2):
        return True
    if major == BLACKWELL and release >= (0, 10):
        return False
    if release >= (0, 10, 2) and (not is_fp8 or _stores_fp8(deployment, card.compute_capability)):
        return False
    return not (is_fp8 and major == HOPPER and _backend(deployment) in _FLASH)


def _stores_fp8(deployment: Deployment, capability: float) -> bool:
    """Return whether another kernel of 0.10.2 than FlashAttention stores fp8.

    Source: vLLM 0.10.2 `platforms/cuda.py`, is_kv_cache_dtype_supported.
    """
    is_latent = deployment.shape is not None and deployment.shape.mla is not None
    backend = _backend(deployment)
    return is_latent or backend == "FLASHINFER" or (backend == "TRITON_ATTN_VLLM_V1" and capability >= ADA)
