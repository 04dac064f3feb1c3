"""What a vision tower of Qwen or InternVL needs while it runs: its widest layer, over all patches at once."""

from __future__ import annotations

from bot.model_shape import Vision
from bot.sizing import constants
from bot.sizing.ranges import Estimate, around
from bot.sizing.resolved import Resolved

_GATED_TYPES = frozenset({"qwen2_5_vl", "qwen2_5_omni"})
_INTERN = ("internvl", "interns1")
_KEEPS_INPUTS = ("qwen3", "qwen4", *_INTERN)

_QWEN2 = Vision(hidden=1280, intermediate=5120, layers=32, patch=14)
_QWEN2_5 = Vision(hidden=1280, intermediate=3420, layers=32, patch=14)
# By the most parameters that tower and merger have together. Source: the models' config.json.
_QWEN3 = (
    (200_000_000, Vision(hidden=768, intermediate=3072, layers=12, patch=16)),
    (430_000_000, Vision(hidden=1024, intermediate=4096, layers=24, patch=16)),
    (float("inf"), Vision(hidden=1152, intermediate=4304, layers=27, patch=16)),
)
_INTERN_VITS = (
    (1_000_000_000, Vision(hidden=1024, intermediate=4096, layers=24, heads=16, patch=14)),
    (float("inf"), Vision(hidden=3200, intermediate=12_800, layers=45, heads=25, patch=14)),
)


def tower_peak(run: Resolved, patches: int, pixels: int, kept: int) -> Estimate:
    """Return the peak while `patches` of `pixels` numbers each go through the tower; `kept` bytes outlive its layers.

    Source: vLLM `models/qwen2_5_vl.py`, `qwen3_vl.py`. Logs of Qwen2.5-VL-7B with 0.9 on an L4 and with 0.23, of
    Qwen3.5-4B with 0.22 and of Qwen3.5-9B with 0.19 on an L40S lie within 0.1 GiB.
    """
    tower = _tower(run)
    ranks = 1 if run.deployment.encoder_tensor_parallel == "data" else run.tensor_parallel
    widest = max(_attention(tower, ranks, run), _mlp(tower, ranks, run))
    return around(patches * 2 * (widest + pixels) + kept, constants.TOWER_PEAK)


def _attention(tower: Vision, ranks: int, run: Resolved) -> float:
    """Return the elements of a patch: input, normed input, QKV, rotated queries and keys, outputs.

    Up to 0.11 queries, keys and values were copied first and rotated in 32 bits, in 0.11 both at once. InternVL
    rotates nothing, but its large tower norms queries and keys, whole where 25 heads cannot be dealt out.
    """
    wide = tower.hidden or 0
    if _is_intern(run):
        heads = tower.heads or 1
        return wide * (4 + (4 if heads % 2 == 0 else 6) / (ranks if heads % ranks == 0 else 1))
    if run.release < (0, 11):
        return wide * (2 + 11 / ranks) + _inputs(wide, run)
    if run.release < (0, 12) and run.version_is_stated:
        return wide * (2 + 18 / ranks) + _inputs(wide, run)
    return wide * (3 + 8 / ranks) + _inputs(wide, run)


def _mlp(tower: Vision, ranks: int, run: Resolved) -> float:
    """Return the elements of a patch: inputs, hidden layer before and after its activation, output."""
    wide, inner = tower.hidden or 0, (tower.intermediate or 0) / ranks
    if run.shape.model_type in _GATED_TYPES:
        return wide * (5 if run.release >= (0, 10, 2) else 3) + 3 * inner
    return 3 * wide + 2 * inner + _inputs(wide, run)


def _inputs(wide: int, run: Resolved) -> int:
    """Qwen3's interpolated positions, and InternVL's embedded patches, stay until the tower is done."""
    return wide if (run.shape.model_type or "").startswith(_KEEPS_INPUTS) else 0


def _is_intern(run: Resolved) -> bool:
    return (run.shape.model_type or "").startswith(_INTERN)


def _tower(run: Resolved) -> Vision:
    vision, model_type = run.shape.vision, run.shape.model_type or ""
    if vision is not None and vision.hidden and vision.intermediate:
        return vision
    if model_type in _GATED_TYPES:
        return _QWEN2_5
    if not model_type.startswith(_KEEPS_INPUTS):
        return _QWEN2
    known, usual = (_INTERN_VITS, 1) if _is_intern(run) else (_QWEN3, float("inf"))
    parameters = (vision.parameters if vision else None) or usual
    return next(tower for most, tower in known if parameters <= most)
