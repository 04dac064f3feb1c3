import pytest

from bot.catalog.models import find_model
from bot.sizing.weights.layer import count_parameters, padded_vocab
from bot.sizing.weights.tensors import Split


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("meta-llama/Llama-3.1-8B", 8_030_261_248),
        ("Qwen/Qwen3-30B-A3B", 30_532_122_624),
        ("openai/gpt-oss-20b", 20_914_757_184),
        ("google/gemma-2-9b-it", 9_241_705_984),
        ("deepseek-ai/DeepSeek-V2-Lite-Chat", 15_706_484_224),
        ("nvidia/NVIDIA-Nemotron-3-Nano-4B-BF16", 3_973_556_832),
        ("Qwen/Qwen3-Coder-Next-FP8", 79_674_391_296),
        ("facebook/opt-125m", 125_239_296),
        ("microsoft/phi-2", 2_779_683_840),
        ("allenai/Olmo-Hybrid-7B", 7_430_870_688),
        ("ibm-granite/granite-4.0-tiny-preview", 6_671_539_776),
        ("tiiuae/falcon-mamba-7b", 7_272_665_088),
        ("LiquidAI/LFM2.5-230M", 229_693_184),
    ],
)
def test_the_parameters_of_a_shape_are_those_of_the_checkpoint(name, parameters):
    assert count_parameters(find_model(name).shape) == parameters


@pytest.mark.parametrize(("ranks", "rows"), [(1, 50304), (4, 12576), (5, 10061)])
def test_the_vocabulary_is_padded_to_64_and_then_divided(ranks, rows):
    assert padded_vocab(find_model("gpt2").shape, Split(ranks)) == rows
