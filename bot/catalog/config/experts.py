"""From a config.json to a model's experts, and to the layers that have them."""

from __future__ import annotations

from typing import Any

from bot.catalog.config.text import Settings
from bot.model_shape import Moe

_PER_TOKEN = (
    "num_experts_per_tok",
    "num_experts_per_token",
    "experts_per_token",
    "moe_topk",
    "top_k_experts",
    "moe_k",
)
_LETTERS = {"M": "none", "*": "none", "-": "dense", "E": "moe"}  # of Nemotron-H's pattern


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
        experts_per_token=_first(settings.get(*_PER_TOKEN)) or 1,
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


def mlp_kinds(settings: Settings, layers: int, has_experts: bool) -> list[str]:
    """Return each layer's MLP: "dense", "moe" or "none"."""
    letters = settings.get("hybrid_override_pattern")
    if isinstance(letters, str):
        return [_LETTERS[letter] for letter in letters if letter in _LETTERS][:layers]
    if settings.model_type in ("mamba", "mamba2", "falcon_mamba"):
        return ["none"] * layers
    blocks = settings.words("layers_block_type")
    if blocks and ("moe" in blocks or "mlp" in blocks):
        return [{"moe": "moe", "mlp": "dense"}.get(str(block), "none") for block in blocks]
    if not has_experts:
        return ["dense"] * layers
    return ["moe" if _is_moe(settings, i) else "dense" for i in range(layers)]


def _is_moe(settings: Settings, index: int) -> bool:
    named = settings.words("mlp_layer_types")
    if named and index < len(named):
        return named[index] in ("sparse", "moe")
    listed = settings.words("moe_layers") or settings.get("moe_layers_enum")
    if isinstance(listed, str):
        listed = [int(n) for n in listed.split(",") if n.strip().isdigit()]
    if listed:
        return index in listed
    frequency = settings.words("moe_layer_freq")
    if frequency and index < len(frequency):
        return bool(frequency[index])
    return _is_moe_by_step(settings, index)


def _is_moe_by_step(settings: Settings, index: int) -> bool:
    if index < (settings.number("first_k_dense_replace", "num_dense_layers", "moe_layer_start_index") or 0):
        return False
    if index in (settings.words("mlp_only_layers") or ()):
        return False
    if period := settings.number("expert_layer_period"):
        return index % period == (settings.number("expert_layer_offset") or 0)
    if step := settings.number("interleave_moe_layer_step"):
        return (index + 1) % step == 0
    step = settings.number("decoder_sparse_step", "moe_layer_interval") or 1
    return (index + 1) % step == 0
