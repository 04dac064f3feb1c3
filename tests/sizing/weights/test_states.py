import pytest

from bot.catalog.models import find_model
from bot.model_shape import LayerKind
from bot.sizing.weights.states import state_tensors
from bot.sizing.weights.tensors import Split, count


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Qwen/Qwen3-Next-80B-A3B-Instruct", LayerKind.GATED_DELTA),
        ("moonshotai/Kimi-Linear-48B-A3B-Instruct", LayerKind.KDA),
        ("nvidia/NVIDIA-Nemotron-3-Nano-4B-BF16", LayerKind.MAMBA2),
        ("tiiuae/falcon-mamba-7b", LayerKind.MAMBA1),
        ("LiquidAI/LFM2.5-1.2B-Instruct-GGUF", LayerKind.SHORT_CONV),
        ("MiniMaxAI/MiniMax-Text-01", LayerKind.LINEAR),
    ],
)
def test_a_state_layer_is_cut_by_tensor_parallelism(name, kind):
    shape = find_model(name).shape
    whole, half = (count(state_tensors(shape, kind, Split(ranks))) for ranks in (1, 2))

    assert whole / 2 <= half < whole * 0.56


def test_an_attending_layer_has_no_state():
    assert () == state_tensors(find_model("meta-llama/Llama-3.1-8B").shape, LayerKind.FULL, Split())
