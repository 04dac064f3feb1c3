import pytest

from bot.reading.read import read


def bounds(*lines):
    evidence = read("\n".join(lines))
    return tuple(str(evidence.value(f"version_{end}")) for end in ("since", "until"))


LOADED = "INFO 05-13 10:00:00 [gpu_model_runner.py:{}] Model loading took 14.2717 GiB and 3.112345 seconds"
POOL = "INFO 05-13 10:00:09 [gpu_worker.py:{}] Available KV cache memory: 4.12 GiB"
SIZE = "INFO 05-13 10:00:09 [kv_cache_utils.py:{}] GPU KV cache size: 33,744 tokens"


def test_one_statement_tells_the_release():
    assert ("0.11.0", "0.11.0") == bounds(LOADED.format(2653))


def test_several_statements_close_in_on_it():
    assert ("0.10.2", "0.11.0") == bounds(POOL.format(298))
    assert ("0.10.2", "0.10.2") == bounds(POOL.format(298), SIZE.format(864))


def test_each_line_of_a_traceback_stands_where_it_was_logged():
    assert ("0.8.5", "0.8.5.post1") == bounds(
        "ERROR 05-13 10:00:00 [core.py:396] ValueError: To serve at least one request with the models's max seq len "
        "(32768), (4.00 GiB KV cache is needed, which is larger than the available KV cache memory (2.00 GiB)."
    )


def test_what_else_a_file_logs_from_there_tells_nothing():
    assert ("0.8.0", "None") == bounds("INFO 05-13 10:00:00 [core.py:396] Something that no release says")


@pytest.mark.parametrize(
    "lines",
    [
        (LOADED.format(7), POOL.format(298)),
        (LOADED.format(2653), POOL.format(7)),
        (LOADED.format(2653), POOL.format(298), SIZE.format(7)),
    ],
)
def test_a_build_that_moved_a_third_of_its_statements_is_no_release(lines):
    assert ("0.9.1", "0.27.1") == bounds(*lines)


def test_statements_of_no_common_release_tell_nothing():
    assert ("0.9.1", "0.27.1") == bounds(LOADED.format(2653), POOL.format(692))


def test_a_wording_outranks_a_place():
    worded = "INFO 05-13 10:00:00 [gpu_model_runner.py:2653] Model loading took 14.2717 GB and 3.112345 seconds"

    assert ("0.8.0", "0.8.2") == bounds(worded)
