"""The peak of activations while vLLM profiles itself with a full dummy batch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bot.sizing import constants
from bot.sizing.overhead import multimodal
from bot.sizing.overhead.compiling import TELLING, with_scratch
from bot.sizing.overhead.expert_buffers import expanded_rows, kept_buffers, optional_buffers
from bot.sizing.overhead.handed_on import with_handed_on
from bot.sizing.overhead.layer_peaks import delta_scan, is_latent, layer_peak, mlp, scan_buffers, stream_buffers
from bot.sizing.overhead.processors import cublas_workspace, multiprocessors
from bot.sizing.overhead.quantized_inputs import quantized_inputs
from bot.sizing.overhead.samplers import FLASHINFER, SORT, Sampler, may_be_flashinfer, possible_samplers, sampler_of
from bot.sizing.ranges import GIB, Estimate, exact
from bot.sizing.resolved import Resolved


class Batch(NamedTuple):
    """What a dummy batch takes, in bytes, whichever sampler runs."""

    layer: float  # alive in the layer that needs most
    kept: float  # of the expert kernels' buffers, until logits are sampled
    hidden: int  # states, and sampled rows


def batch_of(run: Resolved) -> Batch:
    """Return what the batch of a run takes."""
    return Batch(layer_peak(run), kept_buffers(run), hidden(run))


def activation(run: Resolved, *, samples: bool = True) -> Estimate:
    """Return the activation peak of one GPU; only the last pipeline stage has logits and `samples`.

    max(one layer, logits and sampler + hidden states), with the expert layers' buffers added where they outlive the
    layer, and with a vision tower's pixels and outputs, which stay alive.

    Source: measured on start-up logs of about 40 models; the allocations are those of vLLM 0.19
    `v1/worker/gpu_model_runner.py`, _dummy_run and _dummy_sampler_run.
    """
    run, sampler, batch = _profiled(run)
    found = _sampled(run, batch, sampler) if samples else _layer_only(run, batch)
    return _of_start(run, found, samples=samples)


def activation_amounts(run: Resolved, samples: Iterable[bool]) -> dict[bool, int]:
    """Return the amounts of `activation` alone, in bytes, with and without samples, for who asks many times."""
    run, sampler, batch = _profiled(run)
    amounts = {each: _amount(run, batch, sampler) if each else round(_layer_alone(run, batch)) for each in samples}
    return {each: _of_start(run, exact(amount), samples=each).amount for each, amount in amounts.items()}


def _amount(run: Resolved, batch: Batch, sampler: Sampler) -> int:
    alive, tower = multimodal.encoder_peak(run)
    return max(round(peak(run, batch, sampler, sampler.per_logit.value)) + alive.amount, tower.amount)


def _profiled(run: Resolved) -> tuple[Resolved, Sampler, Batch]:
    """Return the run as it is profiled, with what its dummy batch is sampled by and takes."""
    run = run._replace(max_num_seqs=multimodal.profiled_sequences(run))
    return run, sampler_of(run), batch_of(run)


def _of_start(run: Resolved, found: Estimate, *, samples: bool) -> Estimate:
    """Return the peak of a stage with what a start takes as well; the first looks up the table, and its scratch is there."""
    if not samples or run.pipeline_parallel == 1:
        found = with_scratch(run, found)
    return with_handed_on(run, found)


def _sampled(run: Resolved, batch: Batch, sampler: Sampler) -> Estimate:
    amount = peak(run, batch, sampler, sampler.per_logit.value)
    low, high = _range(run, batch, sampler, amount)
    alive, tower = multimodal.encoder_peak(run)
    if run.is_v0 and run.shape.vision is not None:
        low, high = (low * (1 + constants.ACTIVATION_V0_TOWER.low), high * (1 + constants.ACTIVATION_V0_TOWER.high))
    return Estimate(
        max(round(amount) + alive.amount, tower.amount),
        max(round(low) + alive.low, tower.low),
        max(round(high) + alive.high, tower.high),
        _formula(run, batch, sampler, alive.amount),
        f"{_origin(run, sampler)}; {run.max_num_seqs:,} sequences and {run.max_num_batched_tokens:,} batched tokens",
        "measured on start-up logs; vLLM 0.19 v1/worker/gpu_model_runner.py",
        _doubt(run, batch, round(amount) + alive.amount, tower.amount),
    )


def _origin(run: Resolved, sampler: Sampler) -> str:
    """Say what the figure rests on; a wide range says why."""
    if run.shape.model_type in constants.LAYERS_UNMODELLED:
        return constants.ACTIVATION_UNMODELLED.origin
    return sampler.per_logit.origin


def _doubt(run: Resolved, batch: Batch, amount: int, tower: int) -> str:
    if run.shape.model_type in constants.LAYERS_UNMODELLED:
        return f"{constants.ACTIVATION_UNMODELLED.origin}; a start-up log settles it"
    if not (may_be_flashinfer(run) and sampler_of(run) is SORT):
        return ""
    saved = peak(run, batch, SORT, SORT.per_logit.value) - peak(run, batch, FLASHINFER, FLASHINFER.per_logit.value)
    least, said = max(amount - round(saved), tower), "Using FlashInfer for top-p & top-k sampling"
    return f'{least / GIB:.2f} GiB where the log says "{said}"' if max(amount, tower) - least > TELLING else ""


def _layer_only(run: Resolved, batch: Batch) -> Estimate:
    amount = _layer_alone(run, batch)
    share = constants.ACTIVATION_OTHER_STACK
    low, high = amount * (1 + share.low), amount * (1 + share.high) + stream_buffers(run)
    return Estimate(round(amount), round(low), round(high), "one layer; the last stage has the logits", share.origin)


def _layer_alone(run: Resolved, batch: Batch) -> float:
    return batch.layer + batch.kept + cublas_workspace(run.card)


def _range(run: Resolved, batch: Batch, sampler: Sampler, amount: float) -> tuple[float, float]:
    is_layer = _layer_is_peak(run, batch, sampler)
    low_share, high_share = _shares(run, is_layer=is_layer)
    low = peak(run, batch, sampler, sampler.per_logit.low) * (1 + low_share) - optional_buffers(run)
    high = peak(run, batch, sampler, sampler.per_logit.high) * (1 + high_share)
    high = max(high, amount + scan_buffers(run) * is_layer)
    high = max(high, batch.layer + quantized_inputs(run) + batch.kept + cublas_workspace(run.card))
    if is_layer and is_latent(run) and run.shape.moe:
        low, high = (found * share for found, share in zip((low, high), constants.LATENT_EXPERTS[1:3], strict=True))
    high += expanded_rows(run) + stream_buffers(run)
    if run.shape.model_type in constants.LAYERS_UNMODELLED:
        low = amount * (1 + constants.ACTIVATION_UNMODELLED.low)
    for other in possible_samplers(run)[1:]:
        low = min(low, peak(run, batch, other, other.per_logit.low) * (1 + low_share))
        high = max(high, peak(run, batch, other, other.per_logit.high))
    return min(low, amount), max(high, amount)


def peak(run: Resolved, batch: Batch, sampler: Sampler, per_logit: float) -> float:
    """Return the text model's peak in bytes on the GPU that peaks highest."""
    sampled = logits(run, sampler, per_logit) + batch.hidden
    return max(batch.layer, sampled) + batch.kept + cublas_workspace(run.card)


