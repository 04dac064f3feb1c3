import pytest

from bot.evidence import Evidence
from bot.reading.read import read
from bot.units import Bytes


@pytest.mark.parametrize(
    ("line", "weights"),
    [
        ("INFO 05-01 10:00:00 model_runner.py:1067] Loading model weights took 14.9888 GB", 14.9888),
        ("INFO 05-01 10:00:00 [gpu_model_runner.py:1347] Model loading took 14.9889 GB and 3.1 seconds", 14.9889),
        (
            "(EngineCore_DP0 pid=7) INFO 05-01 10:00:00 [gpu_model_runner.py:2392] Model loading took 14.99 GiB memory and 3.1 s",
            14.99,
        ),
        ("DEBUG 05-01 10:00:00 [gpu_worker.py:1] torch peak memory increase: 1.2GiB; weights memory: 14.9GiB.", 14.9),
    ],
)
def test_gb_of_weights_means_gib_in_every_era(line: str, weights: float) -> None:
    assert Bytes.gib(weights) == read(line).value("weights")


def test_a_long_memory_line_gives_all_its_terms() -> None:
    evidence = read(
        "Free memory on device cuda:0 (23.31/23.56 GiB) on startup. Desired GPU memory utilization is (0.9, 21.2 GiB). "
        "Actual usage is 5.5 GiB for weight, 1.25 GiB for peak activation, 0.13 GiB for non-torch memory, and 0.5 GiB for "
        "CUDAGraph memory. Current kv cache memory in use is 13.75 GiB."
    )

    expected = {"free": 23.31, "total": 23.56, "desired": 21.2, "weights": 5.5, "activation": 1.25, "non_torch": 0.13,
                "cudagraph": 0.5, "kv_available": 13.75}  # fmt: skip
    assert {name: Bytes.gib(amount) for name, amount in expected.items()} == {
        name: evidence.value(name) for name in expected
    }


def test_a_snapshot_tells_what_the_card_has_and_not_what_vllm_added() -> None:
    evidence = read(
        "DEBUG 05-01 10:00:00 [gpu_worker.py:284] worker init memory snapshot: torch_peak=0.0GiB, free_memory=22.91GiB, "
        "total_memory=23.52GiB, cuda_memory=0.61GiB, torch_memory=0.0GiB, non_torch_memory=0.61GiB, timestamp=17.2\n"
        "DEBUG 05-01 10:00:20 [gpu_worker.py:435] non-torch forward increase memory: 0.13GiB; weights memory: 7.5GiB."
    )

    expected = {"free": 22.91, "total": 23.52, "non_torch": 0.13, "weights": 7.5}
    assert {name: Bytes.gib(amount) for name, amount in expected.items()} == {
        name: evidence.value(name) for name in expected
    }


def test_of_several_ranks_the_smallest_cache_and_the_largest_weights_bind() -> None:
    evidence = read(
        "(Worker_TP0 pid=1) INFO 05-01 10:00:00 [w.py:1] Model loading took 7.5 GiB and 2 seconds\n"
        "(Worker_TP1 pid=2) INFO 05-01 10:00:00 [w.py:1] Model loading took 7.6 GiB and 2 seconds\n"
        "(Worker_TP0 pid=1) INFO 05-01 10:00:01 [w.py:2] Available KV cache memory: 9.84 GiB\n"
        "(Worker_TP1 pid=2) INFO 05-01 10:00:01 [w.py:2] Available KV cache memory: 9.91 GiB\n"
    )

    assert (Bytes.gib(7.6), Bytes.gib(9.84)) == (evidence.value("weights"), evidence.value("kv_available"))


def test_a_cache_below_zero_is_a_reading() -> None:
    assert Bytes.gib(-2.14) == read("Available KV cache memory: -2.14 GiB").value("kv_available")


def test_seconds_and_checkpoint_sizes_are_no_weights() -> None:
    assert read("Loading weights took 3.04 seconds\nCheckpoint size: 305.79 GiB").value("weights") is None


def test_cpu_blocks_are_no_gpu_blocks() -> None:
    evidence = read("INFO 05-01 10:00:00 executor_base.py:108] # CUDA blocks: 14984, # CPU blocks: 4681")

    assert (14984, 4681) == (evidence.value("gpu_blocks"), evidence.value("cpu_blocks"))


def test_a_sentence_that_a_terminal_wrapped_reads_as_one() -> None:
    wrapped = (
        "ValueError: To serve at least one request with the models's max seq len (131072), (16.00 Gi\n"
        "B KV cache is needed, which is larger than the available KV cache memory (4.1\n"
        "3 GiB). Based on the available memory, the estimated maximum model length is 33824."
    )

    assert (16.0, 4.13, 33824) == _needed(read(wrapped))


def _needed(evidence: Evidence) -> tuple[float, float, int]:
    return (
        round(evidence.value("kv_needed").in_gib, 2),
        round(evidence.value("kv_available").in_gib, 2),
        evidence.value("estimated_max_len"),
    )


