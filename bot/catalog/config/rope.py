"""From a config.json to what decides the size of a model's rotary tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.catalog.config.text import Settings
from bot.model_shape import Rope


def rope_of(settings: Settings, head_dim: int) -> Rope:
    """Return what decides the size of the rotary tables."""
    scaling = dict(settings.section("rope_scaling") or settings.section("rope_parameters"))
    local = scaling.get("sliding_attention")
    if isinstance(scaling.get("full_attention"), Mapping):
        scaling = {**dict(scaling["full_attention"])}
    kind = scaling.get("rope_type") or scaling.get("type")
    if "mrope_section" in scaling:
        kind = "mrope"
    share = _share(settings, scaling, head_dim)
    index_rotates_apart = settings.number("index_head_dim") and not settings.get(
        "indexer_rope_interleave", default=False
    )
    return Rope(
        kind=_no_rope(settings) or kind,
        factor=scaling.get("factor"),
        original=scaling.get("original_max_position_embeddings") or settings.number("original_max_position_embeddings"),
        rotary_share=share,
        has_local_table=isinstance(local, Mapping) or _has_local_table(settings, kind),
        local_rotary_share=_local_share(settings, local, share),
        has_index_table=bool(index_rotates_apart and settings.number("kv_lora_rank")),
    )


def _has_local_table(settings: Settings, kind: str | None) -> bool:
    """Sliding layers with a base of their own, or without the scaling of the others, have their own table."""
    if settings.model_type in ("gemma3", "gemma3n"):
        return True
    own_base = settings.get("swa_rope_theta", "rope_local_base_freq", "local_rope_theta")
    return own_base is not None or (settings.model_type == "olmo3" and kind == "yarn")


def _local_share(settings: Settings, local: object, share: float) -> float:
    if isinstance(local, Mapping):
        return float(local.get("partial_rotary_factor") or 1.0)
    return share if settings.get("swa_rope_theta") is not None else 1.0


def _no_rope(settings: Settings) -> str | None:
    without = (
        "gpt2",
        "gpt_bigcode",
        "opt",
        "bloom",
        "mpt",
        "bert",
        "roberta",
        "xlm-roberta",
        "whisper",
        "mamba",
        "mamba2",
        "falcon_mamba",
        "nemotron_h",
        "jamba",
    )
    if settings.model_type in without or settings.get("alibi", default=False) is True:
        return "none"
    return "none" if settings.get("position_embedding_type") == "nope" else None


def _share(settings: Settings, scaling: Mapping[str, Any], head_dim: int) -> float:
    if settings.number("rotary_dim"):
        return settings.need("rotary_dim") / head_dim
    if settings.model_type in ("deepseek_v4", "deepseek_ref"):
        return (settings.number("qk_rope_head_dim") or 64) / head_dim
    share = scaling.get("partial_rotary_factor") or settings.get("partial_rotary_factor", "rotary_pct", "rope_pct")
    if share is None and settings.model_type in (
        "chatglm",
        "glm",
        "glm4",
        "glm4_moe",
        "phi",
        "nemotron",
        "qwen3_5",
        "qwen3_5_moe",
    ):
        share = 0.25 if settings.model_type.startswith("qwen") else 0.5
    return float(share) if share else 1.0
