"""From a config.json to a model's latent attention, linear state and vision tower."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from bot.catalog.config.text import Settings
from bot.model_shape import LinearState, Mla, Vision

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


def linear_of(settings: Settings, kinds: Collection[str]) -> LinearState | None:
    """Return what the layers of these kinds keep for each sequence, if any of them keeps a state.

    What a config leaves out is its class's own. Source: transformers 5.24, the configuration classes.
    """
    for kind, read in _READ.items():
        if kind in kinds:
            return read(settings)
    return None


def _delta_of(settings: Settings) -> LinearState:
    heads = settings.number("num_attention_heads")
    keys, size = settings.number("linear_num_key_heads"), settings.number("linear_key_head_dim")
    values, wide = settings.number("linear_num_value_heads"), settings.number("linear_value_head_dim")
    if settings.model_type == "olmo_hybrid" and heads:
        keys, values = keys or heads, values or heads
        size = size or int(0.75 * settings.need("hidden_size") / keys)
        wide = wide or 2 * size
    return LinearState(
        conv_kernel=settings.number("linear_conv_kernel_dim") or 4,
        key_heads=keys,
        value_heads=values,
        key_head_dim=size,
        value_head_dim=wide,
        state_dtype=settings.get("mamba_ssm_dtype"),
    )


def _kimi_delta_of(settings: Settings) -> LinearState:
    own = settings.section("linear_attn_config")
    heads = own.get("num_heads") or settings.number("linear_num_heads", "num_attention_heads")
    size = own.get("head_dim") or settings.number("linear_head_dim", "head_dim")
    kernel = own.get("short_conv_kernel_size") or settings.number("linear_conv_kernel_dim", "short_conv_kernel_size")
    return LinearState(
        conv_kernel=kernel or 4, key_heads=heads, value_heads=heads, key_head_dim=size, value_head_dim=size
    )


def _lightning_of(settings: Settings) -> LinearState:
    heads, size = settings.number("num_attention_heads"), settings.number("head_dim", "linear_head_dim")
    return LinearState(heads=heads, head_dim=size or (settings.need("hidden_size") // heads if heads else None))


def _convolution_of(settings: Settings) -> LinearState:
    return LinearState(conv_kernel=settings.number("conv_L_cache") or 3, inner=settings.number("hidden_size"))


def _mamba_of(settings: Settings) -> LinearState:
    hidden = settings.need("hidden_size", "d_model")
    state = settings.number("ssm_state_size", "mamba_d_state", "state_size", "d_state")
    heads = settings.number("mamba_num_heads", "mamba_n_heads", "n_mamba_heads", "num_heads")
    size = settings.number("mamba_head_dim", "mamba_d_head", "mamba_headdim")
    expand = settings.number("mamba_expand", "expand") or 2
    inner = settings.number("mamba_d_ssm", "mamba_intermediate_size") or (
        heads * size if heads and size else hidden * expand
    )
    return LinearState(
        conv_kernel=settings.number("mamba_d_conv", "conv_kernel") or 4,
        inner=inner,
        state=state or _STATE_OF_CLASS.get(settings.model_type),
        groups=settings.number("mamba_n_groups", "n_groups", "mamba_ngroups") or 1,
        heads=heads,
        head_dim=size or (inner // heads if heads else None),
        chunk=settings.number("mamba_chunk_size", "chunk_size"),
        state_dtype=settings.get("mamba_ssm_cache_dtype"),
    )


_STATE_OF_CLASS = {"mamba": 16, "falcon_mamba": 16, "jamba": 16, "zamba2": 64, "mamba2": 128, "granitemoehybrid": 256}
_READ: dict[str, Callable[[Settings], LinearState]] = {
    "gated_delta": _delta_of,
    "kda": _kimi_delta_of,
    "linear": _lightning_of,
    "short_conv": _convolution_of,
    "mamba1": _mamba_of,
    "mamba2": _mamba_of,
}


def vision_of(settings: Settings) -> Vision | None:
    """Return the vision tower, as far as the config describes it."""
    found = (
        settings.outer.get("vision_config") or settings.outer.get("visual") or settings.outer.get("vision_tower_config")
    )
    found = found or (settings.outer.get("thinker_config") or {}).get("vision_config")
    if settings.model_type == "whisper":
        return Vision(parameters=_heard_by(settings))
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


def _heard_by(settings: Settings) -> int:
    """Return the parameters of Whisper's encoder: two convolutions, positions and layers with biases but on their keys.

    Source: vLLM `models/whisper.py`, WhisperEncoder; 1,543,490,560 parameters of large-v3 in all.
    """
    hidden, wide = settings.need("d_model"), settings.number("encoder_ffn_dim") or 4 * settings.need("d_model")
    layer = 4 * hidden**2 + 2 * hidden * wide + 3 * hidden + wide + hidden + 4 * hidden
    bands, positions = settings.number("num_mel_bins") or 80, settings.number("max_source_positions") or 1500
    convolutions = (3 * bands + 1) * hidden + (3 * hidden + 1) * hidden
    return (settings.number("encoder_layers") or 0) * layer + convolutions + positions * hidden + 2 * hidden
