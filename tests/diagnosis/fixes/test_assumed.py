"""What sizing takes for granted."""

from __future__ import annotations

import pytest

from bot.catalog.flags import Flags
from bot.catalog.load import load_lazily
from bot.consult import size
from bot.deployment import Deployment, read_version
from bot.diagnosis.fixes.assumed import absent_settings, spelt_out, untold, without_absent


def test_gpus_that_are_used_together_are_said_to_be(served: Deployment):
    described = served.with_(gpu_count=2, launcher=None, command=None)

    assert 2 == spelt_out(described).tensor_parallel
    assert spelt_out(described).with_(tensor_parallel=None) == described


def test_what_was_launched_is_as_it_was_launched(served: Deployment):
    assert served.with_(gpu_count=2) == spelt_out(served.with_(gpu_count=2))


def test_a_setting_that_the_version_lacks_cannot_be(served: Deployment):
    flags: Flags = load_lazily().flags
    old = served.with_(vllm_version=read_version("0.4.2"), expert_parallel=True, kv_cache_dtype="fp8")

    assert ("expert_parallel",) == absent_settings(old, flags)
    assert old.with_(expert_parallel=None) == without_absent(old, flags)
    assert () == absent_settings(old.with_(vllm_version=None), flags)


def test_a_setting_that_a_version_takes_from_a_variable_can_be(served: Deployment):
    old = served.with_(vllm_version=read_version("0.8.5"), attention_backend="FLASHINFER")

    assert () == absent_settings(old, load_lazily().flags)


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("vllm serve Qwen/Qwen3-14B on L40S --max-model-len 8192", "--max-model-len 8192"),
        (
            "vllm serve Qwen/Qwen3-14B on 2x L40S -tp 2 --gpu-memory-utilization 0.8 --kv-cache-dtype fp8",
            "--tensor-parallel-size 2 --gpu-memory-utilization 0.8 --kv-cache-dtype fp8",
        ),
        (
            "vllm serve Qwen/Qwen3-14B --max-model-len 8192 on L40S with fp8 kv cache",
            "--max-model-len 8192 --kv-cache-dtype fp8",
        ),
    ],
)
def test_what_is_said_around_a_command_stands_in_it(text: str, flags: str):
    assert f"vllm serve Qwen/Qwen3-14B {flags}" == size(text).command


def test_what_vllm_does_by_itself_is_not_said(served: Deployment):
    assert () == untold(served.with_(max_num_seqs=256, kv_cache_dtype="auto", max_model_len=None), ())
