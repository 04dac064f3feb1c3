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


def test_the_ranks_of_all_stages_are_no_tensor_parallel_size():
    found = ask(
        "vllm serve Qwen/Qwen3-8B -tp 2 -pp 8  # 4x L4\n"
        "ValueError: World size (16) is larger than the number of available GPUs (4) in this node."
    )
    commands = [item.command for item in found.prescriptions if item.command]

    assert () == found.contradictions
    assert "vllm serve Qwen/Qwen3-8B -tp 2 --pipeline-parallel-size 2" == commands[0]
