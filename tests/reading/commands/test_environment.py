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


@pytest.mark.parametrize(
    "advice",
    [
        "To disable, set VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0.",
        "To try it now, set VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=1 and increase --gpu-memory-utilization",
    ],
)
def test_advice_to_set_a_variable_sets_none(advice: str) -> None:
    assert read(advice).value("environment") is None


@pytest.mark.parametrize(
    "text", ["I set NCCL_P2P_DISABLE=1.", "we have set NCCL_P2P_DISABLE=1, and", "set NCCL_P2P_DISABLE=1"]
)
def test_who_says_that_it_is_set_has_set_it(text: str) -> None:
    assert (("NCCL_P2P_DISABLE", "1"),) == read(text).value("environment")


def test_a_command_uses_the_variables_of_the_paste() -> None:
    assert "acme/model-7b" == read("MODEL=acme/model-7b\nvllm serve $MODEL").value("model")


def test_a_default_of_the_shell_is_used() -> None:
    assert "acme/model-7b" == read('vllm serve "${MODEL:-acme/model-7b}"').value("model")
