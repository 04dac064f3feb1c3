import pytest

from bot.evidence import Line
from bot.reading.figures import AMOUNT, LONGEST_QUOTE, Template, find_figures
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
    assert [amount] == [fact.value for fact in find_figures([Line(number=1, text=text)], [WEIGHTS])]


def test_a_figure_that_is_cut_before_its_unit_is_none() -> None:
    assert [] == list(find_figures([Line(number=1, text="weights are 2.5")], [WEIGHTS]))


def test_a_quote_is_bounded() -> None:
    (fact,) = find_figures([Line(number=1, text="weights are 2.5 GiB" + "x" * 2_000)], [WEIGHTS])

    assert LONGEST_QUOTE == len(fact.quote or "")
