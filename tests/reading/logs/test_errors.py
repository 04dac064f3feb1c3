import pytest

from bot.reading.read import read


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        (
            "ValueError: Total number of attention heads (40) must be divisible by tensor parallel size (6).",
            {"attention_heads": 40, "tensor_parallel": 6},
        ),
        (
            ("ValueError: User-specified max_model_len (65536) is greater than the derived max_model_len (max_position_embeddings=32768 or "
            "model_max_length=None in model's config.json)."),
            {"max_model_len": 65536, "derived_max_model_len": 32768},
        ),
        (
            "RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests. Please try lowering `max_num_seqs`",
            {"dummy_requests": 1024},
        ),
        ("ValueError: World size (4) is larger than the number of available GPUs (2) in this node.", {"gpu_count": 2}),
        ("Worker proc VllmWorker-1 died unexpectedly (exit code: -9), shutting down executor.", {"exit_code": -9}),
        (
            "ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla T4 GPU has compute capability 7.5.",
            {"gpu": "Tesla T4"},
        ),
        ("ValueError: The model's max seq len (8192) is larger than the maximum number of tokens that can be stored in KV cache (2400).",
         {"max_model_len": 8192, "kv_tokens": 2400}),
    ],
)  # fmt: skip
def test_numbers_inside_an_error_are_facts(message: str, facts: dict[str, object]) -> None:
    evidence = read(message)

    assert facts == {name: evidence.value(name) for name in facts}


@pytest.mark.parametrize(
    "message",
    [
        "ValueError: The decoder prompt (length 9000) is longer than the maximum model length of 4096. Make sure that",
        "WARNING 05-01 10:00:00 [scheduler.py:1] Input prompt (9000 tokens) is too long and exceeds limit of 4096",
        "ValueError: Input length (9000) exceeds model's maximum context length (4096).",
        "ValueError: Prompt length of 9000 is longer than the maximum model length of 4096.",
    ],
)
def test_a_refused_request_tells_its_length_and_the_limit(message: str) -> None:
    assert (9000, 4096) == (read(message).value("longest_request"), read(message).value("max_model_len"))


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("out of memory occurred when warming up pooler (task=embed) with 256 dummy requests.", "dummy_requests", 256),
        ("max_num_batched_tokens (8192) exceeds max_num_seqs * max_model_len (4096).", "max_num_batched_tokens", 8192),
        ("max_num_active_seqs (64) cannot be greater than max_num_seqs (32).", "max_num_seqs", 32),
        ("does not have enough slots. Got max_num_batched_tokens=2048 and", "max_num_batched_tokens", 2048),
    ],
)
def test_settings_that_a_sentence_mentions_are_read(text: str, name: str, value: int) -> None:
    assert value == read(f"ValueError: {text}").value(name)
