"""What one pipeline stage hands on to the next."""

from __future__ import annotations

from bot.sizing.ranges import Estimate
from bot.sizing.resolved import Resolved

_TENSORS = 2  # hidden states and residual


def with_handed_on(run: Resolved, peak: Estimate) -> Estimate:
    """Return the peak of a stage with the states of a batch that come into it, or leave it.

    Source: vLLM 0.19 `v1/worker/gpu_model_runner.py`, intermediate_tensors, which stay. Llama-3.1-8B on two H100 with 0.19
    peaks at 1.10 and 2.01 GiB, 0.125 above a layer and above the sampler.
    """
    if run.pipeline_parallel == 1:
        return peak
    more = _TENSORS * run.max_num_batched_tokens * run.shape.hidden * run.model_width
    amount, low, high = (have + more for have in peak[:3])
    return peak._replace(amount=amount, low=low, high=high)
