import pytest

from bot.deployment import Speculation
from bot.reading.logs.engine_config import ARGUMENT_LIST, CUT_LIST
from bot.reading.read import read

CONFIG = (
    "(EngineCore_DP0 pid=7) INFO 05-01 10:00:00 [core.py:76] Initializing a V1 LLM engine (v0.10.2) with config: model='acme/model-7b', "
    "speculative_config=SpeculativeConfig(method='ngram', model=None, num_spec_tokens=3), tokenizer='acme/model-7b', "
    "dtype=torch.bfloat16, max_seq_len=4096, tensor_parallel_size=2, quantization=awq_marlin, enforce_eager=False, kv_cache_dtype=auto, "
    'enable_prefix_caching=True, compilation_config={"level":3,"cudagraph_mode":"FULL_AND_PIECEWISE","max_cudagraph_capture_size":512}'
)


def test_the_engine_line_gives_nearly_all_settings() -> None:
    evidence = read(CONFIG)

    expected = {"model": "acme/model-7b", "dtype": "bfloat16", "max_model_len": 4096, "tensor_parallel": 2, "quantization": "awq_marlin",
                "enforce_eager": False, "prefix_caching": True, "engine": "V1", "cudagraph_mode": "FULL_AND_PIECEWISE",
                "max_cudagraph_capture_size": 512}  # fmt: skip
    assert expected == {name: evidence.value(name) for name in expected}


def test_speculation_is_read_from_inside_the_engine_line() -> None:
    assert Speculation(method="ngram", tokens=3) == read(CONFIG).value("speculation")


def test_arguments_of_the_server_are_settings() -> None:
    evidence = read(
        "INFO 05-01 10:00:00 [utils.py:1] non-default args: {'model_tag': 'acme/m-7b', 'max_model_len': 28000, 'lora_modules': None}"
    )

    assert ("acme/m-7b", 28000) == (evidence.value("model"), evidence.value("max_model_len"))


def test_the_served_model_outranks_an_old_servers_default() -> None:
    line = "INFO 05-01 10:00:00 api_server.py:1] args: Namespace(model_tag='acme/m-7b', model='facebook/opt-125m', max_model_len=None)"

    assert ("acme/m-7b", None) == (read(line).value("model"), read(line).value("max_model_len"))


def test_a_line_that_is_cut_off_gives_no_half_value() -> None:
    assert (
        read(
            "INFO 05-01 10:00:00 [u.py:1] non-default args: {'gpu_memory_utilization': 0.9, 'max_model_len': 13"
        ).value("max_model_len")
        is None
    )


@pytest.mark.parametrize(
    ("line", "tells_all"),
    [
        ("non-default args: {'model_tag': 'acme/m-7b', 'max_model_len': 28000}", True),
        ("non-default args: {}", True),
        ("args: Namespace(host=None, port=8000, gpu_memory_utilization=0.9)", True),
        ("non-default args: {'model_tag': 'acme/m-7b', 'max_mod", False),
        ("args: Namespace(host=None, port=80", False),
        ("Initializing a V1 LLM engine (v0.10.2) with config: model='acme/m-7b', dtype=torch.bfloat16", False),
    ],
)
def test_a_whole_list_of_arguments_is_known_as_one_whatever_it_sets(line: str, tells_all: bool) -> None:
    assert tells_all == (ARGUMENT_LIST in read(f"INFO 05-01 10:00:00 [utils.py:1] {line}\n{CONFIG}").kinds)


@pytest.mark.parametrize(
    ("line", "is_cut"),
    [
        ("non-default args: {'model_tag': 'acme/m-7b', 'max_mod", True),
        ("args: Namespace(host=None, port=80", True),
        ("non-default args: {'model_tag': 'acme/m-7b', 'max_model_len': 28000}", False),
        ("args: Namespace(host=None, port=8000, gpu_memory_utilization=0.9)", False),
        ("the args: what are they?", False),
    ],
)
def test_a_list_that_breaks_off_is_known_as_one(line: str, is_cut: bool) -> None:
    assert is_cut == (CUT_LIST in read(f"INFO 05-01 10:00:00 [utils.py:1] {line}").kinds)
