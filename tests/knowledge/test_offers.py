"""Of two fixes that come to the same only one is offered."""

from bot.consult import ask

TOO_LONG = (
    "vllm serve Qwen/Qwen3-8B   # one A10G\nINFO [gpu_worker.py:359] Available KV cache memory: 3.41 GiB\n"
    "ValueError: To serve at least one request with the models's max seq len (40960), (5.62 GiB KV cache is needed,"
    " which is larger than the available KV cache memory (3.41 GiB)."
)


def test_a_shorter_context_is_not_offered_where_fp8_alone_holds_all_of_it():
    assert {"fp8-cache", "fp8-cache-and-shorter-context"} & {
        prescription.fix.id for prescription in ask(TOO_LONG).prescriptions
    } == {"fp8-cache"}
