import pytest

from bot.evidence import Line
from bot.reading.figures import AMOUNT, LONGEST_QUOTE, Template, find_figures, quote, read_figures
from bot.units import Bytes

WEIGHTS = Template.of("weigh", rf"weights are (?P<weights>{AMOUNT})")


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("weights are 2.5 GiB", Bytes.gib(2.5)),
        ("weights   are 2.5GB", Bytes.gib(2.5)),
        ("weights are 512 MiB", Bytes.mib(512)),
        ("weights are -1 GiB", Bytes.gib(-1)),
    ],
)
def test_an_amount_is_read_with_its_unit(text: str, amount: Bytes) -> None:
    assert [amount] == [figure.value for figure in find_figures([Line(number=1, text=text)], [WEIGHTS])]


def test_a_figure_that_is_cut_before_its_unit_is_none() -> None:
    assert [] == list(find_figures([Line(number=1, text="weights are 2.5")], [WEIGHTS]))


def test_a_quote_is_bounded() -> None:
    line = Line(number=1, text="weights are 2.5 GiB" + "x" * 2_000)

    assert LONGEST_QUOTE == len(quote(line))


def test_of_a_figure_that_ranks_print_the_one_that_binds_is_kept() -> None:
    lines = [Line(number=number, text=f"weights are {gib} GiB") for number, gib in enumerate((2, 4, 4, 3), 1)]
    fact = read_figures(lines, [WEIGHTS], "vllm-log").facts["weights"]

    assert (Bytes.gib(4), 2) == (fact.value, fact.line)


def test_settings_that_contradict_each_other_are_all_seen() -> None:
    length = Template.of("length", r"length (?P<max_model_len>\d+)")
    lines = [Line(number=number, text=f"length {tokens}") for number, tokens in enumerate((4096, 8192), 1)]
    found = read_figures(lines, [length], "vllm-log")

    assert [(8192, 4096)] == [(conflict.kept.value, conflict.other.value) for conflict in found.conflicts]
