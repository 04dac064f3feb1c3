import pytest

from bot.deployment import Manifest
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

    assert ("acme/model-7b", 8192) == (evidence.value("model"), evidence.value("max_model_len"))


def test_a_name_that_nobody_assigned_is_no_model() -> None:
    assert read("llm = LLM(model=path, tensor_parallel_size=2)").value("model") is None


def test_sums_of_numbers_are_worked_out() -> None:
    found = read("llm = LLM(model='acme/m-8b', max_model_len=8 * 1024, max_num_seqs=2**5, block_size=1 << 4)")

    assert (8192, 32, 16) == tuple(found.value(name) for name in ("max_model_len", "max_num_seqs", "block_size"))


def test_what_cannot_be_worked_out_is_unknown() -> None:
    found = read("llm = LLM(model='acme/m-8b', max_model_len=2 ** -1, max_num_seqs=9 ** 9 ** 9)")

    assert (None, None) == (found.value("max_model_len"), found.value("max_num_seqs"))


def test_arguments_may_stand_in_a_dictionary() -> None:
    found = read('args = {\n  "model": "acme/m-8b",\n  "max_model_len": 4096,\n}\nllm = LLM(**args, max_num_seqs=8)')

    assert ("acme/m-8b", 4096, 8) == tuple(found.value(name) for name in ("model", "max_model_len", "max_num_seqs"))


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ('LLMConfig(model_loading_config=dict(model_id="acme", model_source="acme/m-8b"))', "acme/m-8b"),
        ("model_loading_config:\n  model_id: acme\n  model_source: acme/m-8b\nengine_kwargs:\n  a: 1", "acme/m-8b"),
        ('model_loading_config={\n    "model_id": "acme-8b",\n}', "acme-8b"),
    ],
)
def test_ray_serve_loads_a_model_from_its_source(text: str, model: str):
    assert model == read(text).value("model")


def test_what_else_a_constructor_is_given_is_kept() -> None:
    found = read(
        "AsyncEngineArgs(model=NAME, max_model_len=8192, trust_remote_code=True, tensor_parallel_size=count())"
    )

    assert ("--model=$NAME", "--trust-remote-code=True", "--tensor-parallel-size=count()") == found.value(
        "other_arguments"
    )
    assert Manifest("call", "AsyncEngineArgs") == found.value("manifest")


def test_a_dictionary_of_settings_is_kept_as_one() -> None:
    assert Manifest("call", "engine_kwargs=dict") == read("engine_kwargs=dict(max_model_len=8192)").value("manifest")


def test_arguments_within_another_are_read() -> None:
    found = read('VLLM(model="acme/m-8b", vllm_kwargs={"max_model_len": 8192, "quantization": "fp8"})')

    assert ("acme/m-8b", 8192, "fp8") == tuple(map(found.value, ("model", "max_model_len", "quantization")))
