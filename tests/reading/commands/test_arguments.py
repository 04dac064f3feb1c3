import pytest

from bot.reading.commands.arguments import is_told, misspelt, read_argument
from bot.units import Bytes


@pytest.mark.parametrize(
    ("name", "raw", "facts"),
    [
        ("--max-model-len", "32k", {"max_model_len": 32000}),
        ("--max-model-len", "32K", {"max_model_len": 32768}),
        ("--max_model_len", "auto", {"auto_max_model_len": True}),
        ("-tp", "4", {"tensor_parallel": 4}),
        ("--gpu-memory-utilization", ".95", {"gpu_memory_utilization": 0.95}),
        ("--gpu-memory-utilization", "95", {"gpu_memory_utilization": 0.95}),
        ("--kv-cache-memory-bytes", "10G", {"kv_cache_memory": Bytes.gib(10)}),
        ("--no-enable-prefix-caching", "", {"prefix_caching": False}),
        ("--enable-chunked-prefill", "False", {"chunked_prefill": False}),
        ("--disable-hybrid-kv-cache-manager", "", {"hybrid_kv_cache": False}),
        ("--limit-mm-per-prompt", "image=2,video=1", {"multimodal_limits": {"image": 2, "video": 1}}),
        ("--limit-mm-per-prompt", '{"image": {"count": 3}}', {"multimodal_limits": {"image": 3}}),
        ("dtype", "torch.bfloat16", {"dtype": "bfloat16"}),
        ("--compilation-config", '{"cudagraph_mode": "NONE"}', {"cudagraph_mode": "NONE"}),
        ("VLLM_USE_V1", "0", {"engine": "V0"}),
        ("--quantization", "None", {}),
        ("--tensor-parallel-size", "two", {}),
        ("--max-model-len", "$LEN", {}),
        ("--unheard-of", "1", {}),
    ],
)
def test_an_argument_sets_its_fact_however_it_is_written(name: str, raw: str, facts: dict[str, object]) -> None:
    assert facts == read_argument(name, raw)


@pytest.mark.parametrize("flag", ["--performance-mode", "--mm-encoder-tp-mode"])
def test_a_word_that_a_fact_does_not_take_is_none(flag):
    assert {} == read_argument(flag, "foo")


def test_a_word_that_a_fact_takes_is_read():
    assert {"performance_mode": "throughput"} == read_argument("--performance-mode", "throughput")


@pytest.mark.parametrize(
    ("name", "value", "facts"),
    [
        ("-O0", "", {"optimization_level": 0}),
        ("-O", "0", {"optimization_level": 0}),
        ("-O=1", "", {"optimization_level": 1}),
        ("-O3", "", {"optimization_level": 3}),
        ("--optimization-level", "2", {"optimization_level": 2}),
        ("optimization_level", "<OptimizationLevel.O2: 2>", {"optimization_level": 2}),
        ("-O", "4", {}),
        ("--compilation-config", "2", {"optimization_level": 2}),
        ("-cc.cudagraph_mode", "FULL", {"cudagraph_mode": "FULL"}),
        ("-cc.mode", "0", {"compilation_mode": 0}),
        ("-O.mode", "VLLM_COMPILE", {"compilation_mode": 3}),
        ("--compilation-config.level", "3", {"compilation_mode": 3}),
        ("--compilation-config", '{"mode": 0}', {"compilation_mode": 0}),
        (
            "--compilation-config",
            '{"level": 0, "cudagraph_mode": "FULL"}',
            {"compilation_mode": 0, "cudagraph_mode": "FULL"},
        ),
        ("-O", '{"mode": "STOCK_TORCH_COMPILE"}', {"compilation_mode": 1}),
        (
            "compilation_config",
            "{'mode': <CompilationMode.NONE: 0>, 'passes': [1, {'mode': 2}]}",
            {"compilation_mode": 0},
        ),
        ("compilation_config", "CompilationConfig(level=CompilationLevel.PIECEWISE)", {"compilation_mode": 3}),
        ("compilation_config", "dict(cudagraph_mode=CUDAGraphMode.NONE)", {"cudagraph_mode": "NONE"}),
        ("--compilation-config", '{"use_cudagraph": false}', {"cudagraph_mode": "NONE"}),
        ("--compilation-config", '{"use_cudagraph": true}', {}),
        ("--compilation-config", '{"full_cuda_graph": true}', {"cudagraph_mode": "FULL"}),
        ("--compilation-config", '{"cudagraph_capture_sizes": [1, 2, 4]}', {"cudagraph_capture_sizes": (1, 2, 4)}),
        ("-cc.cudagraph_capture_sizes", "[1, 2]", {"cudagraph_capture_sizes": (1, 2)}),
        ("--cudagraph-capture-sizes", "1 2 4", {"cudagraph_capture_sizes": (1, 2, 4)}),
        ("--cudagraph-capture-sizes", "512", {"cudagraph_capture_sizes": (512,)}),
        ("--cuda-graph-sizes", "1 2 4", {"cudagraph_capture_sizes": (1, 2, 4)}),
        ("--cuda-graph-sizes", "64", {"max_cudagraph_capture_size": 64}),
        ("--attention-config", '{"backend": "FLASHINFER"}', {"attention_backend": "FLASHINFER"}),
        ("VLLM_USE_FLASHINFER_SAMPLER", "0", {"flashinfer_sampler": False}),
    ],
)
def test_what_compiles_and_attends_is_read_however_it_is_said(name: str, value: str, facts: dict[str, object]):
    assert facts == read_argument(name, value)


def test_an_argument_that_holds_more_than_its_facts_is_not_told_by_them():
    said = ('{"level": 3}', '{"cudagraph_mode": "NONE"}', '{"mode": 0}', "1", '{"level": 3, "use_inductor": false}')

    assert [True, True, True, True, False] == [is_told("--compilation-config", value) for value in said]


def test_a_setting_within_another_is_not_misspelt():
    assert None is misspelt("--attention-config.backend")
