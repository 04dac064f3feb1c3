"""How many sequences and tokens one step may hold, and the largest CUDA graph, when nobody says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.deployment import Gpu
from bot.model_shape import ModelShape
from bot.sizing.eras import Release
from bot.sizing.generations import BLACKWELL, LARGE_CARD, generation_of
from bot.sizing.ranges import GIB

Default = tuple[Any, str]

_UNMEASURED = 12.1  # the compute capability of GB10, whose memory NVML does not tell
V0_SEQUENCES = 256
V0_LEAST_TOKENS = 2048
V0_POOLING_TOKENS = 32_768


def max_num_seqs(facts: Mapping[str, Any], release: Release) -> Default:
    """Return max_num_seqs and why; before capping it to the batched tokens.

    Source: vLLM `engine/arg_utils.py`, _set_default_args, by release; up to 0.8.3 the same on every card.
    """
    return _doubled(_sequences(facts, release), facts, release)


def _doubled(default: Default, facts: Mapping[str, Any], release: Release) -> Default:
    """Return a default limit as the performance mode leaves it: throughput doubles it, from 0.17 on."""
    limit, because = default
    if facts["performance_mode"] != "throughput" or release < (0, 17):
        return default
    return 2 * limit, f"{because}, doubled for throughput"


def _sequences(facts: Mapping[str, Any], release: Release) -> Default:
    if facts["engine"] == "V0" or release < (0, 8):
        return V0_SEQUENCES, "V0's default" if facts["engine"] == "V0" else "the default that V1 took over from V0"
    if release < (0, 8, 4):
        return 1024, "V1's default before 0.8.4"
    if _is_large(facts, release):
        return 1024, "V1's default on a large GPU"
    return 256, "V1's default on a GPU below 70 GiB" if _memory(facts) < LARGE_CARD else "V1's default on this GPU"


def max_num_batched_tokens(facts: Mapping[str, Any], release: Release, shape: ModelShape | None) -> Default:
    """Return max_num_batched_tokens and why; no more than the sequences can fill, from 0.9.0 (V0) and 0.11.1 (V1) on.

    Source: vLLM `config.py` SchedulerConfig (V0) and `engine/arg_utils.py` (V1), by release.
    """
    is_v0 = facts["engine"] == "V0"
    tokens, because = _v0_tokens(facts, release, shape) if is_v0 else _v1_tokens(facts, release, shape)
    length = facts["max_model_len"]
    most = (facts["max_num_seqs"] or max_num_seqs(facts, release)[0]) * (length or tokens)
    if most < tokens and release >= ((0, 9) if is_v0 else (0, 11, 1)):
        return most, "no more than all sequences at their longest"
    return tokens, because


def max_capture(facts: Mapping[str, Any], release: Release, shape: ModelShape | None) -> Default:
    """Return the largest batch that gets a CUDA graph, and why; in V1 never more than the batched tokens.

    Where sizes are listed it is one of them.

    Source: vLLM `worker/model_runner.py` (V0), `config/vllm.py`, _set_cudagraph_sizes, and `models/config.py`,
    GptOssForCausalLMConfig, of 0.8 to 0.33.
    """
    sequences = facts["max_num_seqs"]
    if facts["engine"] == "V0":
        most = 256 if release < (0, 6) else 8192
        return min(most, sequences), f"V0 captures batches up to max_num_seqs, at most {most:,}"
    listed = [size for size in facts["cudagraph_capture_sizes"] or () if size <= facts["max_num_batched_tokens"]]
    if listed:
        return max(listed), "the largest of the sizes that are listed"
    largest, because = _v1_capture(facts, release, shape)
    return min(largest, facts["max_num_batched_tokens"]), because


def _v1_capture(facts: Mapping[str, Any], release: Release, shape: ModelShape | None) -> Default:
    if shape is not None and shape.model_type == "gpt_oss" and release >= (0, 10, 1):
        largest = 992 if release == (0, 11, 0) else 1024
        return largest, f"gpt-oss raises it to {largest}"
    if release < (0, 10):
        return 512, "V1's default before 0.10"
    card: Gpu | None = facts["card"]
    most = 1024 if generation_of(card) == BLACKWELL and release >= (0, 28) else 512
    drafted = facts["speculation"].tokens or 0 if facts["speculation"] and release >= (0, 13) else 0
    what = "max_num_seqs and their drafts" if drafted else "max_num_seqs"
    return min(2 * facts["max_num_seqs"] * (1 + drafted), most), f"twice {what}, at most {most}"


def _v0_tokens(facts: Mapping[str, Any], release: Release, shape: ModelShape | None) -> Default:
    if release < (0, 2):
        return 2560, "fixed before 0.2.0"
    if facts["chunked_prefill"]:
        tokens, because = (2048 if release >= (0, 6, 5) else 512), "V0's default with chunked prefill"
    else:
        tokens = max(facts["max_model_len"] or 0, V0_LEAST_TOKENS)
        because = "V0 without chunked prefill takes a whole prompt"
    least = _v0_least(shape, release)
    return (least, "V0's least for this kind of model") if least > tokens else (tokens, because)


def _v0_least(shape: ModelShape | None, release: Release) -> int:
    """Return the fewest tokens that V0 gave models with images, and those that embed or score."""
    if shape is None:
        return 0
    if not shape.wiring.has_lm_head and release >= (0, 4, 3):
        return V0_POOLING_TOKENS
    if shape.vision is None or release < (0, 6):
        return 0
    return 5120 if release >= (0, 6, 3) else 4096


def _v1_tokens(facts: Mapping[str, Any], release: Release, shape: ModelShape | None) -> Default:
    tokens, because = _doubled(_v1_chunk(facts, release), facts, release)
    length = facts["max_model_len"] or 0
    if facts["chunked_prefill"] or not hears_no_chunks(release, shape):
        return tokens, because
    if release >= (0, 11, 1):
        length = max(length, tokens)
    return (length, "without chunked prefill a whole prompt must fit") if length else (tokens, because)


def hears_no_chunks(release: Release, shape: ModelShape | None) -> bool:
    """Return whether V1 hears the flag: for models that embed or score from 0.9.2 on, for all from 0.11.1."""
    is_pooling = shape is not None and not shape.wiring.has_lm_head
    return release >= (0, 11, 1) or (is_pooling and release >= (0, 9, 2))


def _v1_chunk(facts: Mapping[str, Any], release: Release) -> Default:
    offline = facts["entrypoint"] == "offline"
    if release >= (0, 28) and _memory(facts) >= 160 * GIB:
        return 16384, "V1's default from 160 GiB"
    if _is_large(facts, release):
        return (16384 if offline else 8192), "V1's default on a large GPU"
    return (8192 if offline else 2048), "V1's default on this GPU"


def _is_large(facts: Mapping[str, Any], release: Release) -> bool:
    """Return whether the card gets the larger defaults: by its name up to 0.8.4, then by its memory.

    NVML does not tell the memory of a GB10, which vLLM takes for none; 0.33 makes small defaults of that itself.
    """
    card: Gpu | None = facts["card"]
    name = card.name.lower() if card else ""
    if release < (0, 8, 5):
        return "h100" in name or "h200" in name
    if card is not None and card.compute_capability == _UNMEASURED:
        return False
    return _memory(facts) >= LARGE_CARD and not ("a100" in name and release >= (0, 9))


def _memory(facts: Mapping[str, Any]) -> int:
    card: Gpu | None = facts["card"]
    return facts["gpu_memory"] or (card and (card.torch_memory or card.memory)) or 0
