"""From a config.json to the layers of a model, in model order."""

from __future__ import annotations

from itertools import groupby
from typing import Any, NamedTuple

from bot.catalog.config.experts import mlp_kinds
from bot.catalog.config.mixing import mixing_kinds
from bot.catalog.config.text import Settings
from bot.model_shape import Layer, LayerKind, LayerRun

_ATTENDING = ("full", "sliding", "chunked", "mla", "cross", "encoder")
_CHUNK = 8192  # Llama 4's, where its config leaves it out


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
    if settings.model_type == "falcon_h1" or (settings.model_type == "zamba2" and kind == "full"):
        facts["beside"] = "mamba2"
    if settings.model_type == "whisper" or settings.get("is_encoder_decoder", default=False) is True:
        facts["beside"] = "cross"
    shared = _sharing_facts(settings, place, shape["layers"]) if kind in ("full", "sliding") else {}
    return Layer.model_validate({"kind": kind, "mlp": place.mlp, **facts, **shared})


def _facts_of_kind(settings: Settings, kind: str) -> dict[str, Any]:
    if kind == "sliding":
        return _sliding_facts(settings)
    if kind == "chunked":
        return {"window": settings.number("attention_chunk_size") or _CHUNK}
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
