"""What the reader of a budget is warned of."""

from __future__ import annotations

from collections.abc import Iterator

from bot.deployment import Deployment, Gpu
from bot.model_shape import ModelShape
from bot.sizing.checks import batches, numbers, releases
from bot.sizing.doubted_tokens import may_be_fp8
from bot.sizing.generations import ADA
from bot.sizing.kv_cache.per_layer import FRAMES
from bot.sizing.kv_cache.requests import COUNTS_BATCH
from bot.sizing.plain import Sizing
from bot.sizing.resolved import Resolved
from bot.sizing.version_prior import LAST_THAT_RUNS
from bot.sizing.weights.drafts import say_draft

UNMODELLED = frozenset({"deepseek_v41"})


def cautions(found: Sizing) -> tuple[str, ...]:
    """Return a sentence for each thing that the figures leave out or rest on."""
    run = found.run
    of_model = (*_of_card(run, run.card), *_of_shape(run.shape), *_of_cache(run), *_of_draft(run.deployment))
    return (
        *of_model,
        *_of_version(found),
        *releases.doubts(run.deployment),
        *batches.doubts(found.asked, run.deployment),
        *numbers.doubts(found.asked),
    )


def _of_version(found: Sizing) -> Iterator[str]:
    version, because = found.assumed.get("vllm_version", (None, ""))
    if because == LAST_THAT_RUNS:
        yield f"vLLM {version} is {because}; take no later one."


def _of_draft(deployment: Deployment) -> Iterator[str]:
    if said := say_draft(deployment):
        yield said


def _of_card(run: Resolved, card: Gpu | None) -> Iterator[str]:
    if card is None:
        return
    if card.is_unified:
        yield "This GPU shares its memory with the host: what is free depends on what else the host runs."
    if run.kv_dtype == "fp8" and (card.compute_capability or 9) < ADA:
        yield f"{card.name} has no fp8 arithmetic: an fp8 KV cache works there through FlashInfer only."


def _of_shape(shape: ModelShape) -> Iterator[str]:
    if shape.confidence == "low":
        yield f"The dimensions of {shape.name} are known from one weak source."
    if shape.model_type in UNMODELLED:
        yield f"How {shape.name} packs its KV cache is not modelled: trust the tokens of its start-up log."
    if shape.unknown_states:
        yield f"The states of {shape.name} cannot be sized: their {', '.join(shape.unknown_states)} is not known."


def _of_cache(run: Resolved) -> Iterator[str]:
    if may_be_fp8(run):
        yield (
            "The checkpoint may ask for an fp8 KV cache, which holds twice the tokens: `kv_cache_quant_algo` in its "
            "hf_quant_config.json tells."
        )
    if run.shape.hears_an_encoder and run.release >= COUNTS_BATCH and run.max_num_batched_tokens > FRAMES:
        yield (
            f"Of what the encoder heard this release counts {run.max_num_batched_tokens:,} positions a request and keeps "
            f"{FRAMES:,}: more requests fit than it says."
        )
