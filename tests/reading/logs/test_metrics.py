from bot.reading.read import read

PAGE = """# TYPE vllm:cache_config_info gauge
vllm:cache_config_info{block_size="16",cache_dtype="fp8",gpu_memory_utilization="0.9",num_gpu_blocks="1234"} 1.0
vllm:num_requests_waiting{model_name="acme/model-7b"} 12.0
vllm:kv_cache_usage_perc{model_name="acme/model-7b"} 0.97
"""


def test_a_metrics_page_carries_the_cache_configuration() -> None:
    evidence = read(PAGE)

    assert (16, "fp8", 0.9, 1234) == tuple(
        evidence.value(name) for name in ("block_size", "kv_cache_dtype", "gpu_memory_utilization", "gpu_blocks")
    )


def test_usage_is_a_share_of_one_and_becomes_percent() -> None:
    evidence = read(PAGE)

    assert (97.0, 12, "acme/model-7b") == tuple(evidence.value(name) for name in ("kv_usage_pct", "waiting", "model"))
