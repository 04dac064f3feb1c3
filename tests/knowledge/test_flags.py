"""The rows of knowledge/flags fit the facts and the deployment."""

import pytest
from packaging.version import Version

from bot.catalog.flags import Flag
from bot.catalog.load import Knowledge
from bot.deployment import Deployment
from bot.facts import FACTS
from bot.reading.commands.arguments import ARGUMENTS, SWITCHES


def argument(flag: Flag) -> str:
    return flag.name.removeprefix("--").replace("-", "_").lower()


def test_reading_takes_a_flag_for_the_fact_that_its_row_names(knowledge: Knowledge):
    rows = [flag for flag in knowledge.flags.rows if flag.fact]
    read = {flag.name: [name for name, _ in ARGUMENTS.get(argument(flag), ())] for flag in rows}

    assert {} == {flag.name: read[flag.name] for flag in rows if flag.fact not in read[flag.name]}


def test_reading_knows_which_flags_take_no_value(knowledge: Knowledge):
    rows = [flag for flag in knowledge.flags.rows if not flag.is_environment]

    assert [] == [flag.name for flag in rows if (flag.type == "switch") != (argument(flag) in SWITCHES)]


def test_every_flag_sets_a_fact_that_exists(knowledge: Knowledge):
    assert [] == [flag.name for flag in knowledge.flags.rows if flag.fact and flag.fact not in FACTS]


def test_every_replacement_is_a_flag_that_is_known(knowledge: Knowledge):
    flags = knowledge.flags
    replaced = {flag.renamed_to for flag in flags.rows if flag.renamed_to}

    assert [] == [name for name in replaced if flags.by_name(name) is None]


def test_every_memory_and_layout_setting_has_a_flag_today(knowledge: Knowledge):
    settings = {
        "model",
        "gpu_memory_utilization",
        "max_model_len",
        "max_num_seqs",
        "max_num_batched_tokens",
        "kv_cache_dtype",
        "kv_cache_memory",
        "tensor_parallel",
        "pipeline_parallel",
        "data_parallel",
        "expert_parallel",
        "enforce_eager",
        "quantization",
        "dtype",
        "chunked_prefill",
        "prefix_caching",
        "cpu_offload_gib",
    }

    assert settings <= set(Deployment.model_fields)
    assert [] == [name for name in settings if knowledge.flags.for_fact(name) is None]


def test_a_flag_that_is_gone_is_not_offered_for_a_newer_version(knowledge: Knowledge):
    flags = knowledge.flags

    assert flags.for_fact("swap_space_gib") is None
    assert flags.by_name("--swap-space").exists_in(Version("0.18.0")) is False


@pytest.mark.parametrize(
    ("name", "before", "first"),
    [
        ("--hf-token", "0.8.3", "0.8.4"),
        ("--runner", "0.10.0", "0.10.1"),
        ("--data-parallel-size-local", "0.8.5", "0.9.0"),
        ("--nnodes", "0.11.0", "0.11.1"),
        ("--grpc", "0.17.1", "0.18.0"),
        ("--scheduling-policy", "0.6.2", "0.6.3"),
        ("VLLM_WSL2_ENABLE_PIN_MEMORY", "0.23.0", "0.24.0"),
    ],
)
def test_a_flag_lives_from_the_release_that_first_parses_it(knowledge: Knowledge, name, before, first):
    """vLLM `engine/arg_utils.py`, `entrypoints/openai/cli_args.py` and `envs.py` of both releases."""
    flag = knowledge.flags.by_name(name)

    assert (False, True) == tuple(flag.exists_in(Version(version)) for version in (before, first))


@pytest.mark.parametrize(
    ("name", "last", "after"),
    [
        ("--disable-log-requests", "0.16.0", "0.17.0"),
        ("--task", "0.12.0", "0.13.0"),
        ("--override-pooler-config", "0.11.2", "0.12.0"),
        ("--disable-frontend-multiprocessing", "0.18.1", "0.19.0"),
        ("VLLM_ATTENTION_BACKEND", "0.14.1", "0.15.0"),
        ("VLLM_RPC_TIMEOUT", "0.22.1", "0.23.0"),
    ],
)
def test_a_flag_lives_until_the_release_that_last_parses_it(knowledge: Knowledge, name, last, after):
    """vLLM `engine/arg_utils.py`, `entrypoints/openai/cli_args.py` and `envs.py` of both releases."""
    flag = knowledge.flags.by_name(name)

    assert (True, False) == tuple(flag.exists_in(Version(version)) for version in (last, after))


def test_the_number_of_servers_can_still_be_set(knowledge: Knowledge):
    """vLLM 0.33 `entrypoints/common/cli_args.py`."""
    assert knowledge.flags.by_name("--api-server-count").exists_in(Version("0.33.0"))
