from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evidence import Line
from bot.reading.commands.shell import is_operator, join_written, scan_words, split_words, written_words


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
        ("a; b&&c || d", ["a", ";", "b", "&&", "c", "||", "d"]),
        ("(A=1 b --c 2) 2>&1|tee d", ["(", "A=1", "b", "--c", "2", ")", "2>&1", "|", "tee", "d"]),
        ("a > b.log", ["a", "> b.log"]),
        ("a $(b -c 'd') `e -f` $((1 + 2))", ["a", "$(b -c 'd')", "`e -f`", "$((1 + 2))"]),
        ("a <your model> {b|c} http://d/?e=1&f=2", ["a", "<your model>", "{b|c}", "http://d/?e=1&f=2"]),
        ("""--json {"a": {"b": 1}} c""", ["--json", '{"a": {"b": 1}}', "c"]),
        (r"%HOME%\.cache\m:/m", [r"%HOME%\.cache\m:/m"]),
        (r"C:\models\m:/m 'D:\a b'", [r"C:\models\m:/m", r"D:\a b"]),
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
        (word.text, word.line.number) for word in split_words(lines)
    ]


@pytest.mark.parametrize(
    "text",
    [
        '"$A"',
        "${A:-80}",
        "$(cat a)",
        "~/a:/b",
        "--c=~/d",
        "`e`",
        '"$(f "g")"',
        "&&",
        "2>&1",
        "> h.log",
        r"C:\models:/m",
    ],
)
def test_what_a_shell_fills_in_stays_as_it_was_written(text: str):
    assert [text] == written_words(text)


@given(st.lists(st.text(max_size=12).filter(lambda word: word.isprintable()), max_size=5))
def test_what_is_written_is_what_a_shell_passes_on(passed: list[str]):
    text = shlex.join(passed)

    assert shlex.split(text) == shlex.split(join_written(written_words(text)))


@pytest.mark.parametrize(
    "piece", ["(", "$(", "`a", '"$(', "{", "<a ", "a;", "'", "$((", "$(a(b(c", "${", "[a", "&", "a)"]
)
def test_many_signs_without_an_end_are_words_too(piece: str):
    text = piece * 2_000

    assert text.replace(" ", "") == "".join(text[begin:end] for _, begin, end in scan_words(text)).replace(" ", "")
