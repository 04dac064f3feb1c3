"""What stands between brackets."""

import pytest

from bot.evidence import Line
from bot.reading.commands.brackets import read_literals, take_inside


def lines(*texts: str) -> list[Line]:
    return [Line(number=number, text=text) for number, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("texts", "inside"),
    [
        (("f(a, (b))",), "a, (b))"),
        (("f(a,", "  [b]", ")", "c"), "a,\n  [b]\n)"),
        (("f(a,", "... b)", "c"), "a,\nb)"),
    ],
)
def test_it_ends_with_the_bracket_that_closes(texts: tuple[str, ...], inside: str):
    assert inside == take_inside(lines(*texts), 0, 2)


def test_names_stand_for_literals_alone():
    assert {"A": "'x'", "B": "8"} == read_literals(lines("A = 'x'", "B: int = 8  # eight", "C = f(1)"))
