"""What a card, a backend or a version cannot do: bfloat16, an fp8 KV cache, vLLM at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.deployment import Deployment, Gpu
from bot.sizing.dtypes import has_bfloat16
from bot.sizing.eras import Release, release_of
from bot.sizing.kv_dtypes import is_eight_bit
from bot.sizing.terms import Refusal

LEAST_CAPABILITY = 7.0


def refuse(deployment: Deployment) -> Iterator[Refusal]:
    """Yield what the card or the version cannot do, as far as both are known."""
    card = deployment.card
    release = release_of(deployment.vllm_version) if deployment.vllm_version else None
    if card is not None:
        yield from _card(card)
        yield from _bfloat16(card, deployment, release)
    yield from _dtype(deployment)
    yield from _kv_dtype(card, deployment, release)


def _card(card: Gpu) -> Iterator[Refusal]:
    capability = card.compute_capability
    if card.vendor == "nvidia" and capability is not None and capability < LEAST_CAPABILITY:
        yield Refusal(
            name="gpu",
            message=f"{card.name} has compute capability {capability}; vLLM's builds need {LEAST_CAPABILITY} or more",
            problem="gpu-arch-too-old",
        )


def _dtype(deployment: Deployment) -> Iterator[Refusal]:
    asked = deployment.dtype
    if asked is not None and not _DTYPES.fullmatch(asked.lower()):
        message = f"--dtype {asked} is none that vLLM has; choose auto, half, float16, bfloat16, float or float32"
        yield Refusal(name="dtype", message=message, problem="cli-bad-argument")


_DTYPES = re.compile(r"(?:torch\.)?(?:auto|half|float(?:16|32)?|bfloat16|bf16|fp16|fp32)")  # as flags and logs write it


def _bfloat16(card: Gpu, deployment: Deployment, release: Release | None) -> Iterator[Refusal]:
    if has_bfloat16(card) is not False:
        return
    asked = (deployment.dtype or "").lower() in {"bfloat16", "bf16"}
    shape = deployment.shape
    falls_back = release is None or release >= (0, 9)
    inherits = deployment.dtype in {None, "auto"} and shape is not None and (shape.dtype or "").endswith("bfloat16")
    if asked or (inherits and not falls_back):
        yield Refusal(
            name="dtype",
            message="Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your "
            f"{card.name} GPU has compute capability {card.compute_capability}. Use --dtype=half",
            problem="bf16-unsupported-gpu",
        )


def _kv_dtype(card: Gpu | None, deployment: Deployment, release: Release | None) -> Iterator[Refusal]:
    asked = (deployment.kv_cache_dtype or "auto").lower()
    if not _KV_DTYPES.match(asked):
        message = f"--kv-cache-dtype {asked} is none that vLLM has; choose auto, bfloat16, float16, fp8, fp8_e5m2 …"
        yield Refusal(name="kv_cache_dtype", message=message, problem="cli-bad-argument")
        return
    if release is not None and (message := _too_new(asked, release)):
        yield Refusal(name="kv_cache_dtype", message=message, problem="fp8-kv-unsupported")
        return
    if card is None or card.compute_capability is None or card.vendor != "nvidia":
        return
    message = _beyond_card(asked, card, deployment) or _beyond_latent(asked, card, deployment, release)
    if message:
        yield Refusal(name="kv_cache_dtype", message=message, problem="fp8-kv-unsupported")


_KV_DTYPES = re.compile(r"(?:torch\.)?(?:auto|half|b?float|[bf]+p?16|fp32|fp8(?![0-9])|int[48]|nvfp4|mxfp|turboquant)")
_SINCE: dict[str, Release] = {
    "fp8": (0, 3, 3), "fp8_e5m2": (0, 3, 3), "fp8_e4m3": (0, 3, 3),
    "int8_per_token_head": (0, 20), "fp8_per_token_head": (0, 20), "int4_per_token_head": (0, 25),
    "nvfp4": (0, 20), "nvfp4_4over6": (0, 28), "fp8_ds_mla": (0, 11), "nvfp4_ds_mla": (0, 30),
}  # fmt: skip


def _too_new(asked: str, release: Release) -> str | None:
    since = _SINCE.get(asked)
    if since is None or release >= since:
        return None
    return f"--kv-cache-dtype {asked} exists from vLLM {'.'.join(map(str, since))} on; the version is older"


def _beyond_card(asked: str, card: Gpu, deployment: Deployment) -> str | None:
    capability = card.compute_capability or 0.0
    backend = (deployment.attention_backend or "").upper()
    if asked.startswith("nvfp4") and capability < 10:
        return f"--kv-cache-dtype {asked} requires the SM100 trtllm-gen FlashInfer path; {card.name} is {capability}"
    if not is_eight_bit(asked) or asked == "fp8_e5m2":
        return None
    if capability < 8 or (capability < 8.9 and backend.startswith("TRITON")):
        return (
            f"FP8 KV cache is not supported on {card.name} (compute capability {capability}); native FP8 (fp8e4nv) "
            "requires SM89+. Re-run with --kv-cache-dtype auto"
        )
    if backend == "FLASH_ATTN" and not 9 <= capability < 11:
        return f"FlashAttention stores an fp8 KV cache only on Hopper and B200-class cards, not on {card.name}"
    if backend.startswith("FLEX"):
        return "FlexAttention has no quantized KV cache; choose another attention backend"
    return None


_LATENT_FROM, _LATENT_STORES_FP8_FROM = (0, 7, 1), (0, 18)


def _beyond_latent(asked: str, card: Gpu, deployment: Deployment, release: Release | None) -> str | None:
    """Outside of Hopper and B200-class cards latent attention runs in Triton alone, which kept 16 bits up to 0.17.1.

    Source: vLLM `v1/attention/backends/mla/triton_mla.py` of 0.8.0 to 0.18.0, TritonMLAImpl.
    """
    has_other = 9 <= (card.compute_capability or 9.0) < 11
    is_old = release is not None and _LATENT_FROM <= release < _LATENT_STORES_FP8_FROM
    if has_other or not is_old or not is_eight_bit(asked) or deployment.shape is None or deployment.shape.mla is None:
        return None
    return f"TritonMLA with FP8 KV cache not yet supported: on {card.name} it came with vLLM 0.18.0"
