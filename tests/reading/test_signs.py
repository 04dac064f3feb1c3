from bot.evidence import Line
from bot.facts import Origin
from bot.reading.late import Late
from bot.reading.signs import Sign, read_signs

SIGNS = (
    Sign("cold", "compile_cache", "cold", Late(r"\bcold\b")),
    Sign("warm", "compile_cache", "warm", origin=Origin.PASTED),
)


def told(*texts):
    return read_signs([Line(number=number, text=text) for number, text in enumerate(texts, 1)], SIGNS)


def test_the_first_sign_of_the_table_counts_wherever_it_stands():
    assert ("cold", 2) == (
        told("warm", "cold").value("compile_cache"),
        told("warm", "cold").facts["compile_cache"].line,
    )


def test_a_text_without_the_rest_of_its_wording_tells_nothing():
    assert told("colder").value("compile_cache") is None


def test_a_sign_says_whether_it_was_printed_or_said():
    assert Origin.PASTED is told("warm").facts["compile_cache"].origin
