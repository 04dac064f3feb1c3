import pytest

from bot.evidence import Line
from bot.reading.commands.container import describe_container


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        (
            ["docker", "run", "--gpus", "2", "vllm/vllm-openai:v0.9.1"],
            {"gpu_count": "2", "vllm_version": "0.9.1", "compile_cache": "cold"},
        ),
        (
            ["docker", "run", "--gpus=device=0,1", "vllm/vllm-openai:latest"],
            {"gpu_count": "2", "compile_cache": "cold"},
        ),
        (
            ["docker", "run", "--gpus", "all", "vllm-openai-rocm:0.10.0"],
            {"vllm_version": "0.10.0", "compile_cache": "cold"},
        ),
    ],
)
def test_a_container_tells_gpus_and_version(words: list[str], facts: dict[str, str]) -> None:
    assert facts == {fact.name: str(fact.value) for fact in describe_container(words, Line(number=1, text=""))}


@pytest.mark.parametrize(
    ("words", "begins_anew"),
    [
        ("docker run -v /models:/root/.cache/huggingface vllm/vllm-openai", True),
        ("sudo podman container run vllm/vllm-openai", True),
        ("docker run -v cache:/root/.cache vllm/vllm-openai", False),
        ("docker run -v cache:/root/.cache/vllm:rw vllm/vllm-openai", False),
        ("docker run --mount type=bind,source=/c,target=/root/.cache/vllm vllm/vllm-openai", False),
        ("docker run -v cache:/kept -e VLLM_CACHE_ROOT=/kept vllm/vllm-openai", False),
        ("docker start vllm", False),
        ("vllm serve org/m", False),
    ],
)
def test_a_new_container_compiles_unless_it_is_given_the_cache(words: str, begins_anew: bool) -> None:
    told = {fact.name for fact in describe_container(words.split(), Line(number=1, text=""))}

    assert begins_anew == ("compile_cache" in told)
