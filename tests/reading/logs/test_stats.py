from bot.reading.read import read

BUSY = "INFO 05-01 10:00:00 metrics.py:455] Avg prompt throughput: 307.6 tokens/s, Avg generation throughput: 3210.7 tokens/s, Running: 600 reqs, Swapped: 0 reqs, Pending: 4475 reqs, GPU KV cache usage: 59.2%, CPU KV cache usage: 71.0%."
NEW = "INFO 05-01 10:00:10 [loggers.py:1] Engine 000: Avg generation throughput: 12.0 tokens/s, Running: 3 reqs, Waiting: 0 reqs, Preemptions: 7, GPU KV cache usage: 99.1%, Prefix cache hit rate: 1.0%"


def test_pending_requests_of_the_old_engine_wait() -> None:
    evidence = read(BUSY)

    assert (600, 4475, 59.2) == tuple(evidence.value(name) for name in ("running", "waiting", "kv_usage_pct"))


def test_of_several_lines_the_fullest_cache_and_the_longest_queue_count() -> None:
    evidence = read(f"{BUSY}\n{NEW}")

    assert (99.1, 4475, 7, 3) == tuple(
        evidence.value(name) for name in ("kv_usage_pct", "waiting", "preemptions", "running")
    )
