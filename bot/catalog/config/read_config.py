"""From a model's config.json to its shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bot.catalog.config.experts import moe_of
from bot.catalog.config.families import family_of, wiring_of
from bot.catalog.config.layers import runs_of
from bot.catalog.config.parts import linear_of, mla_of, vision_of
from bot.catalog.config.quantization import quantization_of
from bot.catalog.config.rope import rope_of
from bot.catalog.config.text import Settings, UnreadableConfigError
from bot.model_shape import ModelShape, Quantization

__all__ = ["UnreadableConfigError", "read_config"]

_MOST_LAYERS = 2000
# Far above any model: a size beyond it, or below one, is a slip, and no budget can be made of it.
_MOST = {
    "hidden": ("hidden_size", 1_000_000),
    "vocab": ("vocab_size", 100_000_000),
    "heads": ("num_attention_heads", 100_000),
    "kv_heads": ("num_key_value_heads", 100_000),
    "head_dim": ("head_dim", 100_000),
}
_LARGEST = 10**12  # a parameter of a model, or a token; of nothing there are so many, and of nothing fewer than none
_STATE_SETTINGS = {
    "inner": "mamba_d_ssm",
    "state": "mamba_d_state",
    "heads": "mamba_n_heads",
    "head_dim": "mamba_d_head",
    "key_heads": "linear_num_key_heads",
    "value_heads": "linear_num_value_heads",
    "key_head_dim": "linear_key_head_dim",
    "value_head_dim": "linear_value_head_dim",
}
_LENGTHS = (
    "max_position_embeddings",
    "n_positions",
    "max_seq_len",
    "seq_length",
    "max_sequence_length",
    "max_target_positions",
    "model_max_length",
    "n_ctx",
)


def read_config(
    config: Mapping[str, Any], hf_quant_config: Mapping[str, Any] | None = None, name: str | None = None
) -> ModelShape:
    """Return the shape that a config.json describes.

    Args:
        config: The parsed config.json, multimodal wrappers included.
        hf_quant_config: ModelOpt's second file, whose exclude list counts.
        name: What to call the model where the config does not say.

    Raises:
        UnreadableConfigError: The config lacks the hidden size, the vocabulary, the layers or the heads.
    """
    try:
        return _read(Settings(config), hf_quant_config, name)
    except UnreadableConfigError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise UnreadableConfigError(("settings of the kinds that a model's config.json has",)) from error


def _read(settings: Settings, hf_quant_config: Mapping[str, Any] | None, name: str | None) -> ModelShape:
    sizes = _sizes(settings)
    facts: dict[str, Any] = {
        **{key: value for key, value in sizes.items() if key != "layers"},
        "name": name or str(settings.outer.get("_name_or_path") or settings.model_type or "model"),
        "mla": mla_of(settings),
        "moe": moe_of(settings),
        "vision": vision_of(settings),
        "rope": rope_of(settings, sizes["head_dim"]),
        "wiring": wiring_of(settings),
        "quantization": _quantization(settings, hf_quant_config),
        "source": "config.json",
        **_traits(settings),
    }
    parts = {**sizes, "mla": facts["mla"] is not None, "moe": facts["moe"] is not None}
    runs = runs_of(settings, parts)
    kinds = {kind.value for run in runs for kind in (run.layer.kind, run.layer.beside) if kind}
    shape = ModelShape.model_validate({**facts, "runs": runs, "linear": linear_of(settings, kinds)})
    if shape.unknown_states:  # which would count as nothing
        raise UnreadableConfigError(tuple(_STATE_SETTINGS[name] for name in shape.unknown_states))
    if not all(0 <= number <= _LARGEST for number in _numbers(shape.model_dump())):
        raise UnreadableConfigError((f"sizes from 0 to {_LARGEST:,} alone",))
    return shape


def _numbers(value: Any) -> Iterator[float]:
    """Yield every number of a shape."""
    if isinstance(value, int | float):
        yield value
    inner: Iterable[Any] = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    )
    for each in inner:
        yield from _numbers(each)


def _sizes(settings: Settings) -> dict[str, int]:
    heads = _heads(settings)
    hidden = settings.need("hidden_size", "n_embd", "d_model", "hidden_dim")
    mla = mla_of(settings)
    found = {
        "layers": _layers(settings),
        "hidden": hidden,
        "vocab": settings.need("vocab_size", "padded_vocab_size"),
        "heads": heads,
        "kv_heads": _kv_heads(settings, heads),
        "head_dim": mla.qk_nope_head_dim + mla.qk_rope_head_dim if mla else _head_dim(settings, hidden, heads),
    }
    for name, (key, most) in _MOST.items():
        least = 0 if linear_only(settings) and name in {"heads", "kv_heads", "head_dim"} else 1
        if not least <= found[name] <= most:
            raise UnreadableConfigError((f"a {key} from {least} to {most}",))
    return found


def _traits(settings: Settings) -> dict[str, Any]:
    family = family_of(settings)
    return {
        "architecture": settings.architecture,
        "model_type": settings.model_type or None,
        "intermediate": _intermediate(settings, settings.need("hidden_size", "n_embd", "d_model", "hidden_dim")),
        "max_position": _max_position(settings),
        "tied_embeddings": _tied(settings, family.tied),
        "dtype": _dtype(settings),
        "encoder_layers": settings.number("encoder_layers") or 0,
        "mtp_layers": settings.number("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules") or 0,
        "gated_mlp": family.gated_mlp,
        "attention_bias": _attention_bias(settings, family.attention_bias),
        "qk_norm": _qk_norm(settings, family.qk_norm),
        "per_layer_hidden": settings.number("hidden_size_per_layer_input") or None,
        "per_layer_vocab": _per_layer_vocab(settings),
    }


def _max_position(settings: Settings) -> int | None:
    found = settings.number(*_LENGTHS)
    return found if found is not None and 0 < found <= _LARGEST else None  # 10^30 is a tokenizer's word for none


def _per_layer_vocab(settings: Settings) -> int | None:
    if not settings.number("hidden_size_per_layer_input"):
        return None
    return settings.number("vocab_size_per_layer_input", "vocab_size")


def _heads(settings: Settings) -> int:
    found = settings.number("num_attention_heads", "n_head", "n_heads", "decoder_attention_heads")
    if found is None and linear_only(settings):
        return 0
    return found if found is not None else settings.need("num_attention_heads")


def linear_only(settings: Settings) -> bool:
    """Whether no layer has attention."""
    return settings.model_type in ("mamba", "mamba2", "falcon_mamba")


def _layers(settings: Settings) -> int:
    if blocks := settings.words("layers_block_type"):
        return len(blocks)
    found = settings.need("num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers")
    if not 0 < found <= _MOST_LAYERS:
        raise UnreadableConfigError((f"a num_hidden_layers from 1 to {_MOST_LAYERS}",))
    return found


def _kv_heads(settings: Settings, heads: int) -> int:
    kind = settings.model_type
    if kind == "falcon" and not settings.get("new_decoder_architecture", default=False):
        return 1 if settings.get("multi_query", default=False) else settings.number("num_key_value_heads") or heads
    if kind == "chatglm" and settings.get("multi_query_attention", default=False):
        return settings.number("multi_query_group_num") or heads
    if kind == "gpt_bigcode" and settings.get("multi_query", default=True):
        return 1
    attention = settings.section("attn_config")
    found = settings.number("num_key_value_heads", "num_kv_heads", "n_head_kv") or attention.get("kv_n_heads")
    return int(found) if found else heads


def _head_dim(settings: Settings, hidden: int, heads: int) -> int:
    stated = settings.number("head_dim", "kv_channels", "attention_head_dim", "n_embd_head_k")
    return stated or (hidden // heads if heads else 0)


def _intermediate(settings: Settings, hidden: int) -> int | None:
    kind = settings.model_type
    named = ("intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim", "decoder_ffn_dim")
    if kind == "llama4":
        named = ("intermediate_size_mlp", *named)
    if kind.startswith("minimax_m3"):
        named = ("dense_intermediate_size", *named)
    found = settings.number(*named)
    if kind == "lfm2" and settings.get("block_auto_adjust_ff_dim", default=False) and found:
        multiple = settings.number("block_multiple_of") or 256
        found = int(2 * found / 3 * float(settings.get("block_ffn_dim_multiplier", default=1.0)))
        found = -(-found // multiple) * multiple
    if kind == "qwen" and found:
        found //= 2  # the first Qwen writes the width of gate and up together
    if not found and not family_of(settings).gated_mlp:
        found = hidden * int(
            settings.section("ffn_config").get("ffn_hidden_size") or settings.number("expansion_ratio") or 4
        )
    return found


def _tied(settings: Settings, family_ties: bool) -> bool:
    stated = settings.inner.get("tie_word_embeddings")
    if stated is None and not family_ties:
        stated = settings.outer.get("tie_word_embeddings")
    return bool(stated) if stated is not None else family_ties


def _dtype(settings: Settings) -> str | None:
    found = settings.get("torch_dtype", "dtype")
    return str(found).removeprefix("torch.") if found else None


def _attention_bias(settings: Settings, family: bool) -> bool:
    for name in ("attention_bias", "qkv_bias", "use_qkv_bias", "add_qkv_bias"):
        if settings.get(name) is not None and settings.model_type != "qwen2":
            return bool(settings.get(name))
    return family


def _qk_norm(settings: Settings, family: bool) -> bool:
    for name in ("use_qk_norm", "qk_layernorm"):
        if settings.get(name) is not None:
            return bool(settings.get(name))
    return family


def _quantization(settings: Settings, extra: Mapping[str, Any] | None) -> Quantization | None:
    found = settings.outer.get("quantization_config") or settings.inner.get("quantization_config")
    return quantization_of(found if isinstance(found, Mapping) else None, extra, settings.get("expert_dtype"))
