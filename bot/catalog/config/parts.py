"""From a config.json to a model's latent attention, linear state and vision tower."""

from __future__ import annotations

from collections.abc import Mapping

from bot.catalog.config.text import Settings
from bot.deployment import LinearState, Mla, Vision

_REPLICATED_TOWERS = ("mistral3", "pixtral")


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
        index_pool=settings.number("index_kpool"),
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
