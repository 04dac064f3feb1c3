"""Ways to compile and capture that no vLLM takes."""

import pytest

from bot.deployment import Deployment
from bot.sizing.checks import compiling


@pytest.mark.parametrize(
    ("facts", "name", "said"),
    [
        ({"optimization_level": 7}, "optimization_level", "from 0 to 3"),
        ({"optimization_level": -1}, "optimization_level", "is -1"),
        ({"compilation_mode": 9}, "compilation_mode", "from 0 to 3"),
        ({"cudagraph_mode": "SOMETIMES"}, "cudagraph_mode", "one of NONE, PIECEWISE, FULL"),
        ({"cudagraph_capture_sizes": ()}, "cudagraph_capture_sizes", "is empty"),
        ({"cudagraph_capture_sizes": (-4, 8)}, "cudagraph_capture_sizes", "has -4"),
        ({"cudagraph_capture_sizes": (1, 2), "max_cudagraph_capture_size": 512}, "cudagraph_capture_sizes", "is 512"),
    ],
)
def test_what_vllm_does_not_take_is_refused(facts, name, said):
    (refusal,) = compiling.refuse(Deployment(**facts))

    assert (name, "cli-bad-argument") == (refusal.name, refusal.problem)
    assert said in refusal.message


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"optimization_level": 0, "compilation_mode": 3, "cudagraph_mode": "full_and_piecewise"},
        {"cudagraph_capture_sizes": (1, 2, 4), "max_cudagraph_capture_size": 4},
        {"cudagraph_capture_sizes": (), "cudagraph_mode": "NONE"},  # never looked at
        {"cudagraph_capture_sizes": (), "enforce_eager": True},
    ],
)
def test_what_vllm_takes_is_not(facts):
    assert () == tuple(compiling.refuse(Deployment(**facts)))
