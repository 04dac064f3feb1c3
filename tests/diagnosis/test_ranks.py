"""What the names of processes tell of the parallel layout."""

from __future__ import annotations

import pytest

from bot.diagnosis.ranks import Ranks, ranks_in
from bot.reading.read import read

LOADED = "INFO 03-03 16:30:11 [gpu_model_runner.py:2653] Model loading took 7.62 GiB and 9.1 seconds"


def found_in(*processes: str, line: str = LOADED) -> dict[str, tuple[int, int | None]]:
    text = "\n".join(f"({name} pid=7) {line}" for name in processes)
    return {fact: (ranks.least, ranks.size) for fact, ranks in ranks_in(read(text).lines).items()}


ONE = (1, 1)


@pytest.mark.parametrize(
    ("processes", "ranks"),
    [
        (["Worker_TP0"], {"tensor_parallel": (2, None), "pipeline_parallel": ONE}),
        (["Worker_TP3"], {"tensor_parallel": (4, None), "pipeline_parallel": ONE}),
        (["Worker_TP1", "Worker_TP0"], {"tensor_parallel": (2, 2), "pipeline_parallel": ONE}),
        (["Worker_PP0_TP1", "Worker_PP1_TP0"], {"tensor_parallel": (2, 2), "pipeline_parallel": (2, 2)}),
        (["Worker_PP1"], {"tensor_parallel": ONE, "pipeline_parallel": (2, None)}),
        (
            ["Worker_TP7_EP7"],
            {"tensor_parallel": (8, None), "pipeline_parallel": ONE, "expert_parallel": ONE},
        ),
        (["Worker_DP0_TP0_DCP1", "Worker_DP1_TP0_DCP0"], {"tensor_parallel": (2, None), "pipeline_parallel": ONE, "data_parallel": (2, 2)}),
        (["VllmWorker TP1", "VllmWorker TP0"], {"tensor_parallel": (2, 2), "pipeline_parallel": ONE}),
        (["EngineCore_DP0"], {"tensor_parallel": ONE, "pipeline_parallel": ONE}),
        (["EngineCore", "Worker_TP1"], {"tensor_parallel": (2, None), "pipeline_parallel": ONE}),
    ],
)  # fmt: skip
def test_a_name_has_an_axis_of_the_layout_where_it_is_longer_than_one(processes: list[str], ranks: dict[str, tuple]):
    assert ranks == found_in(*processes)


@pytest.mark.parametrize("process", ["VllmWorker rank=3", "RayWorkerWrapper", "APIServer", "Worker"])
def test_other_names_tell_nothing(process: str):
    assert {} == found_in(process)


def test_what_an_engine_says_of_itself_tells_nothing_of_workers():
    assert {} == found_in(
        "EngineCore_DP0", line="INFO 03-03 16:30:22 [kv_cache_utils.py:1087] GPU KV cache size: 6 tokens"
    )


def test_the_line_is_where_the_last_rank_speaks_first():
    text = "\n".join(f"(Worker_TP{rank} pid=7) {LOADED}" for rank in (0, 1, 1))

    assert Ranks(2, 2, 2) == ranks_in(read(text).lines)["tensor_parallel"]


def test_of_several_starts_the_last_counts():
    start = "INFO 03-03 16:30:01 [core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: dtype=torch.bfloat16"
    first, last = (f"(EngineCore_DP0 pid=5) {start}\n(Worker_TP{rank} pid=7) {LOADED}\n" for rank in (7, 1))

    assert 2 == ranks_in(read(first + last).lines)["tensor_parallel"].least
