import pytest

from bot.reading.read import read


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        (
            'MODEL = "acme/model-7b"\nllm = LLM(\n    model=MODEL,\n    tensor_parallel_size=4,  # all\n    dtype=torch.bfloat16,\n    enforce_eager=True,\n)',
            {
                "model": "acme/model-7b",
                "tensor_parallel": 4,
                "dtype": "bfloat16",
                "enforce_eager": True,
                "entrypoint": "offline",
            },
        ),
        (
            '>>> llm = LLM("acme/model-7b", gpu_memory_utilization=.8)',
            {"model": "acme/model-7b", "gpu_memory_utilization": 0.8},
        ),
        (
            'args = AsyncEngineArgs(model="acme/model-7b", max_model_len=4096)',
            {"model": "acme/model-7b", "max_model_len": 4096},
        ),
        (
            "engine_kwargs=dict(tensor_parallel_size=2, max_model_len=8192),",
            {"tensor_parallel": 2, "max_model_len": 8192},
        ),
        ('vllm_kwargs={"quantization": "awq", "max_num_seqs": 8}', {"quantization": "awq", "max_num_seqs": 8}),
    ],
)
def test_keyword_arguments_are_settings(code: str, facts: dict[str, object]) -> None:
    evidence = read(code)

    assert facts == {name: evidence.value(name) for name in facts}


def test_a_torn_call_gives_the_arguments_that_are_whole() -> None:
    evidence = read('llm = LLM(model="acme/model-7b", max_model_len=8192, max_num_se')

    assert (evidence.value("model"), evidence.value("max_model_len")) == ("acme/model-7b", 8192)


def test_a_name_that_nobody_assigned_is_no_model() -> None:
    assert read("llm = LLM(model=path, tensor_parallel_size=2)").value("model") is None
