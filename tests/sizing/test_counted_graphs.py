"""Whether an estimate of the CUDA graphs is taken off the KV cache."""

import pytest

from bot.deployment import Deployment
from bot.sizing.counted_graphs import ESTIMATE_FLAG, graphs_may_be_counted
from bot.sizing.runners import FLAG
from bot.units import Bytes

NEW_RUNNER, ASKED_FOR, REFUSED = ((FLAG, "1"),), ((ESTIMATE_FLAG, "1"),), ((ESTIMATE_FLAG, "0"),)


def counted(version: str, **facts: object) -> bool | None:
    return graphs_may_be_counted(Deployment(vllm_version=version, **facts))


@pytest.mark.parametrize(
    ("version", "expected"),
    [("0.19.1", False), ("0.20.0", True), ("0.24.0", True), ("0.25.0", False), ("0.28.0", False), ("0.29.0", True)],
)
def test_model_runner_v2_counts_none_before_0_29(llama_8b, version, expected):
    assert expected is counted(version, shape=llama_8b)


def test_experts_stay_with_the_runner_that_counts(deepseek_v3):
    assert counted("0.25.0", shape=deepseek_v3)


@pytest.mark.parametrize(
    ("version", "expected"), [("0.19.1", False), ("0.21.0", True), ("0.22.0", None), ("0.28.0", None), ("0.29.0", True)]
)
def test_without_a_model_it_is_open_where_the_model_decides_on_the_runner(version, expected):
    assert expected is counted(version)


def test_the_environment_names_the_runner_where_the_model_would():
    assert counted("0.25.0", environment=NEW_RUNNER) is False


@pytest.mark.parametrize(
    ("version", "flag", "expected"),
    [("0.17.0", ASKED_FOR, False), ("0.18.0", ASKED_FOR, True), ("0.20.0", REFUSED, False), ("0.20.0", (), True)],
)
def test_the_environment_asks_for_the_estimate_from_0_18_on(version, flag, expected):
    assert expected is counted(version, environment=flag)


def test_nothing_is_taken_off_a_cache_that_was_set_by_hand():
    assert counted("0.20.0", kv_cache_memory=Bytes.gib(8)) is False


@pytest.mark.parametrize("version", [None, "0.1.dev1+g1a2b3c4"])
def test_no_release_tells_nothing(version, llama_8b):
    assert graphs_may_be_counted(Deployment(vllm_version=version, shape=llama_8b)) is None
