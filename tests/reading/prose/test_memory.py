import pytest

from bot.reading.read import read
from bot.units import Bytes


@pytest.mark.parametrize(
    ("text", "used", "total"),
    [
        ("72 of 80 GB used with no traffic", 72, 80),
        ("72/80GB", 72, 80),
        ("using 70GB of my 80GB", 70, 80),
        ("22,1 von 24 GB belegt", 22.1, 24),
        ("73728 of 81920 MiB in use", 72, 80),
    ],
)
def test_a_person_says_how_full_the_card_is(text: str, used: float, total: float) -> None:
    found = read(text)

    assert (Bytes.gib(used), Bytes.gib(total)) == (found.value("used"), found.value("gpu_memory"))


@pytest.mark.parametrize("text", ["nvidia-smi shows 72GB used on an H100", "it eats 72 GB with no traffic"])
def test_what_is_used_may_be_said_alone(text: str) -> None:
    assert (Bytes.gib(72), None) == (read(text).value("used"), read(text).value("gpu_memory"))


@pytest.mark.parametrize(
    "text",
    [
        "RAM 30/64GB used",
        "downloaded 3.2/15.2GB of it",
        "the weights take 15 of 24GB",
        "KV cache: 10/20GB",
        "it takes 15 GB of disk",
    ],
)
def test_other_memory_and_parts_of_it_are_not_what_is_used(text: str) -> None:
    assert None is read(text).value("used")


def test_the_memory_that_nvidia_smi_prints_outranks_a_persons_and_does_not_contradict_it() -> None:
    found = read("72 of 80 GB used\n0, NVIDIA H100 80GB HBM3, 73000 MiB, 81559 MiB")

    assert (Bytes.mib(81559), ()) == (found.value("gpu_memory"), found.conflicts)


def test_the_rows_of_a_tool_are_no_sentences() -> None:
    assert None is read("  0    0  163 W    750 W  44 C   0 %   N/A   171.2/192.0 GB").value("used")
