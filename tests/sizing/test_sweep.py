"""What-if tables."""

from bot.sizing.size import size
from bot.sizing.sweep import sweep


def test_every_combination_has_a_row_in_the_order_given(llama_on_h100):
    rows = list(sweep(llama_on_h100, {"max_model_len": [4096, 8192], "tensor_parallel": [1, 2]}))

    assert [(4096, 1), (4096, 2), (8192, 1), (8192, 2)] == [tuple(row.settings.values()) for row in rows]


def test_a_row_says_what_a_budget_says(llama_on_h100):
    (row,) = sweep(llama_on_h100, {"max_model_len": [16_384]})
    budget = size(llama_on_h100.with_(max_model_len=16_384))

    assert (row.fits, row.kv_available, row.kv_tokens, row.concurrency, row.longest_context) == (
        budget.fits,
        budget.kv_available,
        budget.kv_tokens,
        budget.concurrency,
        budget.longest_context,
    )


def test_what_is_refused_says_why(llama_on_h100):
    (row,) = sweep(llama_on_h100, {"tensor_parallel": [3]})

    assert (False, None) == (row.fits, row.kv_tokens)
    assert "must be divisible" in row.because


def test_what_does_not_start_says_why(llama_on_h100):
    (row,) = sweep(llama_on_h100, {"gpu_memory_utilization": [0.2]})

    assert "No available memory" in row.because


def test_no_field_is_the_deployment_itself(llama_on_h100):
    assert [{}] == [dict(row.settings) for row in sweep(llama_on_h100, {})]


def test_what_starts_and_holds_no_request_does_not_fit(llama_on_h100):
    (row,) = sweep(llama_on_h100.with_(vllm_version="0.20.0"), {"num_gpu_blocks_override": [100]})

    assert (False, "It starts, but holds no request of max_model_len") == (row.fits, row.because)


def test_a_row_names_the_check_that_fails(llama_on_h100):
    (row,) = sweep(llama_on_h100, {"gpu_memory_utilization": [0.2]})

    assert "kv-cache-no-memory" == row.problem
