import pytest

from bot.reading.read import read


@pytest.mark.parametrize(
    "text",
    ["export CUDA_VISIBLE_DEVICES=0,1", "CUDA_VISIBLE_DEVICES=0,1 python serve.py", "docker run -e CUDA_VISIBLE_DEVICES=0,1 vllm/vllm-openai:v0.9.1 --model acme/m-7b",
     "ENV CUDA_VISIBLE_DEVICES=0,1", "$ CUDA_VISIBLE_DEVICES=0,1"],
)  # fmt: skip
def test_a_variable_is_read_wherever_it_is_set(text: str) -> None:
    assert (("CUDA_VISIBLE_DEVICES", "0,1"),) == read(text).value("environment")


def test_a_hint_that_names_a_variable_sets_none() -> None:
    assert (
        read("NCCL error: unhandled system error (run with NCCL_DEBUG=INFO for details)").value("environment") is None
    )


def test_a_command_uses_the_variables_of_the_paste() -> None:
    assert "acme/model-7b" == read("MODEL=acme/model-7b\nvllm serve $MODEL").value("model")


def test_a_default_of_the_shell_is_used() -> None:
    assert "acme/model-7b" == read('vllm serve "${MODEL:-acme/model-7b}"').value("model")
