import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.catalog.index import Head, index
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
        ("Qwen3-8B-quantized.w4a16 on one card", "Qwen3-8B-quantized.w4a16"),
        ("deepseek r1 0528 qwen3 8b on two cards", "deepseek r1 0528 qwen3 8b"),
        ("granite-4.0-h-small dies", "granite-4.0-h-small"),
        ("01-ai/Yi-34B-200K", "01-ai/Yi-34B-200K"),
        ("we load bge-reranker-large", "bge-reranker-large"),
        ("/models/Qwen3-8B on one card", "/models/Qwen3-8B"),
        ("Qwen3-8B-Instrct does not start", "Qwen3-8B-Instrct"),
        ("org/Anvil-8B-GGUF:Q4_K_M is slow", "org/Anvil-8B-GGUF:Q4_K_M"),
        ("image acme/server-2:v0.9", None),
        ("acme/Anvil-8B-v2: it dies", "acme/Anvil-8B-v2"),
        ("pod qwen3-8b-vllm-7d9f8c6b5d-x2x4z restarts", "qwen3-8b"),
        ("a qwen3-8b-based assistant", "qwen3-8b"),
        ("see Qwen3-8B.yaml", "Qwen3-8B"),
        ("部署Qwen2.5-72B报错", "Qwen2.5-72B"),
        ("step 3 of the guide", None),
        ("llama is nice", None),
        ("src/v1/worker.py and vllm/v1/engine", None),
        ("300 tokens/s and 1/2", None),
    ],
)
def test_models_are_named_in_many_ways(sentence: str, name: str | None) -> None:
    assert name == find_model_name(sentence)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(index().heads), st.booleans())
def test_every_name_of_the_catalogue_is_read_whole(head: Head, is_lower: bool) -> None:
    spelt = head.id.lower() if is_lower else head.id
    base = spelt.rpartition("/")[2]

    for name in (spelt, base, f"/models/{base}") if any(sign in base for sign in "0123456789-._") else (spelt,):
        assert name == find_model_name(f"{name} on two H100, 32k")