@pytest.mark.parametrize(("ranks", "size"), [("rank 3 in world size 4 is assigned as DP rank 0, PP rank 0, TP rank 3", 4),
                                             ("rank 3 in world size 4 is assigned as DP rank 0, PP rank 1, TP rank 1", None),
                                             ("rank 0 in world size 1 is assigned as DP rank 0, PP rank 0, TP rank 0", 1)])  # fmt: skip
def test_the_last_rank_of_a_world_tells_its_size(ranks: str, size: int | None) -> None:
    assert size == read(f"INFO 05-01 10:00:00 [parallel_state.py:1] {ranks}").value("tensor_parallel")


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("INFO 01-02 10:00:00 [x.py:1] frontend multimodal GPU decoding reserves 2.00 GiB (1.00 GiB raw-frame budget), but only 7.50 GiB is available for the KV cache.", "kv_available", Bytes.gib(7.5)),
        ("INFO 01-02 10:00:00 [x.py:1] Applying persisted startup plan (fingerprint ab12): kv_cache_memory_bytes=8053063680 (7.50 GiB), recorded free-memory baseline 9.00 GiB, current 9.50 GiB.", "kv_available", Bytes.gib(7.5)),
        ("INFO 01-02 10:00:00 [x.py:1] Startup plan not applied: current free memory (9.50 GiB) is below the recorded baseline (10.00 GiB)", "free", Bytes.gib(9.5)),
        ("WARNING 01-02 10:00:00 [x.py:1] Free memory grew by 0.5 GiB during profiling (initial 9.5 GiB, current 10 GiB).", "free", Bytes.gib(9.5)),
        ("INFO 01-02 10:00:00 [x.py:1] Weights are held outside this process: of the 70.5 GiB utilization budget, 20 GiB is externally held", "desired", Bytes.gib(70.5)),
        ("INFO 01-02 10:00:00 [x.py:1] Memory profiling results: kv_cache_size=7.50GiB gpu_memory_utilization=0.85", "gpu_memory_utilization", 0.85),
    ],
)  # fmt: skip
def test_figures_of_rarer_lines_are_read(line: str, name: str, value: object) -> None:
    assert value == read(line).value(name)


def test_what_it_says_it_uses_is_a_setting() -> None:
    evidence = read(
        "INFO 07-02 05:53:07 [loader.py:1155] Loading weights with BitsAndBytes quantization. May take a while ...\n"
        "INFO 07-02 05:53:08 [punica_selector.py:18] Using PunicaWrapperGPU.\n"
    )

    assert ("BitsAndBytes", True) == (evidence.value("quantization"), evidence.value("lora"))


@pytest.mark.parametrize(
    ("blocks", "override"),
    [("0", None), ("1800", 512)],  # no block fits yet where the profile of the CUDA graphs sets its own few
)
def test_blocks_of_the_graphs_profile_are_no_setting(blocks: str, override: int | None) -> None:
    line = (
        f"INFO 05-01 10:00:00 [kv_cache_utils.py:1] Overriding num_gpu_blocks={blocks} with num_gpu_blocks_override=512"
    )

    assert override == read(line).value("num_gpu_blocks_override")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Profiling CUDA graph memory: PIECEWISE=51 (largest=512), FULL=35 (largest=256)", (51, 35, 512, 256)),
        ("Profiling CUDA graph memory: PIECEWISE=51 (largest=512)", (51, 0, 512, None)),
        ("Profiling CUDA graph memory: FULL=7 (largest=32)", (0, 7, None, 32)),
        ("Profiling CUDA graph memory: PIECEWISE=5 (largest=16), ENCODER=4 (largest=4096)", (5, 0, 16, None)),
        (
            "Capturing CUDA graphs (mixed prefill-decode, PIECEWISE):   4%|▍  | 3/67 [00:00<00:03, 18.1it/s]",
            (67, None, None, None),
        ),
        ("Capturing CUDA graphs (decode, FULL): 100%|███| 35/35 [00:02<00:00, 15.1it/s]", (None, 35, None, None)),
        ("Capturing CUDA graphs (FULL): 100%|███| 35/35 [00:02<00:00, 15.1it/s]", (None, 35, None, None)),
        ("Capturing CUDA graph shapes: 100%|███| 67/67 [00:19<00:00,  3.4it/s]", (67, None, None, None)),
        ("Capturing eagle CUDA graphs (FULL): 100%|███| 35/35 [00:02<00:00, 15.1it/s]", (None, None, None, None)),
    ],
)
def test_what_is_captured_is_counted(text: str, told: tuple[int | None, ...]) -> None:
    """vLLM 0.9 to 0.33 `v1/worker/gpu_model_runner.py` and `v1/worker/gpu/cudagraph_utils.py`."""
    evidence = read(text)

    assert told == tuple(evidence.value(f"graphs_{name}") for name in ("piecewise", "full", "largest", "decoding"))
