import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment, Speculation
from bot.sizing.weights.extras import (
    absorbed_bytes,
    lora_bytes,
    prediction_layers,
    speculative_tensors,
    workspace_bytes,
)
from bot.sizing.weights.layer import count_parameters
from bot.sizing.weights.tensors import Split, count

LLAMA = find_model("meta-llama/Llama-3.1-8B").shape
DEEPSEEK = find_model("deepseek-ai/DeepSeek-V3").shape


def test_a_slot_holds_two_factors_for_every_module():
    deployment = Deployment(lora=True, max_loras=1, max_lora_rank=16)
    qkv, output, up, down = 3 * 4096 + 6144, 4096 + 4096, 2 * 4096 + 28672, 14336 + 4096

    assert lora_bytes(deployment, LLAMA, Split(), 2) == 32 * 16 * 2 * (qkv + output + up + down)


def test_without_the_flag_there_are_no_slots():
    assert lora_bytes(Deployment(), LLAMA, Split(), 2) == 0


def test_a_draft_model_is_loaded_whole():
    draft = find_model("meta-llama/Llama-3.2-1B").shape
    tensors = speculative_tensors(Deployment(speculation=Speculation(shape=draft)), LLAMA, Split(as_stored=True))

    assert count(tensors) == count_parameters(draft)


def test_ngram_speculation_has_no_weights():
    assert speculative_tensors(Deployment(speculation=Speculation(method="ngram")), LLAMA, Split()) == ()


def test_the_prediction_layer_of_deepseek_makes_up_the_difference_to_its_checkpoint():
    layer = count(prediction_layers(DEEPSEEK, Split()))

    assert abs(count_parameters(DEEPSEEK) + layer - DEEPSEEK.parameters) < 0.004 * DEEPSEEK.parameters


def test_latent_attention_on_an_nvidia_card_keeps_a_workspace():
    h100, amd = find_gpu("H100").card, find_gpu("MI300X").card
    releases = [
        workspace_bytes(DEEPSEEK, card, release) for card, release in ((h100, (0, 19)), (h100, (0, 9)), (amd, (0, 19)))
    ]

    assert releases == [128 << 20, 0, 0]


def test_plain_attention_keeps_none():
    assert workspace_bytes(LLAMA, None, (0, 19)) == 0


def test_a_sparse_index_keeps_its_picks():
    shape = find_model("deepseek-ai/DeepSeek-V3.2").shape

    assert workspace_bytes(shape, None, (0, 19), 16384) - workspace_bytes(DEEPSEEK, None, (0, 19)) == 4 * 2048 * 16384


def test_0_7_multiplied_out_the_projections_of_latent_attention():
    lite = find_model("deepseek-ai/DeepSeek-Coder-V2-Lite-Instruct").shape

    assert 0.24 == pytest.approx(absorbed_bytes(lite, Split(8), (0, 7, 1)) / 2**30, abs=0.02)


@pytest.mark.parametrize("release", [(0, 6, 6), (0, 8, 3)])
def test_other_versions_keep_latent_projections_as_they_are(release):
    assert 0 == absorbed_bytes(DEEPSEEK, Split(8), release)
