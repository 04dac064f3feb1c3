"""Ways to compile and capture that no vLLM takes."""

from __future__ import annotations

from collections.abc import Iterator

from bot.deployment import Deployment
from bot.sizing.graph_modes import MODES, NONE
from bot.sizing.terms import Refusal

_MOST_LEVEL = 3
_LEVELS = ("optimization_level", "compilation_mode")


def refuse(deployment: Deployment) -> Iterator[Refusal]:
    """Yield levels, modes and sizes that vLLM refuses; sizes are looked at where graphs are captured.

    Source: vLLM 0.12 to 0.33 `config/vllm.py`, OptimizationLevel and _set_cudagraph_sizes, `config/compilation.py`,
    CompilationMode and CUDAGraphMode.
    """
    for name in _LEVELS:
        level = getattr(deployment, name)
        if level is not None and not 0 <= level <= _MOST_LEVEL:
            yield _refusal(name, f"{name} is {level:,}; vLLM takes one from 0 to {_MOST_LEVEL}")
    mode = (deployment.cudagraph_mode or NONE).upper()
    if mode not in MODES:
        yield _refusal("cudagraph_mode", f"cudagraph_mode is {mode}; vLLM takes one of {', '.join(MODES)}")
    if not deployment.enforce_eager and deployment.cudagraph_mode != NONE:
        yield from _sizes(deployment)


def _sizes(deployment: Deployment) -> Iterator[Refusal]:
    sizes, largest = deployment.cudagraph_capture_sizes, deployment.max_cudagraph_capture_size
    if sizes is None:
        return
    name = "cudagraph_capture_sizes"
    if not sizes:
        yield _refusal(name, f"{name} is empty; without graphs set cudagraph_mode to {NONE}")
    elif min(sizes) < 1:
        yield _refusal(name, f"{name} has {min(sizes):,}; a batch has at least 1 token")
    elif largest is not None and largest != max(sizes):
        yield _refusal(name, f"max_cudagraph_capture_size is {largest:,}, and the largest of {name} {max(sizes):,}")


def _refusal(name: str, message: str) -> Refusal:
    return Refusal(name=name, message=message, problem="cli-bad-argument")
