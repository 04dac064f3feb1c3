"""How far the weights that vLLM prints may lie from the sum of the tensors."""

from __future__ import annotations

from bot.model_shape import Quantization
from bot.sizing import constants
from bot.sizing.generations import HOPPER, generation_of
from bot.sizing.overhead.expert_buffers import left_by_repacking
from bot.sizing.ranges import GIB, Estimate
from bot.sizing.resolved import Resolved
from bot.sizing.weights.per_gpu import weights_of_stages
from bot.sizing.weights.recipes import alternatives, leaves_room
from bot.sizing.weights.schemes import base_scheme
from bot.sizing.weights.storage import quantization_of


def doubted(run: Resolved, stage: int, amount: int, rests: int) -> Estimate:
    """Return the weights of a stage, `amount` bytes by its tensors, with the range that the printed figure lies in.

    `rests` bytes of torch's blocks stay uncut beside them, and may be printed as well.

    Source: measured on start-up logs, by what the checkpoint tells of itself.
    """
    quantization = quantization_of(run.deployment, run.shape)
    guess = _guess(run, quantization)
    others = [int(weights_of_stages(each)[stage]) for each in alternatives(run.deployment, quantization)]
    beside = rests + left_by_repacking(run) + _beside_mxfp4(run, guess)
    return Estimate(
        amount,
        round(min((amount, *others)) * (1 + guess.low)),
        round(max((amount, *others)) * (1 + guess.high)) + beside,
        "parameters × bytes, as split over the GPUs",
        guess.origin,
        doubt="which modules stay in 16 bits is not known; the checkpoint's config.json tells" if others else "",
    )


def _beside_mxfp4(run: Resolved, guess: constants.Guess) -> int:
    """Return what Triton's layout of MXFP4 may hold beside its values and scales, whatever the number of experts on a GPU."""
    is_swizzled = guess is constants.WEIGHTS_MXFP4_HOPPER and run.release >= (0, 17)
    return round(constants.MXFP4_BESIDE_GIB * GIB * is_swizzled)


def _guess(run: Resolved, quantization: Quantization | None) -> constants.Guess:
    """Which modules stay in 16 bits is what a recipe leaves open; a dense model has little to leave out."""
    shape = run.shape
    if quantization is None:
        return _plain(run)
    if leaves_room(quantization, shape):
        return constants.WEIGHTS_UNKNOWN_RECIPE
    name = f"{quantization.method} {quantization.algorithm}".lower()
    if "mxfp4" in name and generation_of(run.card) == HOPPER:
        return constants.WEIGHTS_MXFP4_HOPPER
    is_plain = shape.moe is None and shape.linear is None and shape.vision is None and "fp4" not in name
    if (quantization.is_known and quantization.bits) or (is_plain and "gguf" not in name):
        is_repacked = run.release >= (0, 21) and base_scheme(quantization, run.release).name == "int"
        return constants.WEIGHTS_REPACKED if is_repacked else constants.WEIGHTS_QUANTIZED
    return constants.WEIGHTS_GUESSED_QUANTIZATION


def _plain(run: Resolved) -> constants.Guess:
    if run.card is not None and run.card.vendor == "amd":
        return constants.WEIGHTS_AMD
    if run.shape.vision is not None:
        return constants.WEIGHTS_MULTIMODAL
    return constants.WEIGHTS_PLAIN
