"""From a config.json to the layers of a model, in model order."""

from __future__ import annotations

from itertools import groupby
from typing import Any, NamedTuple

from bot.catalog.config.experts import mlp_kinds
from bot.catalog.config.text import Settings
from bot.deployment import Layer, LayerKind, LayerRun

_KINDS = {
    "full_attention": "full",
    "attention": "full",
    "sliding_attention": "sliding",
    "local_attention": "sliding",
    "chunked_attention": "chunked",
    "conv": "short_conv",
    "mamba": "mamba2",
    "moe": "none",
    "mlp": "none",
    "hybrid": "full",
    "deepseek_sparse_attention": "full",
    "attention+mamba parallel": "full",
}
_NEMOTRON = {"M": "mamba2", "*": "full", "-": "none", "E": "none"}
_ATTENDING = ("full", "sliding", "chunked", "mla", "cross")
_DELTA = ("qwen3_next", "qwen3_5", "qwen3_5_moe", "qwen4_exp", "olmo_hybrid")
_KDA = ("kimi_linear", "kimi_k3", "glm5_next", "glm_5_next")


def runs_of(settings: Settings, shape: dict[str, Any]) -> tuple[LayerRun, ...]:
    """Return the layers as runs of equal ones.

    Args:
        settings: The language model's settings.
        shape: `layers`, `heads`, `kv_heads`, `head_dim` and whether the model has `mla` and `moe`.
    """
    layers = _blocks(settings, shape) or _layers(settings, shape)
    equal: dict[Layer, Layer] = {}
    layers = [equal.setdefault(layer, layer) for layer in layers]  # one object for equal layers
    return tuple(LayerRun(layer=layer, count=sum(1 for _ in group)) for layer, group in groupby(layers))


class _Place(NamedTuple):
    """One layer as the config describes it."""

    number: int
    kind: str
    mlp: str
    heads: int


def _layers(settings: Settings, shape: dict[str, Any]) -> list[Layer]:
    kinds = mixing_kinds(settings, shape["layers"])
    mlps = mlp_kinds(settings, shape["layers"], shape["moe"])
    heads = settings.words("num_attention_heads_per_layer") or [shape["heads"]] * len(kinds)
    return [_layer(settings, shape, _Place(i, kinds[i], mlps[i], heads[i])) for i in range(len(kinds))]


def _layer(settings: Settings, shape: dict[str, Any], place: _Place) -> Layer:
    kind = "mla" if place.kind == "full" and shape["mla"] else place.kind
    facts: dict[str, Any] = {}
    if kind in _ATTENDING:
        facts = {"heads": place.heads, "kv_heads": shape["kv_heads"], "head_dim": shape["head_dim"]}
        facts["v_head_dim"] = None if shape["mla"] else settings.number("v_head_dim")
        facts |= _facts_of_kind(settings, kind)
        facts["has_indexer"] = kind in ("mla", "full") and _has_indexer(settings, place.number)
    if (ratios := settings.words("compress_ratios")) and place.number < len(ratios):
        facts["compression"] = ratios[place.number] or None
    if settings.model_type == "falcon_h1":
        facts["beside"] = "mamba2"
    shared = _sharing_facts(settings, place, shape["layers"]) if kind in ("full", "sliding") else {}
    return Layer.model_validate({"kind": kind, "mlp": place.mlp, **facts, **shared})


def _facts_of_kind(settings: Settings, kind: str) -> dict[str, Any]:
    if kind == "sliding":
        return _sliding_facts(settings)
    if kind == "chunked":
        return {"window": settings.number("attention_chunk_size") or 8192}
    return _global_facts(settings) if kind == "full" else {}


def _sharing_facts(settings: Settings, place: _Place, layers: int) -> dict[str, Any]:
    """Gemma 3n and 4: the last layers read the KV cache of an earlier one, and may have a wider MLP."""
    sharing = settings.number("num_kv_shared_layers") or 0
    if not sharing or place.number < layers - sharing:
        return {}
    wide = settings.get("use_double_wide_mlp", default=False)
    return {"kind": "shared", "intermediate": 2 * settings.need("intermediate_size") if wide else None}


def _sliding_facts(settings: Settings) -> dict[str, Any]:
    facts: dict[str, Any] = {"window": settings.number("sliding_window", "sliding_window_size")}
    for name, key in (
        ("heads", "swa_num_attention_heads"),
        ("kv_heads", "swa_num_key_value_heads"),
        ("head_dim", "swa_head_dim"),
        ("v_head_dim", "swa_v_head_dim"),
    ):
        if settings.number(key) is not None:
            facts[name] = settings.number(key)
    return facts


def _global_facts(settings: Settings) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if settings.number("global_head_dim"):
        facts["head_dim"] = settings.number("global_head_dim")
    if settings.get("attention_k_eq_v", default=False):
        facts["shares_k_and_v"] = True
        if settings.number("num_global_key_value_heads"):
            facts["kv_heads"] = settings.number("num_global_key_value_heads")
    return facts


def _has_indexer(settings: Settings, index: int) -> bool:
    if settings.number("index_head_dim") is None:
        sparse = settings.section("sparse_attention_config").get("sparse_attention_freq")
        return bool(sparse and index < len(sparse) and sparse[index])
    kinds = settings.words("indexer_types")
    if kinds and isinstance(kinds[0], str):
        return index < len(kinds) and kinds[index] == "full"
    ratios = settings.words("compress_ratios")
    if ratios and isinstance(ratios[0], int):
        return index < len(ratios) and ratios[index] == 4
    return True