def images_set_the_peak(run: Resolved) -> bool:
    """Return whether the largest images reach higher than the text, in the tower or by what they keep alive."""
    run = run._replace(max_num_seqs=multimodal.profiled_sequences(run))
    sampler, images = sampler_of(run), multimodal.encoder_peak(run)
    return max(each.amount for each in images) > peak(run, batch_of(run), sampler, sampler.per_logit.value)


def hidden(run: Resolved) -> int:
    """Return the bytes of the batch's hidden states, (batched tokens, hidden), and of the sampled rows."""
    rows = run.max_num_batched_tokens + constants.SAMPLED_COPIES * run.max_num_seqs
    return rows * run.shape.hidden * run.model_width


def logits(run: Resolved, sampler: Sampler, per_logit: float) -> float:
    """Return the bytes of logits and sampling: (sequences, vocabulary), gathered on every tensor-parallel rank.

    Source: vLLM `distributed/device_communicators/base_device_communicator.py`, all_gather: a rank's part, all, and all in order.
    """
    if not run.shape.wiring.has_lm_head:
        return 0.0
    gathered = (2 + 1 / run.tensor_parallel) * run.model_width if run.tensor_parallel > 1 else 0.0
    wider = max(per_logit + (run.model_width - 2), gathered)
    scratch = constants.TRITON_BUFFER * min(multiprocessors(run.card), run.max_num_seqs) if sampler.has_scratch else 0
    return (wider * run.max_num_seqs + scratch) * run.shape.vocab


def sampler_peak(run: Resolved) -> int:
    """Return what the sampler's warm-up needs at least."""
    sampler = sampler_of(run)
    return round(logits(run, sampler, sampler.per_logit.low))


def _layer_is_peak(run: Resolved, batch: Batch, sampler: Sampler) -> bool:
    return batch.layer > logits(run, sampler, sampler.per_logit.value) + batch.hidden


def _shares(run: Resolved, *, is_layer: bool) -> tuple[float, float]:
    guess = constants.ACTIVATION_MLP if is_layer else constants.ACTIVATION_KNOWN
    if run.release >= (0, 20):
        guess = constants.ACTIVATION_OTHER_STACK
    return guess.low, guess.high


def _formula(run: Resolved, batch: Batch, sampler: Sampler, towers: int) -> str:
    is_layer = _layer_is_peak(run, batch, sampler)
    if is_layer and delta_scan(run) > mlp(run):
        scan = constants.DELTA_SCAN.value
        text = f"batched tokens × ({2 * run.model_width} B × hidden + {scan:g} B × DeltaNet values ÷ TP)"
    elif is_layer:
        copies = constants.MLP_HIDDEN_COPIES.value
        text = f"{run.model_width} B × batched tokens × (3 × intermediate ÷ TP + {copies:g} × hidden)"
    else:
        per_logit = sampler.per_logit.value
        text = f"{per_logit:g} B × {run.max_num_seqs:,} sequences × {run.shape.vocab:,} vocabulary + hidden states"
    if batch.kept:
        text += " + expert buffers"
    return text + (" + multimodal encoder" if towers else "")
