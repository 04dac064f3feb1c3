from __future__ import annotations

from bot.evidence import Line
from bot.reading.commands.manifest_words import split_inline, split_shell, strip_quotes, without_shell
from bot.reading.commands.shell import Word

LINE = Line(number=1, text="")


def test_a_list_on_a_line_and_a_text_are_words():
    assert [["--a", "b c"], ["--a", "b"], ["--a", "b c"]] == [
        [word.text for word in split_inline(value, LINE)] for value in ('["--a", "b c"]', "[--a, b", "--a 'b c'")
    ]


def test_an_item_of_several_words_is_a_command_unless_it_is_a_value():
    assert [["--a", "b"], ["b c"], ['{"a": 1}']] == [
        [word.text for word in split_shell(Word.of(text, LINE))] for text in ("--a b", "b c", '{"a": 1}')
    ]


def test_a_shell_in_front_and_quotes_around_are_taken_off():
    words = [Word.of(text, LINE) for text in ("/bin/sh", "-c", "vllm")]

    assert ["vllm"] == [word.text for word in without_shell(words)]
    assert ["a # b", "a"] == [strip_quotes(text) for text in ('"a # b"', "a # b")]