def mixing_kinds(settings: Settings, layers: int) -> list[str]:
    """Return how each layer mixes tokens, by name of `LayerKind`."""
    for find in (_listed, _by_pattern_letters, _by_lists, _by_interval, _by_window):
        found = find(settings, layers)
        if found:
            return (found * (layers // len(found) + 1))[:layers]
    return ["full"] * layers


def _listed(settings: Settings, layers: int) -> list[str] | None:
    kinds = settings.words("layer_types") or settings.words("layers_block_type")
    if not kinds or not isinstance(kinds[0], str):
        return None
    linear = linear_kind(settings)
    named = {**_KINDS, "linear_attention": linear, "mamba": linear if linear.startswith("mamba") else "mamba2"}
    return [named.get(str(kind), "full") for kind in kinds[:layers]]


def linear_kind(settings: Settings) -> str:
    """Return which kind of linear layer the family has."""
    kind = settings.model_type
    if kind in _DELTA:
        return "gated_delta"
    if kind in _KDA or settings.section("linear_attn_config"):
        return "kda"
    if kind in ("mamba", "falcon_mamba", "jamba"):
        return "mamba1"
    return "linear" if settings.number("mamba_d_state", "ssm_state_size", "state_size") is None else "mamba2"


def _by_pattern_letters(settings: Settings, layers: int) -> list[str] | None:
    letters = settings.get("hybrid_override_pattern")
    if isinstance(letters, str):
        return [_NEMOTRON[letter] for letter in letters if letter in _NEMOTRON][:layers]
    if isinstance(settings.get("sliding_window_pattern"), str):
        return ["sliding" if letter == "L" else "full" for letter in settings.get("sliding_window_pattern")]
    return None


def _by_lists(settings: Settings, layers: int) -> list[str] | None:
    """Families that write a list of flags, or of the layers that are special."""
    for name, yes, no in (("hybrid_layer_pattern", "sliding", "full"), ("attn_type_list", "full", "linear")):
        if flags := settings.words(name):
            return [yes if flag else no for flag in flags]
    if (ropes := settings.words("no_rope_layers")) and settings.number("attention_chunk_size"):
        return ["chunked" if rope else "full" for rope in ropes]
    if ratios := settings.words("compress_ratios"):
        return ["full" if ratio else "sliding" for ratio in ratios]
    kda = settings.section("linear_attn_config").get("full_attn_layers")
    for listed, first, yes, no in (
        (settings.words("full_attn_idxs"), 0, "full", "short_conv"),
        (kda, 1, "full", "kda"),
        (settings.words("cross_attention_layers"), 0, "cross", "full"),
    ):
        if listed:
            return [yes if index + first in listed else no for index in range(layers)]
    return None


def _by_interval(settings: Settings, layers: int) -> list[str] | None:
    if (every := settings.number("full_attention_interval")) and every > 1:
        return [linear_kind(settings)] * (every - 1) + ["full"]
    if every := settings.number("attn_layer_period"):
        offset = settings.number("attn_layer_offset") or 0
        return ["full" if i % every == offset else "mamba1" for i in range(layers)]
    if settings.model_type in ("mamba", "falcon_mamba"):
        return ["mamba1"]
    if settings.model_type == "mamba2":
        return ["mamba2"]
    return None


def _by_window(settings: Settings, layers: int) -> list[str] | None:
    window = settings.number("sliding_window")
    if not window or settings.get("use_sliding_window", default=True) is False:
        return None
    if settings.model_type == "gemma2":
        return ["sliding", "full"]
    if every := settings.number("sliding_window_pattern", "_sliding_window_pattern"):
        return ["sliding"] * (every - 1) + ["full"]
    limit = settings.number("max_position_embeddings") or 0
    if settings.model_type.startswith("qwen"):
        first = settings.number("max_window_layers") or 0
        return ["full" if i < first else "sliding" for i in range(layers)] if window < limit else None
    return ["sliding"] if window < limit else None


def _blocks(settings: Settings, shape: dict[str, Any]) -> list[Layer] | None:
    """Nemotron Super and kin: every layer has its own heads and its own MLP, or none."""
    blocks = settings.words("block_configs")
    if not blocks or not isinstance(blocks[0], dict):
        return None
    return [_block(settings, shape, block) for block in blocks]


def _block(settings: Settings, shape: dict[str, Any], block: dict[str, Any]) -> Layer:
    attention, ffn = block.get("attention") or {}, block.get("ffn") or {}
    none = bool(attention.get("no_op") or attention.get("replace_with_linear"))
    facts: dict[str, Any] = {"kind": LayerKind.NONE if none else LayerKind.FULL}
    if not none:
        kv_heads = shape["heads"] // (attention.get("n_heads_in_group") or 1)
        facts |= {"heads": shape["heads"], "kv_heads": kv_heads, "head_dim": shape["head_dim"]}
    if ffn.get("no_op"):
        return Layer.model_validate({**facts, "mlp": "none"})
    wide = ffn.get("intermediate_size") or _wide(ffn.get("ffn_mult") or 1, settings.need("hidden_size"))
    return Layer.model_validate({**facts, "mlp": "dense", "intermediate": wide})


def _wide(multiple: float, hidden: int) -> int:
    """DeciLM's rule: two thirds of four times hidden, times the multiple, up to 256."""
    raw = int(2 * multiple * hidden / 3)
    return -(-raw // 256) * 256
