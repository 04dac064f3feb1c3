"""What a start takes that compiles first: scratch memory while it does, and loaded code that stays."""

from __future__ import annotations

from math import hypot

from bot.sizing import constants
from bot.sizing.graph_modes import compiles
from bot.sizing.overhead.multimodal import takes_images
from bot.sizing.ranges import GIB, Estimate
from bot.sizing.resolved import Resolved

SCRATCH_FROM, CODE_FROM = (0, 19), (0, 20)
TELLING = GIB // 20  # less is not worth a word
_FIRST_START = "this start compiles first; the next one, with its cache, has {:.2f} GiB more for the KV cache"


def with_scratch(run: Resolved, peak: Estimate) -> Estimate:
    """Return the activations' peak of a start that compiles first: the kernels' trials, where they reach higher.

    Where nobody tells, the upper end allows for it.
    """
    if not _may_compile(run, SCRATCH_FROM):
        return peak
    value, low, high = (
        max(have, _scratch(run, copies)) for have, copies in zip(peak[:3], constants.COMPILING_COPIES[:3], strict=True)
    )
    above = value - peak.amount
    if _compiles(run, SCRATCH_FROM):
        doubt = peak.doubt or _FIRST_START.format(above / GIB)
        return peak._replace(amount=value, low=low, high=high, doubt=doubt if above > TELLING else peak.doubt)
    doubt = peak.doubt or f"a first start, which compiles, takes {above / GIB:.2f} GiB more"
    is_worth_it = above > TELLING and run.version_is_stated
    return peak._replace(high=high, doubt=doubt if is_worth_it else peak.doubt)


def with_code(run: Resolved, found: Estimate) -> Estimate:
    """Return what is taken beside torch with the loaded code that stays where a start compiled first."""
    stays = constants.COMPILED_STAYS
    if not _may_compile(run, CODE_FROM):
        return found
    if _compiles(run, CODE_FROM):
        amount, low, high = (have + round(kept * GIB) for have, kept in zip(found[:3], stays[:3], strict=True))
        return found._replace(amount=amount, low=low, high=high)
    return found._replace(high=found.amount + round(hypot(found.high - found.amount, stays.high * GIB)))


def _scratch(run: Resolved, copies: float) -> int:
    """Return the bytes of a trial's arguments: the table of embeddings, which the first kernel reads, and the batch's rows.

    Models that take images are handed the rows: their table is no argument of what is compiled.

    Source: vLLM 0.27 `v1/worker/gpu_model_runner.py`, _preprocess and supports_mm_inputs; torch `_inductor/codegen/triton.py`, codegen_kernel_benchmark, fills a tensor for each argument, and vLLM sets
    `benchmark_combo_kernel`; peaks of cold starts of 4 models, their table apart, are 0.01 to 0.22 GiB.
    """
    shape = run.shape
    table = 0 if takes_images(run) else shape.vocab / run.tensor_parallel
    rows = table + copies * run.max_num_batched_tokens
    return round(run.model_width * shape.hidden * rows)


def _may_compile(run: Resolved, since: tuple[int, ...]) -> bool:
    return compiles(run) and run.deployment.compile_cache != "warm" and run.may_be_from(since)


def _compiles(run: Resolved, since: tuple[int, ...]) -> bool:
    return run.deployment.compile_cache == "cold" and not run.may_be_before(since)
