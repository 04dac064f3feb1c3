"""From a config.json to how each layer mixes tokens."""

from __future__ import annotations

from bot.catalog.config.text import Settings

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
# What the configuration classes make of a config that lists no layers: how often, and from where, one is not windowed.
_FULL_EVERY = {
    "afmoe": 4, "cohere2": 4, "diffusion_gemma": 6, "exaone4": 4, "gemma2": 2, "gemma3": 6, "gemma3n": 5, "gemma4": 6,
    "gemma4_unified": 6, "gpt_oss": 2, "inkling2": 6, "olmo3": 4,
}  # fmt: skip
_ROTARY_EVERY = 4  # Llama 4's, where its config leaves it out
_ENCODERS = (
    "bert", "roberta", "xlm-roberta", "camembert", "modernbert", "nomic_bert", "new", "gte", "mpnet", "llama_bidirec",
    "eurobert", "distilbert", "ultrabert",
)  # fmt: skip
_DELTA = ("qwen3_next", "qwen3_5", "qwen3_5_moe", "qwen4_exp", "olmo_hybrid")
_KDA = ("kimi_linear", "kimi_k3", "glm5_next", "glm_5_next")


def mixing_kinds(settings: Settings, layers: int) -> list[str]:
    """Return how each layer mixes tokens, by name of `LayerKind`."""
    if reads_both_ways(settings):
        return ["encoder"] * layers
    for find in (_listed, _by_pattern_letters, _by_chunks, _by_lists, _by_interval, _by_window):
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
    if kind in _DELTA or settings.number("linear_num_value_heads"):
        return "gated_delta"
    if kind in _KDA or settings.section("linear_attn_config") or settings.number("short_conv_kernel_size"):
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


def reads_both_ways(settings: Settings) -> bool:
    """Return whether every token attends to all others: an encoder's, or that of a decoder turned into one.

    Source: vLLM 0.33, the model classes that build EncoderOnlyAttention.
    """
    if settings.model_type in _ENCODERS or (settings.architecture or "").endswith("BidirectionalModel"):
        return True
    return settings.get("is_causal", default=True) is False or settings.get("use_bidirectional_attention") is True


def _by_chunks(settings: Settings, layers: int) -> list[str] | None:
    """Llama 4 cuts the attention of layers with rotary positions; an empty list of the others is the class's own.

    Source: transformers `configuration_llama4.py`; vLLM `models/llama4.py`, use_chunked_local_attn.
    """
    is_llama = settings.model_type == "llama4"
    if not settings.number("attention_chunk_size") and not (is_llama and "attention_chunk_size" not in settings.inner):
        return None
    ropes = settings.words("no_rope_layers")
    if not ropes and is_llama:
        every = settings.number("no_rope_layer_interval") or _ROTARY_EVERY
        ropes = [(index + 1) % every for index in range(layers)]
    return ["chunked" if rope else "full" for rope in ropes] if ropes else None


def _by_lists(settings: Settings, layers: int) -> list[str] | None:
    """Families that write a list of flags, or of the layers that are special."""
    for name, yes, no in (("hybrid_layer_pattern", "sliding", "full"), ("attn_type_list", "full", "linear")):
        if flags := settings.words(name):
            return [yes if flag else no for flag in flags]
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
    every = settings.number("sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers")
    if every := every or _FULL_EVERY.get(settings.model_type):
        return ["sliding"] * (every - 1) + ["full"]
    if settings.model_type == "cwm":
        return ["full", "sliding", "sliding", "sliding"]
    limit = settings.number("max_position_embeddings") or 0
    if settings.model_type.startswith("qwen"):
        first = settings.number("max_window_layers") or 0
        return ["full" if i < first else "sliding" for i in range(layers)] if window < limit else None
    return ["sliding"] if window < limit else None
