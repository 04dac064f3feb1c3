"""What a family of models does that its config.json does not say."""

from __future__ import annotations

from typing import Any, NamedTuple

from bot.catalog.config.text import Settings
from bot.model_shape import Wiring


class Family(NamedTuple):
    """Defaults of one model type, as its vLLM class builds it."""

    wiring: dict[str, Any] = {}
    attention_bias: bool = False
    qk_norm: bool = False
    gated_mlp: bool = True
    tied: bool = False


_LAYER_NORM: dict[str, Any] = {"norm_bias": True}
_ALL_BIASES: dict[str, Any] = {"norm_bias": True, "output_bias": True, "mlp_bias": True}
_BERT: dict[str, Any] = {**_ALL_BIASES, "has_lm_head": False, "embedding_norm": True, "final_norm": False}

FAMILIES: dict[str, Family] = {
    "apertus": Family(qk_norm=True, gated_mlp=False),
    "afmoe": Family({"norms": 4, "attention_gate": "full"}, qk_norm=True),
    "arcee": Family(gated_mlp=False),
    "bailing_moe_v2": Family(qk_norm=True),
    "bert": Family({**_BERT, "token_types": 2}, attention_bias=True, gated_mlp=False),
    "bloom": Family({**_ALL_BIASES, "embedding_norm": True}, attention_bias=True, gated_mlp=False, tied=True),
    "chatglm": Family(attention_bias=True),
    "cohere": Family({"norms": 1}, tied=True),
    "cohere2": Family({"norms": 1}, tied=True),
    "cohere2_moe": Family({"norms": 1}, tied=True),
    "cohere2_vision": Family({"norms": 1}, tied=True),
    "dbrx": Family({}, gated_mlp=True),
    "dots1": Family(qk_norm=True),
    "exaone4": Family(qk_norm=True),
    "exaone4_5": Family(qk_norm=True),
    "exaone_moe": Family(qk_norm=True),
    "falcon": Family(_LAYER_NORM, gated_mlp=False, tied=True),
    "falcon_mamba": Family({"norms": 1}, tied=False),
    "mamba": Family({"norms": 1}, tied=True),
    "mamba2": Family({"norms": 1}),
    "gemma": Family(tied=True),
    "gemma2": Family({"norms": 4}, tied=True),
    "gemma3": Family({"norms": 4}, qk_norm=True, tied=True),
    "gemma3n": Family({"norms": 4}, qk_norm=True, tied=True),
    "gemma4": Family({"norms": 4}, qk_norm=True, tied=True),
    "gemma4_unified": Family({"norms": 4}, qk_norm=True, tied=True),
    "diffusion_gemma": Family({"norms": 4}, qk_norm=True, tied=True),
    "glm": Family(attention_bias=True),
    "glm4": Family({"norms": 4}, attention_bias=True),
    "glm4v": Family({"norms": 4}, attention_bias=True),
    "gpt2": Family(_ALL_BIASES, attention_bias=True, gated_mlp=False, tied=True),
    "gpt_bigcode": Family(_ALL_BIASES, attention_bias=True, gated_mlp=False, tied=True),
    "gpt_neox": Family(_ALL_BIASES, attention_bias=True, gated_mlp=False),
    "gpt_oss": Family({"output_bias": True, "has_sinks": True}, attention_bias=True),
    "gptj": Family({"norms": 1, "norm_bias": True, "mlp_bias": True, "lm_head_bias": True}, gated_mlp=False),
    "granite": Family(tied=True),
    "granitemoe": Family(tied=True),
    "granitemoehybrid": Family(tied=True),
    "hunyuan_v1_dense": Family(qk_norm=True, tied=True),
    "hunyuan_v1_moe": Family(qk_norm=True),
    "hunyuan": Family(qk_norm=True),
    "hy_v3": Family(qk_norm=True),
    "internlm": Family({"output_bias": True}, attention_bias=True),
    "internvl": Family(),
    "laguna": Family({"attention_gate": "full"}, qk_norm=True),
    "lfm2": Family(qk_norm=True, tied=True),
    "lfm2_moe": Family(qk_norm=True, tied=True),
    "lfm2_vl": Family(qk_norm=True, tied=True),
    "longcat_flash": Family(),
    "mellum": Family(qk_norm=True),
    "mimo": Family(attention_bias=True),
    "mimo_v2_flash": Family(),
    "minicpm": Family(tied=True),
    "minimax_m2": Family({"qk_norm_is_wide": True}, qk_norm=True),
    "minimax_m3": Family(qk_norm=True),
    "minimax_m3_vl": Family(qk_norm=True),
    "modernbert": Family({"has_lm_head": False, "embedding_norm": True}, gated_mlp=True),
    "mpt": Family({}, gated_mlp=False, tied=True),
    "muse_glimmer": Family(qk_norm=True),
    "nemotron": Family(_LAYER_NORM, gated_mlp=False),
    "nemotron_h": Family({"norms": 1}, gated_mlp=False),
    "olmo": Family({"norm_weight": False}),
    "olmo2": Family({"qk_norm_is_wide": True}, qk_norm=True),
    "olmo3": Family({"qk_norm_is_wide": True}, qk_norm=True),
    "olmo_hybrid": Family({"qk_norm_is_wide": True}, qk_norm=True),
    "olmoe": Family({"qk_norm_is_wide": True}, qk_norm=True),
    "opt": Family(_ALL_BIASES, attention_bias=True, gated_mlp=False, tied=True),
    "orion": Family(_LAYER_NORM),
    "phi": Family({**_ALL_BIASES, "norms": 1, "lm_head_bias": True}, attention_bias=True, gated_mlp=False),
    "phi-msft": Family({**_ALL_BIASES, "norms": 1, "lm_head_bias": True}, attention_bias=True, gated_mlp=False),
    "phimoe": Family({"norm_bias": True, "output_bias": True}, attention_bias=True),
    "qwen": Family(attention_bias=True),
    "qwen2": Family(attention_bias=True),
    "qwen2_5_vl": Family(attention_bias=True),
    "qwen2_5_omni": Family(attention_bias=True),
    "qwen2_vl": Family(attention_bias=True),
    "qwen2_moe": Family(attention_bias=True),
    "qwen3": Family(qk_norm=True),
    "qwen3_5": Family({"attention_gate": "full"}, qk_norm=True),
    "qwen3_5_moe": Family({"attention_gate": "full"}, qk_norm=True),
    "qwen3_asr": Family(qk_norm=True),
    "qwen3_moe": Family(qk_norm=True),
    "qwen3_next": Family({"attention_gate": "full"}, qk_norm=True),
    "qwen3_omni_moe": Family(qk_norm=True),
    "qwen3_vl": Family(qk_norm=True),
    "qwen3_vl_moe": Family(qk_norm=True),
    "qwen4_exp": Family({"attention_gate": "full"}, qk_norm=True),
    "refact": Family(gated_mlp=True, tied=True),
    "roberta": Family({**_BERT, "token_types": 1}, attention_bias=True, gated_mlp=False),
    "xlm-roberta": Family({**_BERT, "token_types": 1}, attention_bias=True, gated_mlp=False),
    "seed_oss": Family(attention_bias=True),
    "smollm3": Family(tied=True),
    "solar_open": Family(),
    "stablelm": Family(_LAYER_NORM),
    "starcoder2": Family(_ALL_BIASES, attention_bias=True, gated_mlp=False, tied=True),
    "step3p5": Family({"attention_gate": "head"}, qk_norm=True),
    "step3p7": Family({"attention_gate": "head"}, qk_norm=True),
    "whisper": Family(_ALL_BIASES, attention_bias=True, gated_mlp=False, tied=True),
}
_GENERATING = ("LMHeadModel", "ChatModel", "OmniModel", "ChatGLMModel", "VLModel")
_PLAIN = Family()


