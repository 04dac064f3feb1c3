"""How a deployment compiles, and what it captures as CUDA graphs: by what it was told of either, and by release."""

from __future__ import annotations

from bot.sizing.eras import Release
from bot.sizing.resolved import Resolved

NONE, PIECEWISE, WHOLE, DECODING, BOTH = "NONE", "PIECEWISE", "FULL", "FULL_DECODE_ONLY", "FULL_AND_PIECEWISE"
MODES = (NONE, PIECEWISE, WHOLE, DECODING, BOTH)

_BY_VLLM = 3
"""The mode, before 0.11.1 the level, in which vLLM compiles itself; only that can be captured in pieces."""

_MODES_FROM, _BOTH_FROM, _LEVELS_FROM, _WHOLE_ALONE_FROM, _DECODING_ALONE_FROM = (
    (0, 10, 1),
    (0, 11),
    (0, 12),
    (0, 13),
    (0, 30),
)
_OF_A_LEVEL = {0: NONE, 1: PIECEWISE}  # 2 and 3 capture both


def compiles(run: Resolved) -> bool:
    """Return whether vLLM compiles the model; V0, which may too, leaves nothing that is counted.

    `-O` set the level of compiling before 0.12; since then it sets several things, of which 0 compiles nothing.

    Source: vLLM 0.11 `config/compilation.py`, CompilationLevel, and 0.12 to 0.33 `config/vllm.py`, OptimizationLevel and
    __post_init__; `-O` in `utils/__init__.py` of 0.11 and `utils/argparse_utils.py` of 0.12.
    """
    told = run.deployment
    if run.is_v0 or told.enforce_eager:
        return False
    if told.compilation_mode is not None:
        return told.compilation_mode == _BY_VLLM
    level = told.optimization_level
    return level is None or (level > 0 if run.release >= _LEVELS_FROM else level == _BY_VLLM)


def graph_mode(run: Resolved) -> str:
    """Return what is captured, as vLLM names it, before it asks what attention can do; V0's graphs count as pieces.

    V0 captures whatever it compiles, and only eager mode keeps it from that.

    Source: vLLM `worker/model_runner.py` (V0); `config.py` of 0.8 to 0.10, `config/vllm.py` of 0.11.1 to 0.33, __post_init__ and
    _normalize_piecewise_cudagraph_mode.
    """
    told = run.deployment
    if told.enforce_eager:
        return NONE
    if run.is_v0:
        return PIECEWISE
    mode = (told.cudagraph_mode or "").upper() or usual_mode(told.optimization_level, run.release)
    return mode if compiles(run) else _without_pieces(mode, run.release)


def usual_mode(level: int | None, release: Release) -> str:
    """Return what a release captures of its own accord."""
    if release < _BOTH_FROM:
        return PIECEWISE
    return BOTH if release < _LEVELS_FROM or level is None else _OF_A_LEVEL.get(level, BOTH)


def _without_pieces(mode: str, release: Release) -> str:
    """Return what is captured of a model that is not compiled: whole graphs only, where the release lets them be."""
    if release < _MODES_FROM or _LEVELS_FROM <= release < _WHOLE_ALONE_FROM:
        return NONE
    if mode == BOTH and release >= _DECODING_ALONE_FROM:
        return DECODING
    return NONE if mode in {PIECEWISE, BOTH} else mode
