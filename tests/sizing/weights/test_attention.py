from bot.catalog.models import find_model
from bot.sizing.weights.attention import attention_tensors
from bot.sizing.weights.tensors import Matrix, Split


def matrices(name, ranks, run=-1, **split):
    shape = find_model(name).shape
    found = attention_tensors(shape, shape.runs[run].layer, Split(ranks, **split))
    return {tensor.modules[0].split(".", 1)[1]: tensor for tensor in found if isinstance(tensor, Matrix)}


def test_kv_heads_are_replicated_beyond_their_count():
    assert matrices("Qwen/Qwen2.5-7B-Instruct", 14)["q_proj"].outputs == (2 + 1 + 1) * 128


def test_a_gate_as_wide_as_the_heads_doubles_the_queries():
    assert matrices("Qwen/Qwen3-Next-80B-A3B-Instruct", 1)["q_proj"].outputs == (2 * 16 + 2 + 2) * 256


def test_the_down_projections_of_latent_attention_are_whole_everywhere():
    found = matrices("deepseek-ai/DeepSeek-V3", 8)

    assert (found["q_a_proj"].outputs, found["q_b_proj"].outputs) == (1536 + 512 + 64, 16 * 192)


def test_gemma_4_keeps_one_projection_twice_in_memory():
    stored = matrices("google/gemma-4-26B-A4B-it", 1, as_stored=True)["q_proj"].outputs

    assert matrices("google/gemma-4-26B-A4B-it", 1)["q_proj"].outputs - stored == 2 * 512