def family_of(settings: Settings) -> Family:
    """Return what is known of the model's type, else a plain Llama-like family."""
    by_type = FAMILIES.get(settings.model_type) or FAMILIES.get(str(settings.outer.get("model_type") or ""))
    return by_type or _PLAIN


def wiring_of(settings: Settings) -> Wiring:
    """Return norms, biases, gates and position tables."""
    facts = dict(family_of(settings).wiring)
    kind = settings.model_type
    _follow_switches(settings, facts)
    if kind in ("gpt2", "gpt_bigcode", "opt", "bert", "roberta", "xlm-roberta", "whisper"):
        rows = settings.number("n_positions", "max_target_positions", "max_position_embeddings") or 0
        facts["positions"] = rows + 2 if kind == "opt" else rows
    if kind == "falcon" and not settings.get("new_decoder_architecture", default=False):
        facts["norms"] = 1
    if kind == "stablelm" and settings.get("use_parallel_residual", default=False):
        facts["norms"] = 1
    if settings.get("add_swa_attention_sink_bias", "add_full_attention_sink_bias", default=False):
        facts["has_sinks"] = True
    facts["hyper_connections"] = settings.number("hc_mult", "hc_count") or 0
    if _has_no_head(settings.architecture or ""):
        facts["has_lm_head"] = False
    return Wiring.model_validate(facts)


def _has_no_head(architecture: str) -> bool:
    """Embedding and reward models are named for their trunk; a few generating ones are, too."""
    if architecture.endswith("ForSequenceClassification"):
        return True
    return architecture.endswith("Model") and not architecture.endswith(_GENERATING)


def _follow_switches(settings: Settings, facts: dict[str, Any]) -> None:
    """Apply the settings that switch a bias, a gate or a norm on or off."""
    if settings.get("attention_out_bias") is not None:
        facts["output_bias"] = bool(settings.get("attention_out_bias"))
    elif settings.get("attention_bias") is True and settings.model_type in ("llama", "gpt_oss", "ernie4_5"):
        facts["output_bias"] = True
    if settings.get("mlp_bias") is not None:
        facts["mlp_bias"] = bool(settings.get("mlp_bias"))
    if settings.get("lm_head_bias") is not None:
        facts["lm_head_bias"] = bool(settings.get("lm_head_bias"))
    gating = settings.get("gating", "attn_output_gate", "attention_output_gate")
    if gating is False:
        facts["attention_gate"] = "none"
    elif gating == "per-head":
        facts["attention_gate"] = "head"
    if settings.get("norm_type") == "layer_norm":
        facts["norm_bias"] = True
