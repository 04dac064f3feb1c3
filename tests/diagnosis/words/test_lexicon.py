"""Classes of words, in the languages of our channels."""

from __future__ import annotations

import re

import pytest

from bot.diagnosis.wordings.patterns import compile_pattern
from bot.diagnosis.wordings.regular import objections
from bot.diagnosis.words.lexicon import CLASSES, expand, one_of


def names(text: str) -> set[str]:
    return {name for name in CLASSES if compile_pattern(f"<{name}>").search(text)}


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_is_regular_and_linear(name: str):
    assert () == objections(f"<{name}>")


@pytest.mark.parametrize("name", CLASSES)
def test_no_word_stands_twice_in_a_class(name: str):
    assert len(set(CLASSES[name])) == len(CLASSES[name])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it crawls and the answers are gibberish", {"slow", "garbage", "output"}),
        ("it keeps the card's memory", {"memory", "gpu", "still-held"}),
        ("it keeps getting killed", {"stopped"}),
        ("显存没有释放", {"memory", "gpu", "still-held"}),
        ("Медленно", {"slow", "long-time"}),
        ("der Server hängt", {"server", "stuck"}),
        ("el servidor se cuelga", {"server", "stuck"}),
        ("reste bloqué", {"stuck"}),
        ("显存越占越多", {"memory", "grows", "over-time"}),
        ("显存爆了", {"out-of-memory"}),
        ("VRAMが足りない", {"out-of-memory"}),
        ("メモリがどんどん増える", {"memory", "grows", "over-time"}),
        ("메모리가 부족해요", {"out-of-memory"}),
        ("점점 느려요", {"over-time", "slow"}),
        ("не хватает видеопамяти", {"out-of-memory"}),
        ("памяти не хватило", {"out-of-memory"}),
        ("всё занято", {"so-much"}),
        ("nicht genug Grafikspeicher", {"memory", "out-of-memory"}),
        ("der GPU-Speicher wird nicht freigegeben", {"memory", "still-held"}),
        ("la memoria crece sin cesar", {"memory", "grows", "over-time"}),
        ("he parado el servidor", {"stopped"}),
        ("pas assez de mémoire", {"out-of-memory"}),
        ("22 ГБ", {"gpu", "so-much"}),
        ("22 Go par carte, bien plus que prévu", {"gpu", "so-much"}),
        ("viel mehr Speicher als erwartet, ist das üblich?", {"memory", "so-much", "why"}),
        ("beyond my expectation, is that common", {"so-much", "why"}),
        ("结果不对，什么原因", {"wrong-output", "why"}),
        ("nur leere Antworten", {"wrong-output"}),
        ("it is not generating any text", {"wrong-output"}),
        ("I can't call tools", {"tool-calls"}),
        ("无法调用工具", {"tool-calls"}),
        ("das bleibt beim Start einfach stehen", {"stuck"}),
        ("la mémoire augmente sans arrêt", {"memory", "grows", "over-time"}),
    ],
)
def test_words_mean_the_same_in_every_language(text: str, expected: set[str]):
    assert expected <= names(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [("memory", "a ramp"), ("slow", "slowenia"), ("stuck", "hangar"), ("tool-calls", "call the tool shop")],
)
def test_a_word_is_no_part_of_another(name: str, text: str):
    assert name not in names(text)


def test_a_class_is_written_out_where_it_is_named():
    assert re.fullmatch(expand("my <windows>"), "my windows 11")


def test_named_groups_are_no_classes():
    assert "(?P<free>x)" == expand("(?P<free>x)")


def test_an_unknown_class_is_refused():
    assert objections("<memmory>")[0].startswith("is no regular expression: <memmory> is no class of words")


def test_several_classes_make_one_pattern():
    assert re.search(one_of("slow", "stuck"), "it hangs")
