import pytest

from bot.evidence import Line
from bot.reading.commands.container import describe_container


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        (["docker", "run", "--gpus", "2", "vllm/vllm-openai:v0.9.1"], {"gpu_count": "2", "vllm_version": "0.9.1"}),
        (["docker", "run", "--gpus=device=0,1", "vllm/vllm-openai:latest"], {"gpu_count": "2"}),
        (["docker", "run", "--gpus", "all", "vllm-openai-rocm:0.10.0"], {"vllm_version": "0.10.0"}),
    ],
)
def test_a_container_tells_gpus_and_version(words: list[str], facts: dict[str, str]) -> None:
    assert facts == {fact.name: str(fact.value) for fact in describe_container(words, Line(number=1, text=""))}
