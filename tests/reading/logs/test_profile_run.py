import pytest

from bot.reading.read import read


def log(loaded: str, *results: tuple[str, str]) -> str:
    told = "".join(f"(EngineCore pid=7) INFO {when} [w.py:1] {said}\n" for when, said in results)
    return f"(EngineCore pid=7) INFO {loaded} [m.py:1] Model loading took 15.27 GiB memory and 9.1 seconds\n{told}"


KV, GRAPHS = "Available KV cache memory: 11.5 GiB", "Profiling CUDA graph memory: PIECEWISE=51 (largest=512)"


@pytest.mark.parametrize(
    ("until", "cache"),
    [("05-01 10:00:12", None), ("05-01 10:01:28", None), ("05-01 10:01:30", "cold"), ("05-01 10:09:00", "cold")],
)
def test_so_long_a_time_until_the_result_means_that_graphs_were_compiled(until, cache):
    assert cache == read(log("05-01 10:00:00", (until, KV))).value("compile_cache")


def test_the_profile_of_the_graphs_is_not_waited_for():
    told = log("05-01 10:00:00", ("05-01 10:00:09", GRAPHS), ("05-01 10:02:00", KV))

    assert read(told).value("compile_cache") is None


def test_a_line_that_speaks_of_compiling_counts_before_the_clock():
    said = ("05-01 10:00:09", "Directly load AOT compilation from path /root/.cache/vllm/a")

    assert "warm" == read(log("05-01 10:00:00", said, ("05-01 10:03:00", KV))).value("compile_cache")


def test_a_night_between_two_lines_is_counted_and_a_new_year_is_not():
    over_midnight = log("05-01 23:59:55", ("05-02 00:01:30", KV))
    over_new_year = log("12-31 23:59:55", ("01-01 00:00:02", KV))

    assert ("cold", None) == tuple(read(text).value("compile_cache") for text in (over_midnight, over_new_year))


def test_a_clock_that_cannot_be_tells_nothing():
    assert read(log("05-01 10:00:00", ("13-77 99:00:00", KV))).value("compile_cache") is None
