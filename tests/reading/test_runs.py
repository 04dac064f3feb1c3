import pytest

from bot.reading.read import read
from bot.units import Bytes

CONFIG = "(EngineCore_DP{rank} pid={pid}) INFO 05-01 10:00:00 [core.py:70] Initializing a V1 LLM engine (v0.11.0) with config: model='acme/m-8b', tensor_parallel_size={tp}, seed=0"
FIGURES = "(EngineCore_DP{rank} pid={pid}) INFO 05-01 10:00:40 [gpu_worker.py:298] Available KV cache memory: {kv} GiB"


def a_start(kv: float, *, rank: int = 0, pid: int = 7, tp: int = 1) -> list[str]:
    return [CONFIG.format(rank=rank, pid=pid, tp=tp), FIGURES.format(rank=rank, pid=pid, kv=kv)]


def test_of_two_starts_the_last_ones_figures_count() -> None:
    found = read("\n".join([*a_start(3.5, tp=1), *a_start(9.5, pid=8, tp=2)]))

    assert (Bytes.gib(9.5), 2) == (found.value("kv_available"), found.value("tensor_parallel"))


def test_of_the_ranks_of_one_start_the_smallest_counts() -> None:
    found = read("\n".join([*a_start(9.5, rank=0), *a_start(3.5, rank=1), *a_start(8.5, rank=2)]))

    assert Bytes.gib(3.5) == found.value("kv_available")


def test_a_start_that_printed_no_figure_yet_hides_none() -> None:
    found = read("\n".join([*a_start(3.5), a_start(9.5, pid=8)[0]]))

    assert Bytes.gib(3.5) == found.value("kv_available")


def test_what_an_earlier_start_printed_alone_is_not_carried_over() -> None:
    weights = "INFO 05-01 10:00:20 [gpu_model_runner.py:1] Model loading took 14.99 GiB and 3.1 seconds"
    found = read("\n".join([a_start(3.5)[0], weights, *a_start(3.5)[1:], *a_start(9.5, pid=8)]))

    assert None is found.value("weights")


def test_what_a_start_says_before_its_name_is_its_own() -> None:
    early = "INFO 05-01 10:00:00 [config.py:1] Chunked prefill is enabled with max_num_batched_tokens=4096."
    found = read("\n".join([*a_start(3.5), early, *a_start(9.5, pid=8)]))

    assert 4096 == found.value("max_num_batched_tokens")


@pytest.mark.parametrize("begins", ["INFO 05-01 [utils.py:253] vLLM API server version 0.11.0", "█ version 0.25.0"])
def test_a_server_begins_with_its_version_too(begins: str) -> None:
    figure = "INFO 05-01 10:00:40 [gpu_worker.py:298] Available KV cache memory: {kv} GiB"
    found = read("\n".join([begins, figure.format(kv=3.5), begins, figure.format(kv=9.5)]))

    assert Bytes.gib(9.5) == found.value("kv_available")
