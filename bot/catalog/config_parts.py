"""From a config.json to a model's experts, latent attention, linear state, rotary table and vision tower."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.catalog.config_text import Settings
from bot.deployment import LinearState, Mla, Moe, Rope, Vision

_REPLICATED_TOWERS = ("mistral3", "pixtral")


def moe_of(settings: Settings) -> Moe | None:
    """Return the experts, if the model has more than one."""
    experts = _first(settings.get("num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts"))
    experts = experts or _first(settings.section("ffn_config").get("moe_num_experts"))
    if not experts or experts < 2 or settings.get("enable_moe_block", default=True) is False:
        return None
    width = _expert_width(settings)
    shared = _shared_experts(settings)
    return Moe(
        experts=experts,
        experts_per_token=_first(
            settings.get(
                "num_experts_per_tok",
                "num_experts_per_token",
                "experts_per_token",
                "moe_topk",
                "top_k_experts",
                "moe_k",
            )
        )
        or 1,
        intermediate=width,
        shared_experts=shared,
        shared_intermediate=_shared_width(settings, shared, width),
        has_shared_gate=settings.model_type in ("qwen2_moe", "qwen3_next", "qwen3_5_moe", "qwen4_exp"),
        latent=settings.number("moe_latent_size", "routed_expert_hidden_size"),
        has_router_bias=_has_router_bias(settings),
        has_expert_bias=settings.model_type == "gpt_oss",
        dense_beside=settings.model_type in ("gemma4", "arctic", "diffusion_gemma"),
    )


def _first(value: Any) -> int | None:
    if isinstance(value, (list, tuple)) and value:
        value = value[0]
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _expert_width(settings: Settings) -> int:
    found = _first(
        settings.get(
            "moe_intermediate_size", "expert_ffn_hidden_size", "moe_ffn_hidden_size", "expert_intermediate_size"
        )
    )
    return found or settings.number("intermediate_size", "ffn_hidden_size") or 0


def _shared_experts(settings: Settings) -> int:
    count = _first(
        settings.get("n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert")
    )
    if count is None and settings.model_type in ("llama4", "qwen2_moe", "qwen3_next", "qwen3_5_moe", "qwen4_exp"):
        return 1
    if count is None and (settings.number("shared_expert_intermediate_size", "shared_intermediate_size") or 0) > 0:
        return 1
    return count or 0


def _shared_width(settings: Settings, shared: int, width: int) -> int | None:
    if not shared:
        return None
    stated = settings.number(
        "shared_expert_intermediate_size",
        "shared_intermediate_size",
        "moe_shared_expert_intermediate_size",
        "share_expert_dim",
    )
    return stated or shared * width


def _has_router_bias(settings: Settings) -> bool:
    if settings.get("use_routing_bias", "use_moe_router_bias", "topk_method") in (True, "noaux_tc"):
        return True
    return settings.model_type in (
        "gpt_oss",
        "glm4_moe",
        "glm_moe_dsa",
        "deepseek_v4",
        "nemotron_h",
        "ernie4_5_moe",
        "glm4_moe_lite",
        "minimax_m2",
        "dots1",
        "solar_open",
        "afmoe",
        "lfm2_moe",
    )


def mla_of(settings: Settings) -> Mla | None:
    """Return the latent attention's ranks, if the model has it."""
    rank = settings.number("kv_lora_rank")
    if not rank:
        return None
    nope = settings.number("qk_nope_head_dim") or 128
    return Mla(
        kv_lora_rank=rank,
        qk_rope_head_dim=settings.number("qk_rope_head_dim") or 0,
        qk_nope_head_dim=nope,
        v_head_dim=settings.number("v_head_dim") or nope,
        q_lora_rank=settings.number("q_lora_rank"),
        index_heads=settings.number("index_n_heads"),
        index_head_dim=settings.number("index_head_dim"),
        index_topk=settings.number("index_topk"),
    )


def linear_of(settings: Settings) -> LinearState | None:
    """Return what the linear layers keep, if there are any."""
    kda = settings.section("linear_attn_config")
    if kda or settings.number("linear_num_heads"):
        heads = kda.get("num_heads") or settings.number("linear_num_heads")
        size = kda.get("head_dim") or settings.number("linear_head_dim")
        kernel = kda.get("short_conv_kernel_size") or settings.number("linear_conv_kernel_dim") or 4
        return LinearState(
            conv_kernel=kernel, key_heads=heads, value_heads=heads, key_head_dim=size, value_head_dim=size
        )
    if settings.number("linear_num_value_heads"):
        return LinearState(
            conv_kernel=settings.number("linear_conv_kernel_dim") or 4,
            key_heads=settings.number("linear_num_key_heads"),
            value_heads=settings.number("linear_num_value_heads"),
            key_head_dim=settings.number("linear_key_head_dim"),
            value_head_dim=settings.number("linear_value_head_dim"),
            state_dtype=settings.get("mamba_ssm_dtype"),
        )
    if settings.number("conv_L_cache"):
        return LinearState(conv_kernel=settings.need("conv_L_cache"), inner=settings.number("hidden_size"))
    return _mamba_of(settings)


def _mamba_of(settings: Settings) -> LinearState | None:
    state = settings.number("ssm_state_size", "mamba_d_state", "state_size")
    if settings.words("attn_type_list") or settings.model_type.startswith("bailing"):
        heads = settings.number("num_attention_heads")
        return LinearState(heads=heads, head_dim=settings.number("head_dim", "linear_head_dim"))
    if not state:
        return None
    hidden = settings.need("hidden_size")
    heads = settings.number("mamba_num_heads", "mamba_n_heads", "num_heads")
    size = settings.number("mamba_head_dim", "mamba_d_head")
    expand = settings.number("mamba_expand", "expand") or 2
    inner = settings.number("mamba_d_ssm", "mamba_intermediate_size") or (
        heads * size if heads and size else hidden * expand
    )
    return LinearState(
        conv_kernel=settings.number("mamba_d_conv", "conv_kernel") or 4,
        inner=inner,
        state=state,
        groups=settings.number("mamba_n_groups", "n_groups") or 1,
        heads=heads,
        head_dim=size,
        chunk=settings.number("mamba_chunk_size", "chunk_size"),
        state_dtype=settings.get("mamba_ssm_cache_dtype"),
    )


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


def vision_of(settings: Settings) -> Vision | None:
    """Return the vision tower, as far as the config describes it."""
    found = (
        settings.outer.get("vision_config") or settings.outer.get("visual") or settings.outer.get("vision_tower_config")
    )
    found = found or (settings.outer.get("thinker_config") or {}).get("vision_config")
    if not isinstance(found, Mapping) or not found:
        return None
    tower = Settings(found)
    return Vision(
        hidden=tower.number("hidden_size", "embed_dim", "width", "vt_hidden_size"),
        layers=tower.number("num_hidden_layers", "depth", "layers", "vt_num_hidden_layers"),
        intermediate=tower.number("intermediate_size", "vt_intermediate_size"),
        heads=tower.number("num_attention_heads", "num_heads", "vt_num_attention_heads"),
        out_hidden=tower.number("out_hidden_size"),
        patch=tower.number("patch_size", "spatial_patch_size"),
        image=tower.number("image_size") if not isinstance(found.get("image_size"), list) else found["image_size"][0],
        is_replicated=str(settings.outer.get("model_type")) in _REPLICATED_TOWERS,
    )
