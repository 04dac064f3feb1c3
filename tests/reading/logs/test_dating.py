import pytest
from packaging.version import Version

from bot.reading.read import read

PREFIX = "(EngineCore_DP0 pid=7) "  # without a date, which would tell of itself


def bounds(*messages, prefix=PREFIX):
    evidence = read("\n".join(prefix + message for message in messages))
    return evidence.value("version_since"), evidence.value("version_until")


@pytest.mark.parametrize(
    ("message", "since", "until"),
    [
        ("GPU KV cache size: 60,768 tokens, Maximum concurrency for 16,384 tokens per request: 3.71x", "0.28.0", None),
        ("GPU KV cache size: 60,768 tokens", "0.8.0", "0.27.1"),
        ("Maximum concurrency for 16,384 tokens per request: 3.71x", "0.6.3.post1", "0.27.1"),
        ("Model loading took 14.9889 GB and 3.112345 seconds", "0.8.0", "0.8.2"),
        ("# GPU blocks: 27895, # CPU blocks: 4681", None, "0.10.2"),
        ("rank 0 in world size 1 is assigned as DP rank 0, PP rank 0, TP rank 0, EP rank 0", "0.9.0", "0.11.2"),
        (
            "ValueError: The model's max seq len (8192) is larger than the maximum number of tokens that can be stored in KV cache (5152). Try increasing `gpu_memory_utilization` or decreasing `max_model_len`.",
            "0.4.2",
            "0.10.2",
        ),
        ("Based on the available memory, the estimated maximum model length is 5152.", "0.8.4", None),
        ("init engine (profile, create kv cache, warmup model) took 44.10 s (compilation: 20.11 s)", "0.20.0", None),
    ],
)
def test_a_wording_dates_the_log(message, since, until):
    assert (since and Version(since), until and Version(until)) == bounds(message)


@pytest.mark.parametrize(
    ("line", "since", "until"),
    [
        ("INFO 02-11 17:01:40 llm_engine.py:161] Initializing it", None, "0.7.3"),
        ("WARNING 02-11 17:01:40 config.py:1] Casting it", None, "0.7.3"),
        ("INFO 02-11 17:01:40 [llm_engine.py:161] Initializing it", "0.8.0", None),
        ("(EngineCore pid=7) INFO 02-11 17:01:40.123 [v1/engine/core.py:161] Initializing it", "0.8.0", None),
        ("vllm-1  | INFO 02-11 17:01:40 llm_engine.py:161] Initializing it", None, "0.7.3"),
        ("INFO:root:llm_engine.py:161] Initializing it", None, None),
        ("2026-02-11 17:01:40 server.py:161] ready", None, None),
    ],
)
def test_the_prefix_dates_a_log_whose_messages_do_not(line, since, until):
    assert (since and Version(since), until and Version(until)) == bounds(line, prefix="")


def test_prefixes_of_two_logs_date_nothing():
    lines = ("INFO 02-11 17:01:40 llm_engine.py:161] one", "INFO 02-11 17:01:40 [core.py:161] two")

    assert (None, None) == bounds(*lines, prefix="")


@pytest.mark.parametrize(
    ("message", "engine"),
    [
        ("# GPU blocks: 27895, # CPU blocks: 4681", "V0"),
        ("RuntimeError: Engine process failed to start. See stack trace for the root cause.", "V0"),
        ("GPU KV cache size: 60,768 tokens", None),
    ],
)
def test_what_one_engine_alone_prints_tells_the_engine(message, engine):
    assert engine == read(PREFIX + message).value("engine")


def test_several_wordings_close_in_on_the_version():
    loaded = "Model loading took 14.29 GiB memory and 3.112345 seconds"

    assert (Version("0.18.0"), Version("0.27.1")) == bounds(
        loaded, "GPU KV cache size: 9,328 tokens", "Estimated CUDA graph memory: 0.41 GiB total"
    )


def test_a_line_that_somebody_cut_short_dates_nothing():
    assert (None, None) == bounds("GPU KV cache size: 60,768 tokens", prefix="")


def test_lines_of_several_versions_date_nothing():
    assert (None, None) == bounds(
        "# GPU blocks: 27895, # CPU blocks: 4681", "Estimated CUDA graph memory: 0.41 GiB total"
    )


def test_the_longer_of_two_wordings_is_not_taken_for_the_shorter():
    assert (Version("0.6.4"), None) == bounds("Graph capturing finished in 21 secs, took 0.57 GiB")


@pytest.mark.parametrize(
    ("tokens", "concurrency", "is_old"),
    [("1,222,320", "321.64", True), ("105,072", "3.21", False), ("60,768", "0.01", False)],
)
def test_tokens_that_are_not_the_concurrency_times_the_length_are_of_groups(tokens, concurrency, is_old):
    said = (f"KV cache size: {tokens} tokens", f"Maximum concurrency for 32,768 tokens per request: {concurrency}x")

    assert (Version("0.20.0") if is_old else None) == bounds(*said, prefix="")[1]
