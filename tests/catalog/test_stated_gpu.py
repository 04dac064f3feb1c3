"""What a text says of a card itself."""

import pytest

from bot.catalog.stated_gpu import capability_in, memory_in, printed_in, unlisted
from bot.units import Bytes


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("24,564 MiB", Bytes.mib(24_564)),
        ("512MiB / 24564MiB", Bytes.mib(24_564)),
        ("with 24 GB", Bytes.gib(24)),
        ("160 GB in all", None),
        ("sm_90", None),
    ],
)
def test_memory_is_what_one_card_has(text, memory):
    assert memory == memory_in(text)


def test_gibibytes_are_not_printed_by_nvidia_smi():
    assert None is printed_in("24 GB")


@pytest.mark.parametrize(
    ("text", "capability"),
    [
        ("sm_80", 8.0),
        ("SM120", 12.0),
        ("sm_90a", 9.0),
        ("compute capability: 8.6", 8.6),
        ("cc 7.5", 7.5),
        ("small", None),
    ],
)
def test_a_capability_is_written_in_several_ways(text, capability):
    assert capability == capability_in(text)


def test_a_card_without_a_name_is_a_gpu():
    assert "GPU" == unlisted("sm_90 80GB", "sm_90 80GB", None).name
