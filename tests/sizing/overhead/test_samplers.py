"""Which sampler a version profiles with."""

import pytest

from bot.deployment import Deployment, Gpu
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead.samplers import (
    FLASHINFER,
    RUNNER_V2,
    RUNNER_V2_COPYING,
    RUNNER_V2_WARM,
    SORT,
    TRITON,
    possible_samplers,
    sampler_of,
    sampler_stack,
    sampler_states,
)
from bot.sizing.resolved import resolve


@pytest.fixture
def run(llama_8b, h100):
    def resolved(version, sequences=1024, **facts):
        shape = llama_8b.model_copy(update={"architecture": "LlamaForCausalLM"})
        stated = Deployment(shape=shape, vllm_version=version, max_num_seqs=sequences, **({"card": h100} | facts))
        deployment, assumptions = with_defaults(stated)
        return resolve(deployment, frozenset(assumption.name for assumption in assumptions))

    return resolved


@pytest.mark.parametrize(
    ("version", "sequences", "sampler"),
    [
        ("0.7.3", 256, SORT),
        ("0.16.0", 1024, SORT),
        ("0.17.0", 1024, TRITON),
        ("0.19.0", 4, SORT),
        ("0.20.0", 8, TRITON),
        ("0.20.2", 256, TRITON),
        ("0.21.0", 256, FLASHINFER),
        ("0.22.0", 4, FLASHINFER),
        ("0.25.1", 256, RUNNER_V2_COPYING),
        ("0.26.0", 256, RUNNER_V2),
        ("0.32.0", 256, RUNNER_V2),
        ("0.33.0", 256, RUNNER_V2_WARM),
    ],
)
def test_the_sampler_follows_the_version(run, version, sequences, sampler):
    assert sampler_of(run(version, sequences)) == sampler


def test_the_flashinfer_sampler_can_be_switched_off(run):
    assert TRITON == sampler_of(run("0.22.0", environment=(("VLLM_USE_FLASHINFER_SAMPLER", "0"),)))


@pytest.mark.parametrize(("version", "sampler"), [("0.22.1", SORT), ("0.23.0", TRITON)])
def test_triton_takes_few_rows_too_from_0_23_on(run, version, sampler):
    """vLLM 0.22.1 and 0.23.0 `v1/sample/ops/topk_topp_sampler.py`, apply_top_k_top_p."""
    older = (("VLLM_USE_FLASHINFER_SAMPLER", "0"), ("VLLM_USE_V2_MODEL_RUNNER", "0"))

    assert sampler == sampler_of(run(version, 4, environment=older))


@pytest.mark.parametrize(
    ("card", "sampler"),
    [
        (Gpu(name="V100", compute_capability=7.0), TRITON),
        (Gpu(name="T4", compute_capability=7.5), FLASHINFER),
        (Gpu(name="GB10", compute_capability=12.1), FLASHINFER),
        (Gpu(name="the next", compute_capability=13.0), TRITON),
        (Gpu(name="MI300X", vendor="amd", compute_capability=9.4), TRITON),
    ],
)
def test_flashinfer_samples_on_cards_that_it_knows(run, card, sampler):
    """vLLM 0.21 `v1/attention/backends/flashinfer.py`, supports_compute_capability."""
    assert sampler == sampler_of(run("0.21.0", card=card))


@pytest.mark.parametrize(
    "told", [{"flashinfer_sampler": True}, {"environment": (("VLLM_USE_FLASHINFER_SAMPLER", "1"),)}]
)
def test_the_flashinfer_sampler_is_heard(run, told):
    assert (FLASHINFER,) == possible_samplers(run("0.10.1.1", **told))


def test_a_log_knows_better_than_the_environment_what_is_installed(run):
    wanted = {"flashinfer_sampler": False, "environment": (("VLLM_USE_FLASHINFER_SAMPLER", "1"),)}

    assert (SORT,) == possible_samplers(run("0.10.1.1", **wanted))


@pytest.mark.parametrize("version", ["0.8.5", "0.9.0", "0.10.1.1", "0.11.0"])
def test_until_0_11_0_it_depends_on_what_is_installed(run, version):
    assert (SORT, FLASHINFER) == possible_samplers(run(version))


@pytest.mark.parametrize("version", ["0.11.1", "0.16.0"])
def test_from_0_11_1_on_it_is_sorted_unless_somebody_asks(run, version):
    assert (SORT,) == possible_samplers(run(version))


def test_the_wording_of_a_log_leaves_fewer_samplers_to_choose_from(run):
    assert SORT in possible_samplers(run(None))
    assert SORT not in possible_samplers(run(None, version_since="0.28.0"))


def test_a_log_that_names_the_sampler_needs_no_version(run):
    assert (FLASHINFER,) == possible_samplers(run(None, version_until="0.11.2", flashinfer_sampler=True))


@pytest.mark.parametrize(("version", "bytes_each"), [("0.26.0", 0), ("0.27.1", 4.25), ("0.33.0", 4.25)])
def test_from_0_27_what_the_sampler_keeps_is_counted(run, version, bytes_each):
    assert bytes_each * 1024 * 128_256 == sampler_states(run(version))


def test_the_older_runner_keeps_no_counts(run):
    assert 0 == sampler_states(run("0.29.0", environment=(("VLLM_USE_V2_MODEL_RUNNER", "0"),)))


@pytest.mark.parametrize(
    ("vocab", "is_certain", "may_spill"), [(49_155, True, True), (49_154, False, True), (49_156, False, False)]
)
def test_a_sampler_spills_where_it_cannot_load_four_logits_at_once(run, vocab, is_certain, may_spill):
    resolved = run("0.19.0")
    odd = resolved._replace(shape=resolved.shape.model_copy(update={"vocab": vocab}))
    found = sampler_stack(odd)

    assert is_certain == (found.amount > 0)
    assert may_spill == (found.high > 0)
