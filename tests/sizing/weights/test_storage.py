from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.sizing.weights.storage import quantization_of, sizes_of, storage_of
from bot.sizing.weights.tensors import Matrix, Plain

LLAMA = find_model("meta-llama/Llama-3.1-8B").shape
DEEPSEEK = find_model("deepseek-ai/DeepSeek-V3").shape


def test_a_float32_server_doubles_everything():
    storage = storage_of(Deployment(dtype="float32"), LLAMA)

    assert (40,) == sizes_of(Plain(10), None, storage)


def test_a_tensor_may_be_wider_than_the_model():
    assert (40,) == sizes_of(Plain(10, 4.0), None, storage_of(Deployment(), LLAMA))


def test_every_expert_has_its_bias():
    storage = storage_of(Deployment(), LLAMA)

    assert (48, 16) == sizes_of(Matrix(("mlp.experts.up_proj",), 4, 3, experts=2, bias=4), None, storage)


def test_the_checkpoint_outweighs_the_flag():
    assert "fp8" == quantization_of(Deployment(quantization="awq"), DEEPSEEK).method


def test_the_flag_may_be_said_in_words():
    assert "fp8" == quantization_of(Deployment(quantization="fp8 (block)"), LLAMA).method


def test_a_packed_latent_projection_is_unpacked_once_more():
    up = Matrix(("self_attn.kv_b_proj",), 32768, 512)

    assert sizes_of(up, 0, storage_of(Deployment(), DEEPSEEK))[-1] == 32768 * 512 * 2


def test_a_model_without_a_list_has_one_kind_of_layer():
    assert () == storage_of(Deployment(), DEEPSEEK).signature(3)
