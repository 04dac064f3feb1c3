import pytest

from bot.evidence import Failure
from bot.reading.read import read


def _traceback(functions: list[str], error: str, process: str = "EngineCore_DP0") -> str:
    head = f"({process} pid=7) ERROR 05-01 10:00:00 [core.py:1] "
    frames = [f'  File "/x/vllm/v1/f.py", line 9, in {function}\n{head}    go()' for function in functions]
    return "\n".join(head + text for text in ["Traceback (most recent call last):", *frames, error])


def _roots(text: str) -> list[Failure]:
    return [failure for failure in read(text).failures if not failure.is_wrapper]


def test_the_root_stands_before_its_wrappers() -> None:
    text = (
        _traceback(
            ["run_engine_core", "load_model"], "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB."
        )
        + "\nRuntimeError: Engine core initialization failed. See root cause above."
    )

    assert ["torch.OutOfMemoryError"] == [failure.kind for failure in _roots(text)]


@pytest.mark.parametrize(
    ("functions", "stage"),
    [
        (["load_model", "create_weights"], "load"),
        (["determine_available_memory", "profile_run", "_dummy_run"], "profile"),
        (["initialize_from_config", "initialize_kv_cache"], "kv_cache"),
        (["compile_or_warm_up_model", "capture_model", "_dummy_run"], "capture"),
        (["compile_or_warm_up_model", "_dummy_sampler_run"], "warmup"),
        (["run_busy_loop", "execute_model"], "serving"),
        (["main"], None),
    ],
)
def test_frames_tell_the_stage(functions: list[str], stage: str | None) -> None:
    assert stage == _roots(_traceback(functions, "RuntimeError: boom"))[0].stage


def test_tracebacks_of_two_processes_that_interleave_are_kept_apart() -> None:
    first = _traceback(["load_model"], "RuntimeError: one", "Worker_TP0").split("\n")
    second = _traceback(["profile_run"], "RuntimeError: two", "Worker_TP1").split("\n")
    text = "\n".join(line for pair in zip(first, second, strict=True) for line in pair)

    assert [("one", "load", "Worker_TP0"), ("two", "profile", "Worker_TP1")] == [
        (failure.message, failure.stage, failure.process) for failure in _roots(text)
    ]


def test_what_several_ranks_repeat_is_told_once() -> None:
    text = "\n".join(_traceback(["load_model"], "ValueError: same", f"Worker_TP{rank}") for rank in range(4))

    assert 1 == len(_roots(text))


def test_code_that_mentions_an_error_is_none() -> None:
    assert () == read("    raise ValueError(\nexcept ValueError:\nimport errno").failures
