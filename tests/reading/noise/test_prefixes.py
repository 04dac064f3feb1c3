import pytest

from bot.reading.noise.clean import clean
from bot.reading.noise.prefixes import take_off_outer, take_off_vllm

BODY = "(Worker_TP1 pid=7) ERROR 05-01 10:00:00 [core.py:9] boom"


@pytest.mark.parametrize(
    "line",
    [
        BODY,
        f"vllm-1  | {BODY}",
        f"[pod/vllm-0/server] {BODY}",
        f"[decode-0] {BODY}",
        f"prefill: {BODY}",
        f"2026-05-01T10:00:00.123456789Z stderr F {BODY}",
        f"2026-05-01 10:00:00,123 - {BODY}",
        f"May 01 10:00:00 node7 vllm[12]: {BODY}",
        f"[rank1]: {BODY}",
        f"2026-05-01 10:00:00.982 [Error] (Process) {BODY}",
        f"│ {BODY}        │",
        '{"log":"' + BODY + '\\n","stream":"stderr","time":"2026-05-01T10:00:00Z"}',
    ],
)
def test_what_collectors_put_before_a_line_comes_off(line: str) -> None:
    (read,) = clean(line)

    assert ("boom", "Worker_TP1", "ERROR") == (read.message, read.process, read.level)


@pytest.mark.parametrize(
    ("line", "process"),
    [
        ("INFO 05-01 10:00:00 worker.py:241] boom", None),
        ("INFO 05-01 10:00:00 [gpu_worker.py:298] boom", None),
        ("(VllmWorkerProcess pid=9) INFO 05-01 10:00:00 worker.py:1] boom", "VllmWorkerProcess"),
        ("(VllmWorker rank=1 pid=9) INFO 05-01 10:00:00 [w.py:1] boom", "VllmWorker rank=1"),
        ("(VllmWorker TP1 pid=9) INFO 05-01 10:00:00 [w.py:1] boom", "VllmWorker TP1"),
        ("(EngineCore_DP0 pid=9) INFO 05-01 10:00:00 [v1/worker/w.py:1] boom", "EngineCore_DP0"),
        ("[Worker_TP1 pid=9] DEBUG 05-01 10:00:00 [w.py:1] boom", "Worker_TP1"),
        ("(APIServer pid=1) (EngineCore_DP0 pid=9) INFO 05-01 10:00:00 [w.py:1] boom", "EngineCore_DP0"),
        (
            "(MapWorker(MapBatches(Actor)) pid=8, ip=<ip>) (EngineCore pid=9) INFO 05-01 10:00:00 [w.py:1] boom",
            "EngineCore",
        ),
        ("(Worker pid=1) [Stage-0] ERROR 05-01 10:00:00 [w.py:1] boom", "Worker"),
        ("INFO 05-01 10:00:00 [w.py:1](http://w.py:1/)] boom", None),
        ("gpu_worker.py:637     boom", None),
    ],
)
def test_every_eras_log_prefix_ends_where_the_message_begins(line: str, process: str | None) -> None:
    (read,) = clean(line)

    assert ("boom", process) == (read.message, read.process)


@pytest.mark.parametrize(
    "line", ["| 0  NVIDIA L4 | 5MiB |", "Error: boom", "(see below)", "plain words", "0  NVIDIA A10G | 1 |"]
)
def test_a_line_without_prefix_stays_whole(line: str) -> None:
    (read,) = clean(line)

    assert line.removeprefix("Error: ") in read.text


def test_a_process_inside_others_is_the_innermost() -> None:
    text = "(ServeReplica:my-app:LLMServer:m-4-5 pid=1) (EngineCore pid=2) (RayWorkerProc pid=3) (Worker_TP0 pid=4) INFO 08-19 18:00:26 [gpu_worker.py:857] x"
    start, process, level = take_off_vllm(text)

    assert ("x", "Worker_TP0", "INFO") == (text[start:], process, level)


def test_a_process_whose_bracket_was_torn_off_is_one() -> None:
    text = "VllmWorkerProcess pid=214) ERROR 09-27 05:20:38 multiproc_worker_utils.py:233] boom"

    assert ("VllmWorkerProcess", "ERROR") == take_off_vllm(text)[1:]


def test_what_pytorch_logs_itself_has_a_level() -> None:
    text = "[E1010 10:00:00.123456789 ProcessGroupNCCL.cpp:616] [Rank 1] Watchdog caught collective operation timeout"

    assert "ERROR" == take_off_vllm(text)[2]


@pytest.mark.parametrize("prefix", ["2026-01-02T03:04:05.678Z", "[pod/vllm-0/vllm]", "[2026-01-02 03:04:05]"])
def test_a_prefix_before_nothing_leaves_nothing(prefix):
    assert "" == take_off_outer(prefix)


def test_the_label_of_a_task_comes_off() -> None:
    assert "INFO 05-01 10:00:00 [core.py:9] boom" == take_off_outer("12: INFO 05-01 10:00:00 [core.py:9] boom")
