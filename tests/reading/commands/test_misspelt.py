"""Arguments that somebody misspelt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.catalog.load import load_knowledge
from bot.reading.commands.arguments import ARGUMENTS, misspelt
from bot.reading.commands.misspelt import SHORTEST, meant_by

LONG = sorted(name for name in ARGUMENTS if len(name) >= SHORTEST)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("--gpu-mmeory-utilization", "gpu_memory_utilization"),
        ("--tesnor-parallel-size", "tensor_parallel_size"),
        ("--tensor-paralel-size", "tensor_parallel_size"),
        ("--max-modle-len", "max_model_len"),
        ("max_model_lenght", "max_model_len"),
        ("--max-num-sqes", "max_num_seqs"),
        ("--enforce-eagre", "enforce_eager"),
        ("--enkorce-eaber", "enforce_eager"),
        ("--no-enable-prefix-cahcing", "no_enable_prefix_caching"),
    ],
)
def test_a_name_that_is_nearly_one_argument_is_meant_for_it(written: str, meant: str):
    assert meant == misspelt(written)


@pytest.mark.parametrize(
    "written", ["--port", "--max-model-len", "-tp", "--mode", "--chat-template", "--max-batch-size", ""]
)
def test_any_other_name_is_meant_for_none(written: str):
    assert None is misspelt(written)


def test_a_name_that_is_as_near_to_two_is_meant_for_none():
    assert None is meant_by("max_model_xyz", {"max_model_xya": "a", "max_model_xyb": "b"})


def test_no_flag_of_vllm_is_taken_for_a_misspelling():
    flags = [name for row in load_knowledge().flags.rows if not row.is_environment for name in row.spellings]

    assert {} == {name: meant for name in flags if (meant := misspelt(name))}


@given(st.sampled_from(LONG), st.integers(0, 40))
def test_two_letters_swapped_anywhere_are_read(name: str, place: int):
    place %= len(name) - 1
    swapped = f"{name[:place]}{name[place + 1]}{name[place]}{name[place + 2 :]}"

    assert swapped in ARGUMENTS or name == misspelt(swapped)
