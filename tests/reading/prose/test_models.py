import pytest

from bot.reading.prose.models import find_model_name


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("we serve meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B-Instruct"),
        ("see https://huggingface.co/acme/Model-7B-v2 for it", "acme/Model-7B-v2"),
        ("mixtral 8x7b instruct awq", "mixtral 8x7b instruct awq"),
        ("Qwen3-30B-A3B-FP8 dies", "Qwen3-30B-A3B-FP8"),
        ("ollama ran qwen3:30b", "qwen3:30b"),
        ("deepseek r1 distill qwen 32b", "deepseek r1 distill qwen 32b"),
        ("gpt-oss-120b", "gpt-oss-120b"),
        ("部署Qwen2.5-72B报错", "Qwen2.5-72B"),
        ("step 3 of the guide", None),
        ("llama is nice", None),
        ("src/v1/worker.py and vllm/v1/engine", None),
        ("300 tokens/s and 1/2", None),
    ],
)
def test_models_are_named_in_many_ways(sentence: str, name: str | None) -> None:
    assert name == find_model_name(sentence)
