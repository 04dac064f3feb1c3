"""What stands behind flags and is no value of theirs."""

from __future__ import annotations

import pytest

from bot.catalog.load import load_lazily
from bot.diagnosis.wordings.flag_values import Misfit, behind, misfits
from bot.reading.commands.arguments import RECORDS, full_name

_FLAGS = load_lazily().flags
_ROWS = [row for row in _FLAGS.rows if not row.is_environment and full_name(row.name) not in RECORDS]
_VALUED = [row for row in _ROWS if row.type != "switch"]
_COUNTED = [row for row in _VALUED if row.type in {"int", "float", "bytes", "json"}]


def said_of(*said: tuple[str, str]) -> list[Misfit]:
    return list(misfits(said, _FLAGS))


@pytest.mark.parametrize("row", _VALUED, ids=lambda row: row.name)
def test_every_flag_without_its_value_is_told(row):
    (found,) = said_of((row.name, ""))

    assert (row.fact, True) == (found.fact, f"{row.name} has no value; it takes " in found.sentence)


@pytest.mark.parametrize("row", _COUNTED, ids=lambda row: row.name)
def test_every_number_and_record_is_told_from_a_word(row):
    assert [row.fact] == [found.fact for found in said_of((row.name, "lots"))]


@pytest.mark.parametrize("row", [row for row in _ROWS if row.type == "switch"], ids=lambda row: row.name)
def test_every_switch_takes_no_value(row):
    (found,) = said_of((row.name, "0"))

    assert f"{row.name} takes no value, not '0'" in found.sentence


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("1.5", ["context length: '1.5' is no whole number; write it like 32768 or 32K"]),
        ("0", []),  # read, and refused at the start
        ("none", []),
        ("$LENGTH", []),
    ],
)
def test_what_the_parser_takes_is_no_misfit(value, said):
    assert said == [found.sentence for found in said_of(("--max-model-len", value))]


def test_of_a_flag_given_twice_each_value_is_read():
    assert ["'1.5' is no whole number"] == [
        found.sentence.partition(": ")[2].partition(";")[0]
        for found in said_of(("--max-model-len", "1.5"), ("--max-model-len", "8192"))
    ]


def test_of_a_word_those_are_named_that_are_taken():
    (found,) = said_of(("--mamba-cache-mode", "0"))

    assert "Mamba cache mode: --mamba-cache-mode takes one of none, align, all, not '0'" == found.sentence


@pytest.mark.parametrize(
    ("value", "odd"), [("1 2 4", None), ("[1, 2, 4]", None), ("1.5", "1.5"), ("1 0 4", "0"), ("lots", "lots")]
)
def test_each_size_of_a_list_is_a_number(value, odd):
    said = [found.sentence.rpartition(", not ")[2] for found in said_of(("--cudagraph-capture-sizes", value))]

    assert ([f"'{odd}'"] if odd else []) == [each.rstrip(".") for each in said]


def test_a_flag_that_nobody_knows_has_no_values():
    assert [] == said_of(("--quantum-tunnels", ""))


def test_behind_a_switch_the_sentence_goes_on():
    row = _FLAGS.by_name("--enable-lora")

    assert ["", "0", "false"] == [behind(row, word) for word in ("for", "0", "false")]
