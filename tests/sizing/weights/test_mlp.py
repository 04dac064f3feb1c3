from bot.catalog.models import find_model
from bot.sizing.weights.mlp import mlp_tensors
from bot.sizing.weights.tensors import Matrix, Plain, Split


def tensors(name, split, run=-1):
    shape = find_model(name).shape
    return mlp_tensors(shape, shape.runs[run].layer, split)


def test_gate_and_up_are_one_matrix_cut_by_columns():
    up, down = tensors("meta-llama/Llama-3.1-8B", Split(4))

    assert ((up.outputs, up.inputs), (down.outputs, down.inputs)) == ((2 * 3584, 4096), (4096, 3584))


def test_tensor_parallel_cuts_through_every_expert():
    up = tensors("Qwen/Qwen3-30B-A3B", Split(4, expert_tensor=4))[0]

    assert (up.experts, up.outputs) == (128, 2 * 768 // 4)


def test_expert_parallel_gives_some_experts_whole_and_rounds_up():
    up = tensors("Qwen/Qwen3-30B-A3B", Split(6, expert=6))[0]

    assert (up.experts, up.outputs) == (22, 2 * 768)


def test_a_router_is_whole_on_every_gpu():
    router = next(t for t in tensors("Qwen/Qwen3-30B-A3B", Split(8, expert_tensor=8)) if isinstance(t, Plain))

    assert router.elements == 128 * 2048


def test_experts_in_a_smaller_hidden_size_have_a_way_in_and_out():
    names = {
        t.modules[0]
        for t in tensors("nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8", Split(), 1)
        if isinstance(t, Matrix)
    }

    assert {"mlp.fc1_latent_proj", "mlp.fc2_latent_proj"} <= names
