from __future__ import annotations

import pytest

from bot.evidence import Line
from bot.reading.commands.shell import is_operator, scan_words, split_words


def words(text: str) -> list[str]:
    return [word for word, _, _ in scan_words(text)]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("vllm serve m", ["vllm", "serve", "m"]),
        ("""--json '{"a": 1}' --b""", ["--json", '{"a": 1}', "--b"]),
        (r"a\ b c", ["a b", "c"]),
        (r'"say \"hi\""', ['say "hi"']),
        (r"serve m \ --flag", ["serve", "m", "--flag"]),
        ("'never closed", ["'never", "closed"]),
    ],
)
def test_words_are_what_the_shell_would_pass(text: str, seen: list[str]):
    assert seen == words(text)


@pytest.mark.parametrize("word", ["|", "&&", ";", "2>&1", ">out.log", "#"])
def test_what_ends_a_command_is_an_operator(word: str):
    assert is_operator(word)


@pytest.mark.parametrize("word", ["--flag", "a|b", "model", "0.9"])
def test_other_words_are_none(word: str):
    assert not is_operator(word)


def test_every_word_has_the_line_it_stands_on():
    lines = [Line(number=3, text="vllm serve m \\"), Line(number=4, text="  --max-model-len 8k  # short")]

    assert [("vllm", 3), ("serve", 3), ("m", 3), ("--max-model-len", 4), ("8k", 4)] == [
        (word, line.number) for word, line in split_words(lines)
    ]
