"""What a log says outright of a deployment."""

from __future__ import annotations

import pytest

from bot.diagnosis.identify import Completed, with_catalogue
from bot.reading.read import read

STAMP = "INFO 03-03 16:30:11 "
LOADED = STAMP + "[gpu_model_runner.py:2653] Model loading took {} GiB and 9.1 seconds"
LEFT = STAMP + "[gpu_worker.py:298] Available KV cache memory: {} GiB"
COUNTED = STAMP + "[kv_cache_utils.py:1091] Maximum concurrency for {} tokens per request: 2.00x"


def found_in(*lines: str) -> Completed:
    return with_catalogue(read("\n".join(lines)))


def decided(*lines: str) -> dict[str, str]:
    return {each.name: each.value for each in found_in(*lines).worked_out}


def test_an_engine_that_loads_the_model_itself_has_one_gpu_however_many_there_are():
    found = found_in("Qwen/Qwen3-8B on 4x L40S", f"(EngineCore_DP0 pid=7) {LOADED.format(15.27)}")

    assert 1 == found.deployment.tensor_parallel
    assert "One process does all the work (line 2): tensor parallel size 1, not 4." == found.unknown["text"]


def test_all_ranks_tell_the_size():
    workers = [f"(Worker_TP{rank} pid=7) {LEFT.format(3.1)}" for rank in (0, 1)]

    assert {"tensor_parallel": "2"} == decided("Qwen/Qwen3-8B on 4x L40S", *workers)
    assert {} == decided("Qwen/Qwen3-8B on 4x L40S, tp=4", *workers)


@pytest.mark.parametrize("words", ["2 nodes, 8x L40S", "one L40S"])
def test_names_of_one_node_or_of_more_gpus_than_there_are_tell_no_size(words: str):
    workers = [f"(Worker_TP{rank} pid=7) {LEFT.format(3.1)}" for rank in (0, 1)]

    assert {} == decided(f"Qwen/Qwen3-8B on {words}", *workers)


def test_names_of_more_ranks_than_a_model_can_be_split_into_tell_no_size():
    workers = [f"(Worker_TP{rank} pid=7) {LEFT.format(3.1)}" for rank in (0, 1, 2)]

    assert {} == decided("Qwen/Qwen3-8B on 4x L40S, eager mode", *workers)


def test_stages_and_ranks_of_experts_are_told_by_names():
    worker = f"(Worker_PP{{}}_TP0_EP0 pid=7) {LEFT.format(3.1)}"

    assert {"pipeline_parallel": "2", "expert_parallel": "True"} == decided(
        "Qwen/Qwen3-30B-A3B on 4x L40S", worker.format(0), worker.format(1)
    )


def test_the_longest_context_is_what_requests_are_counted_with():
    assert {"max_model_len": "16000"} == decided("Qwen/Qwen3-8B", COUNTED.format("16,000"))
    assert {} == decided("Qwen/Qwen3-8B", COUNTED.format("40,960"))
    assert {} == decided("Qwen/Qwen3-8B with 8k context", COUNTED.format("16,000"))
    assert {} == decided("Qwen/Qwen3-8B --max-model-len auto", COUNTED.format("16,000"))


def test_a_rank_alone_tells_the_size_where_one_is_left():
    assert {"tensor_parallel": "2"} == decided(
        "vllm serve Qwen/Qwen3-8B", "on 2x L40S", f"(Worker_TP0 pid=7) {LEFT.format(3.1)}"
    )


def test_a_rank_alone_leaves_several_sizes():
    worker = f"(Worker_TP0 pid=7) {LEFT.format(3.1)}"

    assert {} == decided("vllm serve Qwen/Qwen3-8B", "on 8x L40S", worker)
    assert {} == decided("vllm serve Qwen/Qwen3-8B", worker)
