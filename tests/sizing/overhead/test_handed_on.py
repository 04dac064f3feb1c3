"""What pipeline stages hand on."""

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead.activations import activation
from bot.sizing.resolved import resolve


@pytest.fixture
def peak():
    def peak_of(stages, *, is_last):
        told = Deployment(
            shape=find_model("meta-llama/Llama-3.1-8B").shape, card=find_gpu("H100").card, vllm_version="0.19.0",
            pipeline_parallel=stages, max_num_seqs=1024, max_num_batched_tokens=8192, compile_cache="warm",
        )  # fmt: skip
        return activation(resolve(with_defaults(told)[0]), samples=is_last).amount / 2**30

    return peak_of


def test_a_stage_keeps_what_it_hands_on(peak):
    """As the log of two stages prints it."""
    assert pytest.approx(1.10, abs=0.06) == peak(2, is_last=False)
    assert pytest.approx(2.01, abs=0.02) == peak(2, is_last=True)


def test_one_stage_hands_nothing_on(peak):
    assert pytest.approx(0.125, abs=0.001) == peak(2, is_last=True) - peak(1, is_last=True)
