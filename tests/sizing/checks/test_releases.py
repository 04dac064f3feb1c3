"""What a release has no code for."""

import pytest
from packaging.version import Version

from bot.deployment import Deployment, Gpu
from bot.model_shape import Vision
from bot.sizing.checks.refusals import refuse as refuse_all
from bot.sizing.checks.releases import doubts, last_release, refuse


def a_card(capability, vendor="nvidia"):
    return Gpu(name="Card", vendor=vendor, compute_capability=capability)


def with_architecture(shape, name):
    return shape.model_copy(update={"architecture": name})


@pytest.mark.parametrize(
    ("capability", "version", "refusals"),
    [
        (12.0, "0.7.3", 1),
        (12.0, "0.9.0", 0),
        (12.0, "0.8.5+cu128", 0),
        (10.0, "0.5.5", 1),
        (10.3, "0.9.0", 0),
        (11.0, "0.19.1", 1),
        (9.0, "0.4.2", 0),
        (7.0, "0.19.1", 0),
        (7.0, "0.20.0", 1),
        (None, "0.5.5", 0),
    ],
)
def test_wheels_have_code_for_the_cards_of_their_cuda(capability, version, refusals):
    found = [each.problem for each in refuse(Deployment(card=a_card(capability), vllm_version=version))]

    assert ["no-kernel-image"] * refusals == found


def test_cards_of_other_makers_have_other_builds():
    assert [] == list(refuse(Deployment(card=a_card(12.0, "amd"), vllm_version="0.5.5")))


def test_a_card_without_code_says_from_when_it_has_some():
    (refusal,) = refuse(Deployment(card=a_card(12.0), vllm_version="0.7.3"))

    assert "have code for Card since 0.9.0: it needs CUDA 12.8" in refusal.message


@pytest.mark.parametrize(("version", "problems"), [("0.4.2", ["model-arch-unsupported"]), ("0.8.4", []), (None, [])])
def test_an_architecture_needs_a_release_that_lists_it(llama_8b, version, problems):
    shape = with_architecture(llama_8b, "Qwen3ForCausalLM")

    assert problems == [each.problem for each in refuse(Deployment(shape=shape, vllm_version=version))]


def test_an_architecture_that_no_release_lists_is_not_refused(llama_8b):
    shape = with_architecture(llama_8b, "FrobForCausalLM")

    assert ([], []) == (
        list(refuse(Deployment(shape=shape, vllm_version="0.33.0"))),
        list(doubts(Deployment(shape=shape, vllm_version="0.33.0"))),
    )


def test_what_transformers_code_may_run_is_a_doubt(llama_8b):
    deployment = Deployment(shape=with_architecture(llama_8b, "Qwen3ForCausalLM"), vllm_version="0.8.3")

    (doubt,) = doubts(deployment)

    assert [] == list(refuse(deployment))
    assert doubt.startswith("vLLM 0.8.3 does not list Qwen3ForCausalLM; it came with 0.8.4. It runs, if at all,")


@pytest.mark.parametrize(("version", "refusals"), [("0.11.0", 1), ("0.11.1", 0)])
def test_transformers_code_runs_no_experts_before_0_11_1(gpt_oss_20b, version, refusals):
    shape = with_architecture(gpt_oss_20b, "NanbeigeForCausalLM")

    assert refusals == len(list(refuse(Deployment(shape=shape, vllm_version=version))))


@pytest.mark.parametrize(("version", "refusals"), [("0.7.1", 1), ("0.7.2", 0)])
def test_transformers_code_runs_from_0_7_2_on(llama_8b, version, refusals):
    shape = with_architecture(llama_8b, "Qwen3ForCausalLM")

    assert refusals == len(list(refuse(Deployment(shape=shape, vllm_version=version))))


@pytest.mark.parametrize(("version", "refusals"), [("0.9.2", 1), ("0.10.0", 0)])
def test_transformers_code_sees_no_images_before_0_10(llama_8b, version, refusals):
    shape = with_architecture(llama_8b, "NanbeigeForCausalLM").model_copy(update={"vision": Vision()})

    assert refusals == len(list(refuse(Deployment(shape=shape, vllm_version=version))))


def test_transformers_code_keeps_no_states(qwen3_next):
    shape = with_architecture(qwen3_next, "NanbeigeForCausalLM")

    assert 1 == len(list(refuse(Deployment(shape=shape, vllm_version="0.29.0"))))


def test_what_a_log_shows_loaded_is_not_refused(llama_8b):
    shape = with_architecture(llama_8b, "Qwen3ForCausalLM")
    deployment = Deployment(shape=shape, card=a_card(12.0), vllm_version="0.5.5")

    assert (2, 0) == (len(refuse_all(deployment)), len(refuse_all(deployment, is_loaded=True)))


def test_the_last_release_is_the_earliest_of_card_and_model(llama_8b):
    gone = with_architecture(llama_8b, "QWenLMHeadModel")

    assert (Version("0.19.1"), Version("0.23.0"), None) == (
        last_release(Deployment(shape=gone, card=a_card(7.0))),
        last_release(Deployment(shape=gone, card=a_card(8.0))),
        last_release(Deployment(shape=llama_8b, card=a_card(8.0))),
    )
