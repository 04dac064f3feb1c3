"""How a deployment compiles, and what it captures as CUDA graphs."""

import pytest

from bot.deployment import Deployment
from bot.sizing.defaults import with_defaults
from bot.sizing.graph_modes import compiles, graph_mode
from bot.sizing.resolved import resolve


@pytest.fixture
def run(llama_8b, h100):
    def of(version, **facts):
        return resolve(with_defaults(Deployment(shape=llama_8b, card=h100, vllm_version=version, **facts))[0])

    return of


@pytest.mark.parametrize(
    ("version", "by_level"),
    [
        ("0.7.3", ["PIECEWISE"] * 4),  # V0 captures whatever it compiles
        ("0.9.2", ["NONE", "NONE", "NONE", "PIECEWISE"]),
        ("0.10.2", ["NONE", "NONE", "NONE", "PIECEWISE"]),
        ("0.11.1", ["NONE", "NONE", "NONE", "FULL_AND_PIECEWISE"]),
        ("0.12.0", ["NONE", "PIECEWISE", "FULL_AND_PIECEWISE", "FULL_AND_PIECEWISE"]),
        ("0.33.0", ["NONE", "PIECEWISE", "FULL_AND_PIECEWISE", "FULL_AND_PIECEWISE"]),
    ],
)
def test_a_level_of_optimization_says_what_is_captured(run, version, by_level):
    """vLLM up to 0.11.1 took it for the level of compiling; 0.12 `config/vllm.py`, OPTIMIZATION_LEVEL_00 to _03."""
    assert by_level == [graph_mode(run(version, optimization_level=level)) for level in range(4)]


@pytest.mark.parametrize(
    ("version", "by_mode"),
    [
        ("0.10.0", {None: "NONE", "FULL": "NONE"}),
        ("0.11.0", {None: "NONE", "FULL": "FULL", "FULL_DECODE_ONLY": "FULL_DECODE_ONLY"}),
        ("0.12.0", {None: "NONE", "FULL": "NONE", "FULL_DECODE_ONLY": "NONE"}),
        ("0.13.0", {None: "NONE", "FULL": "FULL", "PIECEWISE": "NONE", "FULL_AND_PIECEWISE": "NONE"}),
        ("0.29.0", {None: "NONE", "FULL_DECODE_ONLY": "FULL_DECODE_ONLY"}),
        ("0.30.0", {None: "FULL_DECODE_ONLY", "FULL": "FULL", "PIECEWISE": "NONE"}),
    ],
)
def test_what_is_not_compiled_is_not_captured_in_pieces(run, version, by_mode):
    """vLLM 0.12 to 0.30 `config/vllm.py`, __post_init__: "is not compatible with compilation mode"."""
    assert by_mode == {mode: graph_mode(run(version, compilation_mode=0, cudagraph_mode=mode)) for mode in by_mode}


@pytest.mark.parametrize(
    ("version", "facts", "is_compiled"),
    [
        ("0.19.0", {}, True),
        ("0.19.0", {"enforce_eager": True}, False),
        ("0.19.0", {"optimization_level": 0}, False),
        ("0.19.0", {"optimization_level": 1}, True),
        ("0.11.0", {"optimization_level": 1}, False),
        ("0.19.0", {"optimization_level": 0, "compilation_mode": 3}, True),
        ("0.19.0", {"compilation_mode": 1}, False),
        ("0.7.3", {"optimization_level": 3}, False),
    ],
)
def test_vllm_compiles_by_level_and_mode(run, version, facts, is_compiled):
    assert is_compiled == compiles(run(version, **facts))


def test_eager_mode_captures_nothing(run):
    assert "NONE" == graph_mode(run("0.19.0", enforce_eager=True, cudagraph_mode="FULL"))
