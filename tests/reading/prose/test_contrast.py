import pytest

from bot.reading.prose.contrast import tell_apart
from bot.reading.read import read


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("works on the A100s, now on an A10G it runs out of memory", "A10G"),
        ("fine on our A100s, does not start on an A10G", "A10G"),
        ("It ran on H100 but fails on L4", "L4"),
        ("OOM on L4, worked on A100", "L4"),
        ("Works on A100\nOn the T4 it fails.", "T4"),
        ("I upgraded from a 3090 to a 4090 and now it hangs", "4090"),
        ("unlike on A100, the L4 is very slow", "L4"),
        ("在 A100 上正常，换成 4090 报错", "4090"),
        ("works on my 4090 but it is slow", "4090"),
        ("not working on A100", "A100"),
    ],
)
def test_the_card_of_the_trouble_counts_not_that_of_the_comparison(text: str, card: str) -> None:
    assert card == read(text).value("gpu")


@pytest.mark.parametrize("text", ["works on A100 but not on this box", "works fine on A100. The new server gives OOM"])
def test_a_card_that_the_trouble_is_not_with_says_nothing_of_the_other(text: str) -> None:
    assert None is read(text).value("gpu")


def test_of_settings_those_of_the_trouble_count() -> None:
    found = read("with util 0.9 it works, with util 0.95 it fails; Qwen3-32B")

    assert (0.95, "Qwen3-32B") == (found.value("gpu_memory_utilization"), found.value("model"))


def test_what_is_taken_apart_keeps_its_place() -> None:
    text = "fine on an A100, dead on an L4"
    contrast = tell_apart(text)

    assert (len(text), len(text)) == (len(contrast.own), len(contrast.other))
