import pytest

from bot.reading.commands.arguments import read_argument
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
