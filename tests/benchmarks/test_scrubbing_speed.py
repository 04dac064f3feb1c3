"""How long secrets are looked for: no text that shows signs of them costs many times what a log does.

Run with `pytest tests/benchmarks`; figures are printed at the end, and what is held are ratios of processor time within
one run, with room to spare. The texts are made of the table itself, so that a new row is tried as well.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest

from bot.reading.noise.scrub import scrub
from bot.reading.noise.secrets import SECRETS
from tests.benchmarks.conftest import text_of_a_log

LENGTH = 8_000
MOST = 12
"""Times a log of the same length; a search that begins anew at each sign costs hundreds."""

LONGER = 40_000
"""Characters at which a search that runs to the end of the line at each sign costs more than that, too."""

SIGNS = sorted({sign for kind in SECRETS for sign in kind.signs if sign})
FORMS: dict[str, Callable[[str], str]] = {
    "alone": lambda sign: sign,
    "before a blank": lambda sign: f"{sign} ",
    "behind a blank": lambda sign: f" {sign}",
    "on lines": lambda sign: f"{sign}\n",
    "on lines that go on": lambda sign: f"{sign} \\\n",
    "cut by line ends": lambda sign: f"{sign}=x\\\n{sign}\n",
    "before a value": lambda sign: f"{sign}x ",
    "before an assigned value": lambda sign: f"{sign}=x ",
    "before a quoted value": lambda sign: f"{sign}: 'x' ",
    "before an open quote": lambda sign: f'{sign}="',
    "behind a word": lambda sign: f"a{sign}",
    "in dashes": lambda sign: f"-{sign}",
    "before flags": lambda sign: f"{sign} -p -u a: -a ",
    "before a pipe": lambda sign: f"{sign} x | login ",
    "before dots": lambda sign: f"{sign}a.",
}
LONG: dict[str, Callable[[str], str]] = {
    "letters": lambda sign: sign + "a" * LENGTH,
    "digits and letters": lambda sign: sign + "a1" * LENGTH,
    "capitals": lambda sign: sign + "Ab1" * LENGTH,
    "blanks": lambda sign: sign + " " * LENGTH,
    "words": lambda sign: sign + " a" * LENGTH,
    "flags": lambda sign: sign + " -b" * LENGTH,
    "lines": lambda sign: sign + "\na" * LENGTH,
    "quotes": lambda sign: sign + "\"'" * LENGTH,
    "colons": lambda sign: sign + ":a" * LENGTH,
    "backslashes": lambda sign: sign + "\\" * LENGTH,
    "letters in front": lambda sign: "a" * LENGTH + sign,
    "blanks in front": lambda sign: " " * LENGTH + sign,
}


@pytest.fixture(scope="module")
def a_log_takes(seconds: Callable[..., float]) -> float:
    for sign in SIGNS:  # patterns are compiled when they are first needed
        scrub(sign)
    text = text_of_a_log(LENGTH)[:LENGTH]
    return seconds(lambda: scrub(text), 5)


def worst(make: Callable[[str], str], seconds: Callable[..., float]) -> tuple[float, str]:
    """Return what the slowest text takes, and its sign; what took long by chance is measured again."""
    taken = sorted((seconds(lambda sign=sign: scrub(make(sign)[:LENGTH]), 1), sign) for sign in SIGNS)
    return max((seconds(lambda sign=sign: scrub(make(sign)[:LENGTH]), 3), sign) for _, sign in taken[-3:])


@pytest.mark.parametrize("form", FORMS)
def test_signs_without_end_cost_little_more_than_a_log(
    form: str, a_log_takes: float, seconds: Callable[..., float], show: Callable[[str, str], None]
) -> None:
    taken, sign = worst(lambda sign: FORMS[form](sign) * (LENGTH // len(sign)), seconds)

    show(f"signs {form}, as {sign!r}", f"{taken / a_log_takes:.1f} x a log")
    assert taken < MOST * a_log_takes, sign


@pytest.mark.parametrize("form", FORMS)
def test_a_longer_text_costs_no_more_than_a_longer_log(
    form: str, seconds: Callable[..., float], show: Callable[[str, str], None]
) -> None:
    log = text_of_a_log(LONGER)[:LONGER]
    texts = {
        sign: (FORMS[form](sign) * LONGER)[:LONGER] for sign in {next(iter(kind.signs)) for kind in SECRETS} - {""}
    }
    _, sign = max((seconds(lambda text=text: scrub(text), 1), sign) for sign, text in texts.items())
    ratio = seconds(lambda: scrub(texts[sign]), 2) / seconds(lambda: scrub(log), 3)

    show(f"a longer text of signs {form}, as {sign!r}", f"{ratio:.1f} x a log")
    assert ratio < MOST, sign


@pytest.mark.parametrize("run", LONG)
def test_a_sign_beside_a_long_run_costs_little_more_than_a_log(
    run: str, a_log_takes: float, seconds: Callable[..., float], show: Callable[[str, str], None]
) -> None:
    taken, sign = worst(LONG[run], seconds)

    show(f"a sign and {run}, as {sign!r}", f"{taken / a_log_takes:.1f} x a log")
    assert taken < MOST * a_log_takes, sign


def test_a_megabyte_of_every_sign_costs_little_more_than_a_log(
    seconds: Callable[..., float], show: Callable[[str, str], None]
) -> None:
    chance = random.Random(1)
    parts = (FORMS[chance.choice([*FORMS])](chance.choice(SIGNS)) for _ in itertools.count())
    text, log = "".join(itertools.islice(parts, 100_000))[:1_000_000], text_of_a_log(1_000_000)[:1_000_000]

    taken = seconds(lambda: scrub(text), 1)

    show("a megabyte of every sign", f"{1000 * taken:.0f} ms")
    assert taken < MOST * seconds(lambda: scrub(log), 2)
