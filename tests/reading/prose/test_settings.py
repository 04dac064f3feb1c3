import pytest

from bot.reading.prose.settings import find_settings, find_version, read_length


@pytest.mark.parametrize(
    ("raw", "tokens"),
    [("32k", 32768), ("128K", 131072), ("100k", 100_000), ("1M", 1_048_576), ("8,192", 8192), ("12", None)],
)
def test_a_length_means_what_people_mean(raw: str, tokens: int | None) -> None:
    assert tokens == read_length(raw)


@pytest.mark.parametrize(
    ("sentence", "settings"),
    [
        ("max context 16k", {"max_model_len": 16384}),
        ("max-model-len=8192", {"max_model_len": 8192}),
        ("gpu_mmeory_utilization=0.8", {"gpu_memory_utilization": 0.8}),
        ("--tesnor-parallel-size 2", {"tensor_parallel": 2}),
        ("max-batch-size 8", {}),
        ("gpu memory utilization 90 %", {"gpu_memory_utilization": 0.9}),
        ("utilization is 0.85", {"gpu_memory_utilization": 0.85}),
        ("each with 0.5 of gpu-memory-utilization", {"gpu_memory_utilization": 0.5}),
        ("at 90% GPU memory utilization", {"gpu_memory_utilization": 0.9}),
        ("in 0.9 gpu memory utilization is reported", {}),
        ("GPU util at 100%", {}),
        ("KV cache utilization 0.97", {}),
        ("pp 2 and dp=4", {"pipeline_parallel": 2, "data_parallel": 4}),
        ("8 cards, Worker_TP0..TP7", {"tensor_parallel": 8}),
        ("workers PP0 to PP1 and TP0-TP3", {"pipeline_parallel": 2, "tensor_parallel": 4}),
        ("TP0 and TP3 died, with dp=2", {"data_parallel": 2}),
        ("TP7 of Worker_TP0..TP70", {}),
        ("fp8 kv", {"kv_cache_dtype": "fp8"}),
        ("1,000 concurrent requests", {"wanted_concurrency": 1000}),
        ("8,192 context", {"max_model_len": 8192}),
        ("131,072 tokens of context", {"max_model_len": 131_072}),
        (
            "with the FlashInfer sampler on",
            {"flashinfer_sampler": True, "environment": (("VLLM_USE_FLASHINFER_SAMPLER", "1"),)},
        ),
        (
            "without FlashInfer sampling",
            {"flashinfer_sampler": False, "environment": (("VLLM_USE_FLASHINFER_SAMPLER", "0"),)},
        ),
        ("flashinfer attention", {"attention_backend": "FLASHINFER"}),
        ("with FlashAttention as the attention backend", {"attention_backend": "FLASH_ATTN"}),
        ("flash-attn 2.8.0 and flashinfer are installed", {}),
        ("in eager mode", {"enforce_eager": True}),
        ("is eager mode slower, and not in eager mode", {}),
        ("without CUDA graphs", {"enforce_eager": True}),
        ("I changed --kv-cache-dtype to something", {}),
        ("nothing else is running on it, while idle", {"dedicated_gpu": True, "traffic": "none"}),
        ("under heavy load, concurrency of 32", {"traffic": "heavy", "wanted_concurrency": 32}),
    ],
)
def test_settings_are_said_in_many_ways(sentence: str, settings: dict[str, object]) -> None:
    assert settings == dict(find_settings(sentence))


@pytest.mark.parametrize("answer", ["0.11.0", "it is 0.11.0 and the util is 0.95", "it's 0.11.0.", "we are on 0.11.0"])
def test_an_answer_that_begins_with_a_version_means_ours(answer: str) -> None:
    assert "0.11.0" == str(find_version(f"It does not start.\n\n{answer}"))


@pytest.mark.parametrize("said", ["flashinfer is 0.2.8", "0.95", "it is 0.11.0x", "took 0.12.5"])
def test_another_number_is_no_version(said: str) -> None:
    assert find_version(said) is None
